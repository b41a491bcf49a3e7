"""Disks that are full or read-only, folders of others: one sentence, exit code 1; the same command goes on later."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command import Call, call, corpus

from small_disk import remount, small_disk

__all__ = ["call"]
Arguments = Callable[[Path, Path, Path], tuple[object, ...]]
VERBS: dict[str, Arguments] = {
    "segment": lambda source, model, out: ("segment", source, "-m", model, "-o", out),
    "chunk": lambda source, model, out: ("chunk", source, "-m", model, "--max-tokens", 40, "-o", out / "chunks.jsonl"),
    "index": lambda source, model, out: ("index", source, "-m", model, "-o", out / "i.db"),
    "convert": lambda source, model, out: ("data", "convert", source, out / "c.json"),
}


def bare(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("verb", VERBS)
def test_a_full_disk(verb: str, call: Call, tiny_model: Path, tmp_path: Path) -> None:
    source = corpus(tmp_path / "c.jsonl", 120)
    with small_disk(tmp_path / "disk", "48k") as disk:
        arguments = VERBS[verb](source, tiny_model, disk)
        answer = call(*arguments)
        assert (answer.code, answer.err.count("error:")) == (1, 1), answer.err
        assert "No space left" in answer.err or "is full" in answer.err
        assert not [name for name in bare(disk) if name.endswith((".part", ".old"))]
        remount(disk, "size=20m")
        assert call(*arguments).code == 0
        if verb != "index":  # an index has the same rows in other places
            (tmp_path / "whole").mkdir()
            assert call(*VERBS[verb](source, tiny_model, tmp_path / "whole")).code == 0
            assert bare(disk) == bare(tmp_path / "whole")


@pytest.mark.parametrize("verb", VERBS)
def test_a_disk_that_is_read_only(verb: str, call: Call, tiny_model: Path, tmp_path: Path) -> None:
    source = corpus(tmp_path / "c.jsonl", 2)
    with small_disk(tmp_path / "disk", "1m") as disk:
        remount(disk, "ro")
        answer = call(*VERBS[verb](source, tiny_model, disk))
        assert (answer.code, answer.err.count("error:"), bare(disk)) == (1, 1, {}), answer.err


OTHERS = """
import os, sys
from sector.cli import main
for user in (0, 65534):
    if user:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    try:
        main()
    except SystemExit as ended:
        print("ended", ended.code, file=sys.stderr)
"""
"""Runs a command as root, so that all is imported, and then as a user who may do nothing."""


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root can become somebody else")
def test_files_and_folders_of_others(tiny_model: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    source = corpus(tmp_path / "c.jsonl", 1)
    command = [sys.executable, "-c", OTHERS, "segment", str(source), "-m", str(tiny_model), "-o", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stderr.splitlines()[-1] == "ended 1", done.stderr
    errors = [line for line in done.stderr.splitlines() if line.startswith("error:")]
    assert len(errors) == 1 and "Permission denied" in errors[0], done.stderr
    assert "Traceback" not in done.stderr
