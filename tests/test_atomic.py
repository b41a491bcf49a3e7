"""Writing all or nothing: files and folders, failures, what may not be replaced, what killed runs leave."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sector.atomic import replacing, write_text
from sector.errors import ConfigError


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


def test_a_folder_stays_where_the_new_one_cannot_be_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "model"
    target.mkdir()
    (target / "old").touch()
    move = Path.replace

    def refuse(self: Path, to: Path) -> Path:
        if to == target and self.name.endswith(".part"):
            raise OSError(5, "Input/output error")
        return move(self, to)

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="Input/output"), replacing(target) as draft:
        draft.mkdir()
        (draft / "new").touch()
    assert [file.name for file in target.iterdir()] == ["old"]
    assert list(tmp_path.iterdir()) == [target]


def test_a_file_never_takes_the_place_of_a_folder(tmp_path: Path) -> None:
    target = tmp_path / "notes"
    target.mkdir()
    (target / "kept").touch()
    with pytest.raises(OSError, match="notes"), replacing(target) as draft:
        draft.write_text("text")
    assert (target / "kept").exists()
    assert list(tmp_path.iterdir()) == [target]


def test_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    code = (
        "import os, pathlib, sys\n"
        "from sector.atomic import replacing\n"
        f"with replacing(pathlib.Path({str(tmp_path / 'a.txt')!r})) as draft:\n"
        "    draft.write_text('half')\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    assert len(list(tmp_path.iterdir())) == 1
    write_text(tmp_path / "b.txt", "whole")
    assert [path.name for path in tmp_path.iterdir()] == ["b.txt"]


def test_a_folder_comes_back_where_a_process_was_killed_between_the_moves(tmp_path: Path) -> None:
    target = tmp_path / "model"
    target.mkdir()
    (target / "kept").touch()
    code = (
        "import os, pathlib\n"
        "from sector.atomic import replacing\n"
        f"with replacing(pathlib.Path({str(target)!r})) as draft:\n"
        "    draft.mkdir()\n"
        "    moves = []\n"
        "    move = pathlib.Path.replace\n"
        "    def stop(self, to):\n"
        "        if moves: os.kill(os.getpid(), 9)\n"
        "        moves.append(move(self, to))\n"
        "    pathlib.Path.replace = stop\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    assert not target.exists()
    write_text(tmp_path / "b.txt", "")
    assert {path.name for path in tmp_path.rglob("*")} == {"model", "kept", "b.txt"}


def test_drafts_of_processes_that_run_stay(tmp_path: Path) -> None:
    with replacing(tmp_path / "a.txt") as draft:
        draft.write_text("a")
        with replacing(tmp_path / "b.txt") as other:
            other.write_text("b")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a.txt": "a", "b.txt": "b"}


def test_the_longest_names_of_files_can_be_written(tmp_path: Path) -> None:
    target = tmp_path / ("ä" * 125 + ".txt")
    write_text(target, "text")
    assert target.read_text() == "text"


def test_texts_are_utf_8_with_the_same_line_ends_everywhere(tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "ä\nb\ud800")
    assert (tmp_path / "a.txt").read_bytes() == "ä\nb?".encode()


@pytest.mark.parametrize("target", ["", ".", "/", ".."])
def test_what_has_no_name(target: str) -> None:
    with pytest.raises(ConfigError, match="name a file or a folder"), replacing(Path(target)):
        pass


def test_what_is_no_file_is_never_replaced(tmp_path: Path) -> None:
    """Root may put a file in the place of /dev/null, and then nothing on the machine works."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "null").symlink_to("/dev/null")
    (tmp_path / "file").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    for name, kind in (("pipe", "a named pipe"), ("null", "a device")):
        with pytest.raises(ConfigError, match=kind), replacing(tmp_path / name):
            pass
    for stream in ("/dev/stdout", "/dev/fd/1"):
        with pytest.raises(ConfigError, match="a stream"), replacing(Path(stream)):
            pass
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").read_text() == "new"
    assert (tmp_path / "null").is_symlink()
