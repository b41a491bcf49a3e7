"""Every entry that takes what strangers wrote, from bytes to a check of all that is promised of the answer.

PYTHONPATH=tests python tests/fuzz/entries.py MODEL [options of libFuzzer]     # needs atheris
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np

import sector
from sector import Document, SectorError, datasets
from sector.corpus.records import Records
from sector.reading import FORMATS
from sector.runtime import Model

LONGEST, TOKENS = 60, 30
BESIDE = "Snow falls. The valley is cold.\n\nHe was king."
Entry = Callable[[bytes], None]


def entries(model: Model, folder: Path) -> dict[str, Entry]:
    """Return the entries by name; ``folder`` is for files."""
    return {
        "segment": lambda data: segmented(model, text_of(data)),
        "chunk": lambda data: chunked(model, text_of(data)),
        "records": partial(recorded, folder),
        "data set": partial(loaded, folder),
        "json": written,
        **{f"read {name}": partial(read, model, name) for name in FORMATS},
        "read": partial(read, model, None),
    }


def text_of(data: bytes) -> str:
    """Return any text: the first byte says how the others are read."""
    kind, content = (data[:1] or b"\0")[0] % 3, data[1:]
    if kind == 0:
        return content.decode("utf-8", "replace")
    return (
        content[: len(content) // 2 * 2].decode("utf-16-le", "surrogatepass")
        if kind == 1
        else content.decode("latin-1")
    )


def segmented(model: Model, text: str) -> None:
    document = model.segment(text)
    whole(document, text)
    assert all(section.end - section.begin <= LONGEST for section in model.segment(text, max_chars=LONGEST).sections)
    first, _, last = model.segment_all([text, BESIDE, text])
    for other in (first, last):
        assert other.to_dict(None) == document.to_dict(None)
    assert Document.from_json(document.to_json()).to_dict() == document.to_dict()


def whole(document: Document, text: str) -> None:
    """Check that sections cover the text in order, and that all numbers are what they are said to be."""
    assert document.text == text
    assert document.is_covered() or not text
    assert "".join(section.text for section in document.sections) == text
    for section in document.sections:
        scores = list(section.scores.values())
        assert np.isfinite([section.confidence, *scores]).all() and 0 <= section.confidence <= 1.001
        assert not scores or abs(sum(scores) - 1) < 1e-3
    edges = [edge for sentence in document.sentences for edge in (sentence.begin, sentence.end)]
    assert edges == sorted(edges) and all(0 <= edge <= len(text) for edge in edges)
    assert document.deviation is not None and np.isfinite(document.deviation).all()
    assert document.embeddings is not None and np.isfinite(document.embeddings).all()


def chunked(model: Model, text: str) -> None:
    chunks = model.chunk(text, TOKENS, len)
    assert all(chunk.text == text[chunk.begin : chunk.end] for chunk in chunks)
    assert all(0 < chunk.tokens == len(chunk.text) <= TOKENS for chunk in chunks)
    covered = {place for chunk in chunks for place in range(chunk.begin, chunk.end)}
    assert all(place in covered for place, sign in enumerate(text) if not sign.isspace())
    assert [chunk.begin for chunk in chunks] == sorted(chunk.begin for chunk in chunks)


def read(model: Model, format: str | None, data: bytes) -> None:
    with suppress(SectorError):
        document = sector.read(data, format)
        whole(model.segment(document), document.text)


def recorded(folder: Path, data: bytes) -> None:
    (folder / "any.jsonl").write_bytes(data)
    list(Records(folder / "any.jsonl").documents())


def loaded(folder: Path, data: bytes) -> None:
    for name in ("any.json", "any.jsonl", "any.ref", "any.text", "any.tar.gz"):
        (folder / name).write_bytes(data)
        with suppress(SectorError):
            assert all(isinstance(found, Document) for found in datasets.load(folder / name))


def written(data: bytes) -> None:
    with suppress(SectorError):
        Document.from_json(text_of(data))


def fuzz(model: Model, folder: Path) -> Iterator[None]:
    """Let atheris choose entries and inputs until it finds something."""
    import atheris

    every = list(entries(model, folder).values())

    def one(data: bytes) -> None:
        every[(data[:1] or b"\0")[0] % len(every)](data[1:])

    atheris.instrument_all()
    atheris.Setup([sys.argv[0], *sys.argv[2:]], one)
    yield atheris.Fuzz()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        list(fuzz(sector.load(sys.argv[1]), Path(place)))
