"""textsplit's greedy search; sentences are ours, for it has none."""

from __future__ import annotations

from importlib import import_module

from sector.document import Document
from splitters import vectors
from splitters.peer import Peer, SplitAll, one_by_one


def _make(penalty: float) -> SplitAll:
    algorithm = import_module("textsplit.algorithm")
    vectors.model()

    def split(text: str) -> list[int]:
        document = Document(text, language="en")
        rows = vectors.embed(document.sentence_texts)
        if not len(rows):
            return [0]
        cuts = algorithm.split_greedy(rows, penalty=penalty).splits
        found: list[int] = document.spans.begin[[0, *cuts]].tolist()
        return found

    return one_by_one(split)


PEER = Peer("textsplit greedy", ("textsplit", vectors.PACKAGE), "penalty", (0.8, 1.1, 1.4, 1.8, 2.3), _make)
