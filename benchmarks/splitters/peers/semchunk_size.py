"""semchunk: pieces of a size, cut where the text's structure allows; no vectors."""

from __future__ import annotations

from importlib import import_module

from sector.baselines.splitters.align import begins
from splitters.peer import Peer, SplitAll, one_by_one


def _make(characters: int) -> SplitAll:
    chunker = import_module("semchunk").chunkerify(len, chunk_size=characters)
    return one_by_one(lambda text: begins(text, chunker(text)))


PEER = Peer("semchunk", ("semchunk",), "characters", (125, 250, 500, 1000, 4000), _make)
