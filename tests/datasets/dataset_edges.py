"""Documents that we wrote, on the edges of what a data set can hold."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
from collections.abc import Callable
from pathlib import Path

from sector.datasets.sentence_lines import GivenSection, assemble
from sector.document import Document

Sections = list[tuple[str, str, list[str]]]
"""Label, heading and sentences of each section."""

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
}

EDGES: dict[str, Sections] = {
    "one sentence": [("plant.soil", "Soil", ["Moss likes acid soil."])],
    "two sentences": [("plant.soil", "Soil", ["Moss likes acid soil.", "It needs shade."])],
    "one section": [("plant.water", "Water", ["Rain is best.", "Tap water is hard.", "Never flood it."])],
    "every sentence a section": [
        ("plant.soil", "Soil", ["Moss likes acid soil."]),
        ("plant.water", "Water", ["Rain is best."]),
        ("plant.light", "Light", ["Shade will do."]),
    ],
    "unknown labels": [
        ("mystery", "Überraschung", ["Grüße aus 東京 😀."]),
        ("plant.other", "Care | Winter", ["Cover it with leaves.", "Uncover it in spring."]),
    ],
    "no labels": [("", "Soil", ["Moss likes acid soil."]), ("", "Water", ["Rain is best.", "Spray it."])],
}


def make_document(sections: Sections, id: str = "moss") -> Document:
    return assemble([GivenSection(*section) for section in sections], id, "a test")


def shape(document: Document) -> list[tuple[str, str, str]]:
    """Return label, heading and text of each section: what a round trip must keep."""
    return [(section.label, section.heading, section.text) for section in document.sections]


def pack(path: Path, members: dict[str, str]) -> Path:
    """Write an archive, compressed as its name says."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content.encode())
            archive.addfile(info, io.BytesIO(content.encode()))
    path.write_bytes(COMPRESS[path.suffix](plain.getvalue()))
    return path
