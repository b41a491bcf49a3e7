"""Storages that cannot be reached: one line that names the address, whatever the package raises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from corpora import WordTask, lines, records
from fsspec import register_implementation
from fsspec.implementations.memory import MemoryFileSystem

from sector.errors import ConfigError
from sector.scale import CorpusRun, LocalParts
from sector.scale.storage import Storage


class RefusedError(Exception):
    """What a package for a storage calls its own."""


class BrokenFileSystem(MemoryFileSystem):  # type: ignore[misc]
    """A storage without credentials, or that lets nobody read."""

    protocol = "broken"
    refuses = "info"

    def info(self, path: str, **options: Any) -> Any:
        if self.refuses == "info":
            raise RefusedError("Unable to locate credentials\nand more")
        return {"name": path, "size": 10, "type": "file"}

    def _open(self, *given: Any, **options: Any) -> Any:
        raise RefusedError("the line was cut")


class NowhereFileSystem(MemoryFileSystem):  # type: ignore[misc]
    """A storage that cannot be begun with."""

    protocol = "unreachable"
    cachable = False

    def __init__(self, *given: Any, **options: Any) -> None:
        raise RefusedError("no route to host")


for system in (BrokenFileSystem, NowhereFileSystem):
    register_implementation(system.protocol, system, clobber=True)


def run(source: str, output: Path | str, workers: int = 1) -> Any:
    return CorpusRun([source], str(output), WordTask(), LocalParts(workers)).run()


def test_what_cannot_be_reached_is_named(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"^broken://a cannot be reached: Unable to locate credentials\.$"):
        run("broken://a", tmp_path / "out")
    with pytest.raises(ConfigError, match=r"^unreachable://a cannot be reached: no route to host\.$"):
        Storage("unreachable://a").exists()


def test_a_part_that_cannot_be_read_is_not_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BrokenFileSystem, "refuses", "open")
    monkeypatch.setattr("sector.scale.worker.RETRIES", (0.0, 0.0))
    summary = run("broken://a.jsonl", tmp_path / "out")
    assert not summary.is_done and "the line was cut" in summary.problems[0]


def test_memory_is_of_one_process(tmp_path: Path) -> None:
    corpus = lines(tmp_path / "corpus.jsonl", records(3))
    with pytest.raises(ConfigError, match="Other processes do not see memory://"):
        run(str(corpus), "memory://shared-results", workers=2)


@pytest.mark.parametrize("address", ["gs://bucket/a", "abfs://box@account/a"])
def test_packages_that_are_missing_are_named(address: str) -> None:
    with pytest.raises(ConfigError, match=f"{address} cannot be reached: (Please i|I)nstall (gcsfs|adlfs)"):
        Storage(address).exists()
