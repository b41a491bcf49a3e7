"""Options that the questions of retrieval share: who cuts, with which embeddings."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import sector
from retrieval.encoder import TextEncoder
from retrieval.ways import ChonkieSemantic, Fixed, LangChainSemantic, Ours, Recursive, Way

OTHERS: Mapping[str, Callable[[TextEncoder], Way]] = {
    "fixed": Fixed,
    "langchain": LangChainSemantic,
    "chonkie": ChonkieSemantic,
}
NAMES = ("sector", "recursive", *OTHERS)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", nargs="*", default=["en"], help="models of ours: names or folders")
    parser.add_argument("--way", nargs="*", default=NAMES, choices=NAMES)
    folder = os.environ.get("SECTOR_ENCODER", "all-MiniLM-L6-v2")
    parser.add_argument("--encoder", type=Path, default=Path(folder), help="a Hugging Face folder; or SECTOR_ENCODER")
    cache = Path.home() / ".cache" / "sector-benchmarks"
    parser.add_argument("--cache", type=Path, default=cache, help="a folder that keeps embeddings")


def ways_of(options: argparse.Namespace, encoder: TextEncoder, titled: bool = False) -> Iterator[Way]:
    """Return the ways that were asked for; of ours with and without breadcrumbs, of LangChain's with title too."""
    if "sector" in options.way:
        for name in options.model:
            model = sector.load(name)
            yield from (Ours(model, encoder), Ours(model, encoder, context=False))
    if "recursive" in options.way:
        yield from [Recursive(encoder), Recursive(encoder, titled=True)][: 1 + titled]
    yield from (make(encoder) for name, make in OTHERS.items() if name in options.way)
