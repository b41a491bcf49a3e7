"""Word vectors in the formats of others, whole and broken."""

from __future__ import annotations

import gzip
import struct
from pathlib import Path

import numpy as np
import pytest

from sector.encoders.vector_files import read_vectors
from sector.errors import DataError

LINES = "the 0.5 -1 2e-1\nStraße 1 2 3\n. . . 4 5 6\n"
MATRIX = np.array([[0.5, -1, 0.2], [1, 2, 3], [4, 5, 6]], np.float32)
WORDS = ["the", "Straße", ". . ."]


def binary(words: list[str], newline: bool) -> bytes:
    rows = [f"{w} ".encode() + struct.pack("<3f", *row) for w, row in zip(words, MATRIX.tolist(), strict=True)]
    return b"3 3\n" + (b"\n" if newline else b"").join(rows)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("glove.txt", LINES.encode(), WORDS),
        ("wiki.vec", f"3 3\n{LINES}".encode(), WORDS),
        ("windows.txt", f"3 3\n{LINES}".replace("\n", " \r\n").encode(), WORDS),
        ("news.bin", binary(["the", "Straße", "x"], newline=True), ["the", "Straße", "x"]),
        ("news.bin", binary(["the", "Straße", "x"], newline=False), ["the", "Straße", "x"]),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_formats(tmp_path: Path, name: str, data: bytes, words: list[str], packed: bool) -> None:
    path = tmp_path / (f"{name}.gz" if packed else name)
    path.write_bytes(gzip.compress(data) if packed else data)
    vectors = read_vectors(path)
    assert list(vectors.words) == words
    np.testing.assert_allclose(vectors.matrix, MATRIX)
    assert list(read_vectors(path, limit=2).words) == words[:2]


def test_long_binary_files_are_read_in_chunks(tmp_path: Path) -> None:
    rows = np.random.default_rng(0).normal(size=(3000, 200)).astype("<f4")
    path = tmp_path / "long.bin"
    path.write_bytes(b"3000 200\n" + b"".join(f"w{i} ".encode() + row.tobytes() for i, row in enumerate(rows)))
    vectors = read_vectors(path)
    np.testing.assert_array_equal(vectors.matrix, rows)
    assert vectors.words[-1] == "w2999"


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.txt", b"", "no word vectors"),
        ("a.txt", b"the\n", "record 1"),
        ("a.txt", b"the 1 2\nof 1\n", "record 2: A word and 2 numbers"),
        ("a.txt", b"the 1 2\nof 1 two\n", "record 2"),
        ("a.txt", b"the 1 nan\n", "record 1"),
        ("a.vec", b"3 2\nthe 1 2\n", "3 words are announced, 1 found"),
        ("a.vec", b"1 0\nthe\n", "record 2"),
        ("a.bin", b"", "words dimensions"),
        ("a.bin", b"\xff" * 300, "words dimensions"),
        ("a.bin", binary(["the", "of", "x"], newline=False)[:-2], "cut off"),
        ("a.txt.gz", b"no gzip at all", "numbers are expected"),
        ("a.txt.gz", gzip.compress(LINES.encode() * 999)[:-20], "truncated or damaged"),
    ],
)
def test_broken_files_are_named(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(DataError, match=message) as caught:
        read_vectors(tmp_path / name)
    assert name in str(caught.value)


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.vec"):
        read_vectors(tmp_path / "none.vec")
