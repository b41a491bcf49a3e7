"""Compressed files: recognised by their first bytes, written by their name, damage in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from sector.compression import SUFFIXES, bare_name, open_unpacked, packed
from sector.errors import DataError

CONTENT = bytes(range(256)) * 200


def pack(path: Path) -> Path:
    with path.open("wb") as raw, packed(raw, path.name) as stream:
        stream.write(CONTENT)
    return path


@pytest.mark.parametrize("ending", ["", *SUFFIXES])
def test_what_is_written_is_read_whatever_it_is_called_then(tmp_path: Path, ending: str) -> None:
    path = pack(tmp_path / f"a{ending}").rename(tmp_path / "b")
    with open_unpacked(path) as stream:
        assert stream.read() == CONTENT


@pytest.mark.parametrize("ending", SUFFIXES)
def test_equal_content_gives_equal_bytes(tmp_path: Path, ending: str) -> None:
    first, second = pack(tmp_path / f"a{ending}"), pack(tmp_path / f"b{ending}")
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("ending", SUFFIXES)
@pytest.mark.parametrize("damage", [lambda data: data[:-30], lambda data: data[:20] + b"????????" + data[28:]])
def test_damage_is_a_data_error(tmp_path: Path, ending: str, damage: object) -> None:
    path = pack(tmp_path / f"a{ending}")
    assert callable(damage)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(DataError, match="damaged"), open_unpacked(path) as stream:
        stream.read()


@pytest.mark.parametrize(
    ("name", "bare"), [("a.json.gz", "a.json"), ("a.JSON.XZ", "a.JSON"), ("a.b", "a.b"), ("gz", "gz"), ("a.bz2", "a")]
)
def test_names_without_their_ending(name: str, bare: str) -> None:
    assert bare_name(name) == bare
