"""The documents: data sets by name in the folder of `SECTOR_DATA` (default `../shared/data`), or any path."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

from sector import datasets
from sector.document import Document

FORMS = ("wikisection/{}.json.xz", "headings/{}.json.xz", "segmentation/{}.tar.xz", "{}")


def find(name: str) -> Path:
    """Return the file of e.g. `en_city_test` or `wiki50`; what names no data set is a path."""
    folder = Path(os.environ.get("SECTOR_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
    places = [folder / form.format(name) for form in FORMS]
    return next((place for place in places if place.exists()), Path(name))


def documents(name: str, limit: int | None = None, language: str | None = None) -> list[Document]:
    """Return the documents of a data set that have a sentence; their language is that of its name."""
    found = datasets.load(find(name), language=language or (name[:2] if name[2:3] == "_" else "en"))
    return list(islice((document for document in found if len(document)), limit))
