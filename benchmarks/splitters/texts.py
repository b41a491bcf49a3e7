"""The documents of the comparison, and Pk of what a splitter says about them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import islice, pairwise
from pathlib import Path

from sector import datasets
from sector.document import Document, Section
from sector.evaluation import score


def default_data() -> Path:
    """Return WikiSection's en_city test file in the folder of ``SECTOR_DATA``."""
    root = Path(__file__).parents[2]
    folder = Path(os.environ.get("SECTOR_DATA", root.parent / "shared" / "data"))
    return folder / "wikisection" / "en_city_test.json.xz"


def validation_of(data: Path) -> Path:
    """Return the validation file beside a test file."""
    return data.with_name(data.name.replace("_test", "_validation"))


def read(data: Path, limit: int | None) -> list[Document]:
    """Return the first documents that have a sentence, with their sentences already split."""
    documents = (document for document in datasets.read(data, language="en") if len(document.spans))
    return list(islice(documents, limit))


def pk(gold: Sequence[Document], begins: Sequence[Sequence[int]]) -> float:
    """Return Pk in percent, protocol "sector"; a begin inside a sentence counts as that sentence's begin."""
    predicted = [_sections(document, found) for document, found in zip(gold, begins, strict=True)]
    return float(score(gold, predicted).to_dict()["pk"])


def _sections(document: Document, begins: Sequence[int]) -> Document:
    edges = [*sorted({0, *begins}), len(document.text)]
    sections = tuple(Section(begin, end, source=document.text) for begin, end in pairwise(edges))
    return Document(document.text, id=document.id, given_spans=document.spans, sections=sections)
