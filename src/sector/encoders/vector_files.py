"""Word vectors of others: word2vec (text and binary), GloVe and fastText files, also compressed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import numpy as np

from sector.arrays import Floats1d
from sector.compression import bare_name, open_unpacked
from sector.encoders.vectors import WordVectors
from sector.errors import DataError

CHUNK = 1 << 20
WordAndVector = tuple[str, Floats1d]
_COUNT = re.compile(rb"\d{1,12}")


def read_vectors(path: Path, limit: int | None = None) -> WordVectors:
    """Read a file of word vectors, or the first ``limit`` of them; or a folder that ``WordVectors.save`` wrote.

    ``.bin`` is word2vec's binary form. All else is text, a word and its numbers per line, with a first line
    "words dimensions" (word2vec, fastText) or without it (GloVe). ``.gz``, ``.bz2`` or ``.xz`` may follow.
    """
    if path.is_dir():
        return WordVectors.load(path)
    binary = bare_name(path.name).endswith(".bin")
    rows: dict[str, Floats1d] = {}
    try:
        with open_unpacked(path) as stream:
            records = _binary(stream, path) if binary else _text(stream, path)
            for word, row in islice(records, limit):
                rows.setdefault(word, row)
    except OSError as error:
        raise DataError(f"The word vectors cannot be read ({error}); check the file.", file=path) from error
    if not rows:
        raise DataError("The file has no word vectors; check that it is the right one.", file=path)
    return WordVectors(list(rows), np.stack(list(rows.values())))


def _text(stream: BinaryIO, path: Path) -> Iterator[WordAndVector]:
    first = stream.readline()
    header = _header(first)
    width = header[1] if header else len(first.split()) - 1
    read = 0
    if not header and first.strip():
        read = 1
        yield _line(first, width, path, 1)
    for number, line in enumerate(stream, start=2):
        if line.strip():
            read += 1
            yield _line(line, width, path, number)
    if header and read < header[0]:
        raise DataError(f"The file is cut off: {header[0]} words are announced, {read} found.", file=path)


def _header(line: bytes) -> tuple[int, int] | None:
    parts = line.split()
    return (int(parts[0]), int(parts[1])) if len(parts) == 2 and all(map(_COUNT.fullmatch, parts)) else None


def _line(line: bytes, width: int, path: Path, number: int) -> WordAndVector:
    """Read "word 0.1 0.2 …"; the word itself may have spaces."""
    parts = line.decode("utf-8", "replace").strip(" \r\n").rsplit(" ", width) if width > 0 else []
    try:
        row = np.array(parts[1:], np.float32)
    except ValueError:
        row = np.zeros(0, np.float32)
    if len(row) != max(1, width) or not np.isfinite(row).all():
        raise DataError(f"A word and {width} numbers are expected; check the file.", file=path, record=number)
    return parts[0], row


def _binary(stream: BinaryIO, path: Path) -> Iterator[WordAndVector]:
    header = _header(stream.readline(100))
    if not header or not header[1]:
        raise DataError("The first line must be 'words dimensions' in word2vec's binary form.", file=path)
    count, width = header
    buffer, position = b"", 0
    for number in range(1, count + 1):
        while (space := buffer.find(b" ", position)) < 0 or len(buffer) < space + 1 + 4 * width:
            chunk = stream.read(CHUNK)
            if not chunk:
                raise DataError(f"The file is cut off; it announces {count}.", file=path, record=number)
            buffer, position = buffer[position:] + chunk, 0
        word = buffer[position:space].decode("utf-8", "replace").lstrip("\n")
        row = np.frombuffer(buffer, "<f4", width, space + 1).astype(np.float32)
        if not np.isfinite(row).all():
            raise DataError("A vector has values that are not finite.", file=path, record=number)
        yield word, row
        position = space + 1 + 4 * width
