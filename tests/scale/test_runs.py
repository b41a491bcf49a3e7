"""Runs over corpora: the same results as `sector segment`, each document once, whatever ends a run."""

from __future__ import annotations

import errno
import json
import os
import platform
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from corpora import ENDS, RAISES, WordTask, dead, lines, records, written

from sector import atomic
from sector.errors import ConfigError
from sector.scale import CorpusRun, LocalParts, PartEngine, RunSummary
from sector.scale.ledger import Ledger
from sector.scale.parts import CorpusPart
from sector.scale.storage import Storage
from sector.scale.totals import PartResult
from sector.scale.worker import PartJob
from small_disk import small_disk

COUNT = 60


def run(corpus: Path | str, output: Path | str, engine: PartEngine | None = None, **options: Any) -> RunSummary:
    task = options.pop("task", WordTask())
    return CorpusRun([str(corpus)], str(output), task, engine or LocalParts(), part_bytes=300, **options).run()


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return lines(tmp_path / "corpus.jsonl", records(COUNT))


ALL = [f"d{i}" for i in range(COUNT)]


@dataclass
class Stopped:
    """An engine that is stopped after some parts, as by Ctrl-C."""

    after: int

    def run(self, job: PartJob, parts: Sequence[CorpusPart]) -> Iterator[PartResult]:
        for number, result in enumerate(LocalParts().run(job, parts)):
            if number == self.after:
                raise KeyboardInterrupt
            yield result


def test_each_document_is_written_once(corpus: Path, tmp_path: Path) -> None:
    summary = run(corpus, tmp_path / "out")
    assert written(tmp_path / "out") == ALL
    assert summary.is_done and (summary.documents, summary.failures) == (COUNT, 0)
    assert summary.parts > 5 and summary.labels["number"] == COUNT
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["state"] == "done" and manifest["files"][0]["done"]
    assert manifest["documents"] == COUNT and manifest["settings"]["task"] == "words"


@pytest.mark.parametrize("workers", [1, 2])
def test_the_workers_change_nothing(corpus: Path, tmp_path: Path, workers: int) -> None:
    run(corpus, tmp_path / "one")
    run(corpus, tmp_path / "out", LocalParts(workers))
    for file in (tmp_path / "one").glob("*-*.jsonl"):
        assert file.read_bytes() == (tmp_path / "out" / file.name).read_bytes()


@pytest.mark.parametrize("seed", range(5))
def test_an_interrupted_run_goes_on(corpus: Path, tmp_path: Path, seed: int) -> None:
    chosen = random.Random(seed)
    (log := tmp_path / "log").mkdir()
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            run(corpus, tmp_path / "out", Stopped(chosen.randrange(2)), task=WordTask(log=str(log)))
    before = len(written(tmp_path / "out"))
    summary = run(corpus, tmp_path / "out", task=WordTask(log=str(log)))
    assert written(tmp_path / "out") == ALL
    assert summary.documents == COUNT and summary.documents_before >= before > 0
    assert len(list(log.iterdir())) == COUNT, "nothing that was done is done again"
    assert run(corpus, tmp_path / "out").documents_before == COUNT


def test_a_part_that_was_written_but_not_marked_is_written_again(corpus: Path, tmp_path: Path) -> None:
    run(corpus, tmp_path / "out")
    markers = sorted((tmp_path / "out" / "_sector" / "done").iterdir())
    markers[0].unlink()
    markers[1].write_text("{")
    assert run(corpus, tmp_path / "out").is_done
    assert written(tmp_path / "out") == ALL


def test_other_settings_and_changed_inputs_are_refused(corpus: Path, tmp_path: Path) -> None:
    run(corpus, tmp_path / "out")
    with pytest.raises(ConfigError, match="begun with encoding = detected, and now it is utf-8"):
        CorpusRun([str(corpus)], str(tmp_path / "out"), WordTask(), LocalParts(), encoding="utf-8").run()
    lines(corpus, records(COUNT + 1))
    with pytest.raises(ConfigError, match="was changed after this run was begun"):
        run(corpus, tmp_path / "out")
    assert run(corpus, tmp_path / "out", overwrite=True).documents == COUNT + 1
    assert written(tmp_path / "out") == [*ALL, f"d{COUNT}"]


def test_new_inputs_are_added(corpus: Path, tmp_path: Path) -> None:
    run(corpus, tmp_path / "out")
    more = lines(tmp_path / "more.jsonl", [{"id": "new", "text": "Words."}])
    summary = CorpusRun([str(corpus), str(more)], str(tmp_path / "out"), WordTask(), LocalParts()).run()
    assert (summary.documents, summary.documents_before) == (COUNT + 1, COUNT)
    assert sorted(written(tmp_path / "out")) == sorted([*ALL, "new"])


def test_a_document_that_raises_stops_no_other(tmp_path: Path) -> None:
    corpus = lines(tmp_path / "corpus.jsonl", records(COUNT, {3: RAISES, 40: RAISES}))
    with corpus.open("ab") as file:
        file.write(b'{"id": "x"}\nnot json\n')
    summary = run(corpus, tmp_path / "out")
    assert written(tmp_path / "out") == [name for name in ALL if name not in ("d3", "d40")]
    found = dead(tmp_path / "out")
    assert found["d3"] == found["d40"] == "ValueError: no such luck"
    assert summary.failures == len(found) == 4 and summary.is_done
    assert any("'text' is missing" in reason for reason in found.values())


def test_dead_letters_can_be_given_again(tmp_path: Path) -> None:
    corpus = lines(tmp_path / "corpus.jsonl", records(COUNT, {3: RAISES}))
    run(corpus, tmp_path / "out")
    again = run(tmp_path / "out" / "failed.jsonl", tmp_path / "again")
    assert (again.documents, again.failures) == (0, 1)


def test_a_document_that_ends_its_process_is_found(tmp_path: Path) -> None:
    corpus = lines(tmp_path / "corpus.jsonl", records(12, {5: ENDS}))
    summary = run(corpus, tmp_path / "out", LocalParts(2))
    assert summary.is_done and summary.documents == 11
    assert sorted(written(tmp_path / "out")) == sorted(f"d{i}" for i in range(12) if i != 5)
    assert "process that read this document was ended" in dead(tmp_path / "out")["d5"]


def test_a_full_disk_leaves_nothing_half_written(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put, room = Storage.put, iter([True] * 3 + [False] * 100)

    def full(self: Storage, name: str, source: Path) -> None:
        if not next(room):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), name)
        put(self, name, source)

    monkeypatch.setattr(Storage, "put", full)
    summary = run(corpus, tmp_path / "out")
    assert not summary.is_done and summary.parts_done == 3
    assert "No space left on device" in summary.problems[0]
    monkeypatch.undo()
    assert run(corpus, tmp_path / "out").is_done
    assert written(tmp_path / "out") == ALL


@pytest.mark.skipif(os.name != "posix", reason="processes are not asked for elsewhere")
def test_what_a_killed_run_left_is_gone(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was ended while it marked one part, and before it forgot the attempts at another."""
    run(corpus, tmp_path / "out")
    marked, other = sorted((tmp_path / "out" / "_sector" / "done").iterdir())[:2]
    expected = {path.name for path in (tmp_path / "out").rglob("*")}
    host = re.sub(r"[^\w-]", "", platform.node())[:40]
    marked.rename(marked.with_name(f".{marked.name}.{host}-999999999-0a0b0c0d.part"))
    (tmp_path / "out" / "_sector" / "attempts" / other.stem).write_text("1")
    monkeypatch.setattr("sector.atomic._sweep", atomic._sweep.__wrapped__)  # as in a new process
    assert run(corpus, tmp_path / "out").is_done
    assert {path.name for path in (tmp_path / "out").rglob("*")} == expected
    assert written(tmp_path / "out") == ALL


def test_a_disk_that_is_really_full(corpus: Path, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "200k") as disk:
        (disk / "filling").write_bytes(b"x" * 130_000)
        summary = run(corpus, disk / "out")
        assert not summary.is_done and "No space left on device" in summary.problems[0]
        assert not list((disk / "out").rglob("*.part"))
        (disk / "filling").unlink()
        assert run(corpus, disk / "out").is_done
        assert written(disk / "out") == ALL


@pytest.mark.parametrize("workers", [1, 2])
def test_a_slow_file_system_that_only_moves_files(corpus: Path, tmp_path: Path, workers: int) -> None:
    summary = run(f"slow://{corpus}", f"slow://{tmp_path}/out", LocalParts(workers))
    assert summary.is_done and written(tmp_path / "out") == ALL
    assert run(f"slow://{corpus}", f"slow://{tmp_path}/out").documents_before == COUNT


def test_errors_that_go_away_are_tried_again(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sector.scale.worker.RETRIES", (0.0, 0.0))
    commit, fails = Ledger.commit, iter([True, True, False, True] + [False] * 100)

    def shaky(self: Ledger, *given: Any) -> None:
        if next(fails):
            raise OSError("connection reset")
        commit(self, *given)

    monkeypatch.setattr(Ledger, "commit", shaky)
    assert run(corpus, tmp_path / "out").is_done
    assert written(tmp_path / "out") == ALL


def test_results_in_memory(corpus: Path) -> None:
    output = "memory://scale-results"
    assert run(corpus, output).is_done
    names = [name for name in Storage(output).names("") if name.endswith(".jsonl")]
    found = [json.loads(line)["id"] for name in sorted(names) for line in Storage(output).read(name).splitlines()]
    assert found == ALL
    assert run("memory://scale-results/*.jsonl", "memory://scale-again").documents == COUNT


def test_an_input_that_vanished_is_named(corpus: Path, tmp_path: Path) -> None:
    more = lines(tmp_path / "more.jsonl", records(3))
    inputs = [str(corpus), str(more)]

    @dataclass
    class Vanishing:
        def run(self, job: PartJob, parts: Sequence[CorpusPart]) -> Iterator[PartResult]:
            more.unlink()
            yield from LocalParts().run(job, parts)

    summary = CorpusRun(inputs, str(tmp_path / "out"), WordTask(), Vanishing(), part_bytes=300).run()
    assert not summary.is_done and "No such file" in summary.problems[0]
    assert written(tmp_path / "out") == ALL


def test_records_that_cannot_be_read_keep_their_ids(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text('{"id": "a", "text": "Words."}\n{"id": "b", "text": 5}\n{"id": 7}\nno JSON\n')
    summary = run(corpus, tmp_path / "out")
    assert (summary.documents, summary.failures) == (1, 3)
    found = dead(tmp_path / "out")
    assert list(found) == ["b", "7", f"{corpus}#63"]
    assert "of type int" in found["b"] and "missing" in found["7"] and "not JSON" in found[f"{corpus}#63"]
