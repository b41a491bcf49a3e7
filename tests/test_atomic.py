"""Writing all or nothing: files and folders, failures, and what may not be replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

from sector.atomic import replacing


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")
    with pytest.raises(ValueError, match="stop"), replacing(target) as draft:
        draft.write_text("half")
        raise ValueError("stop")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_folder_takes_the_place_of_a_folder(tmp_path: Path) -> None:
    target = tmp_path / "model"
    target.mkdir()
    (target / "old").touch()
    with replacing(target) as draft:
        draft.mkdir()
        (draft / "new").touch()
    assert [file.name for file in target.iterdir()] == ["new"]
    assert list(tmp_path.iterdir()) == [target]


def test_a_file_never_takes_the_place_of_a_folder(tmp_path: Path) -> None:
    target = tmp_path / "notes"
    target.mkdir()
    (target / "kept").touch()
    with pytest.raises(OSError, match="notes"), replacing(target) as draft:
        draft.write_text("text")
    assert (target / "kept").exists()
    assert list(tmp_path.iterdir()) == [target]
