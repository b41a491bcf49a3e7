"""ruptures KernelCPD with its cosine kernel; sentences are ours, for it has none."""

from __future__ import annotations

from importlib import import_module

from sector.document import Document
from splitters import vectors
from splitters.peer import Peer, SplitAll, one_by_one


def _make(penalty: float) -> SplitAll:
    detection = import_module("ruptures")
    vectors.model()

    def split(text: str) -> list[int]:
        document = Document(text, language="en")
        rows = vectors.embed(document.sentence_texts)
        if len(rows) < 4:
            return [0]
        ends = detection.KernelCPD(kernel="cosine", min_size=2).fit(rows).predict(pen=penalty)
        found: list[int] = document.spans.begin[[0, *ends[:-1]]].tolist()
        return found

    return one_by_one(split)


PEER = Peer("ruptures KernelCPD", ("ruptures", vectors.PACKAGE), "penalty", (1.2, 1.4, 1.6, 1.8, 2.2), _make)
