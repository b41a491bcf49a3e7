"""Runs on Ray with two nodes, of which some are lost: ``pytest tests/scale -m ray``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from corpora import ENDS, RAISES, WordTask, dead, lines, records, written

from dumps import classes, multistream
from sector.retrieval import Index
from sector.scale import CorpusRun, LocalParts, PartResult, RayParts, RunSummary, SectionBatches, index_run
from sector.wikipedia import dump
from sector.wikipedia.build import Build
from small_disk import small_disk

ray = pytest.importorskip("ray")
pytestmark = pytest.mark.ray
HERE = Path(__file__).parent
COUNT = 120
ALL = [f"d{i}" for i in range(COUNT)]
DRIVER = """
import sys
from corpora import WordTask
from sector.scale import CorpusRun, RayParts
CorpusRun([sys.argv[1]], sys.argv[2], WordTask(0.05), RayParts(2, sys.argv[3]), part_bytes=300).run()
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Start a head without room for work, and two nodes for one worker each."""
    from ray.cluster_utils import Cluster

    paths = [str(HERE), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    for _ in range(2):
        found.add_node(num_cpus=1)
    found.wait_for_nodes()
    ray.init(address=found.address, log_to_driver=False, logging_level="error")
    yield found
    ray.shutdown()
    found.shutdown()


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return lines(tmp_path / "corpus.jsonl", records(COUNT))


def run(
    corpus: Path | str,
    output: Path,
    task: WordTask | None = None,
    tell: Callable[[PartResult, RunSummary], None] | None = None,
) -> RunSummary:
    return CorpusRun([str(corpus)], str(output), task or WordTask(), RayParts(2), part_bytes=300).run(tell)


def once(act: Callable[[], None]) -> Callable[[PartResult, RunSummary], None]:
    """Call a function after the first part."""
    waiting = [act]

    def tell(*_: object) -> None:
        if waiting:
            waiting.pop()()

    return tell


def working(log: Path) -> list[int]:
    """Return the processes that worked last."""
    files = sorted(log.iterdir(), key=lambda file: int(file.name.split("-")[2]))
    return list(dict.fromkeys(int(file.name.split("-")[1]) for file in reversed(files)))


def test_the_results_are_those_of_this_machine(cluster: Any, corpus: Path, tmp_path: Path) -> None:
    summary = run(corpus, tmp_path / "out")
    assert summary.is_done and summary.documents == COUNT
    CorpusRun([str(corpus)], str(tmp_path / "local"), WordTask(), LocalParts(), part_bytes=300).run()
    for file in (tmp_path / "local").glob("*-*.jsonl"):
        assert file.read_bytes() == (tmp_path / "out" / file.name).read_bytes()


def test_a_dump_becomes_the_same_data_set(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dump, "PACKED_PIECE", 1000)
    build = Build((multistream(tmp_path / "a.bz2"),), classes(tmp_path), "en", tmp_path / "local", workers=1)
    build.run()
    replace(build, output=tmp_path / "ray", ray=RayParts(2)).run()
    for file in (tmp_path / "local").iterdir():
        assert file.read_bytes() == (tmp_path / "ray" / file.name).read_bytes()


def test_a_corpus_becomes_an_index(cluster: Any, corpus: Path, tmp_path: Path) -> None:
    with Index(tmp_path / "a.db", "en_city") as index:
        run = index_run(index, [str(corpus)], str(tmp_path / "parts"), RayParts(2))
        assert run.run()[1].added == index.documents == COUNT


def test_a_data_set_of_ray_is_mapped(cluster: Any) -> None:
    rows = ray.data.from_items([{"key": number, "text": f"{number} rooms. It has a harbour."} for number in range(9)])
    options = {"model": "en_city", "errors": "column"}
    pool = ray.data.ActorPoolStrategy(size=1)
    found = rows.map_batches(SectionBatches, fn_constructor_kwargs=options, batch_format="pyarrow", compute=pool)
    assert {row["key"] for row in found.take_all()} == set(range(9))


def test_a_killed_worker_loses_nothing(cluster: Any, corpus: Path, tmp_path: Path) -> None:
    (log := tmp_path / "log").mkdir()
    kill = once(lambda: os.kill(working(log)[0], signal.SIGKILL))
    summary = run(corpus, tmp_path / "out", WordTask(0.02, str(log)), kill)
    assert summary.is_done and written(tmp_path / "out") == ALL
    assert len(working(log)) == 3, "one was killed, and another took its place"


def test_poisoned_documents_are_named(cluster: Any, tmp_path: Path) -> None:
    corpus = lines(tmp_path / "corpus.jsonl", records(40, {7: ENDS, 30: RAISES}))
    summary = run(corpus, tmp_path / "out")
    assert summary.is_done and summary.documents == 38
    assert written(tmp_path / "out") == [f"d{i}" for i in range(40) if i not in (7, 30)]
    assert dead(tmp_path / "out").keys() == {"d7", "d30"}


def test_a_killed_driver_is_continued(cluster: Any, corpus: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", DRIVER, str(corpus), str(tmp_path / "out"), cluster.address]
    driver = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    done = tmp_path / "out" / "_sector" / "done"
    begin = time.monotonic()
    while not (done.is_dir() and len(list(done.glob("[!.]*.json"))) > 1):
        assert driver.poll() is None and time.monotonic() - begin < 120
        time.sleep(0.02)
    driver.kill()
    driver.wait()
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["state"] == "begun"
    summary = run(corpus, tmp_path / "out")
    assert summary.is_done and 0 < summary.documents_before < summary.documents == COUNT
    assert written(tmp_path / "out") == ALL


def test_a_slow_reader_and_a_full_disk_lose_nothing(cluster: Any, corpus: Path, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "400k") as disk:
        (disk / "filling").write_bytes(b"x" * 290_000)
        summary = run(f"slow://{corpus}", disk / "out")
        assert not summary.is_done and "No space left on device" in summary.problems[0]
        (disk / "filling").unlink()
        summary = run(f"slow://{corpus}", disk / "out")
        assert summary.is_done and written(disk / "out") == ALL


def test_a_lost_node_loses_nothing(cluster: Any, corpus: Path, tmp_path: Path) -> None:
    (log := tmp_path / "log").mkdir()

    def lose() -> None:
        node = cluster.worker_nodes.copy().pop()
        os.kill(node.all_processes["raylet"][0].process.pid, signal.SIGKILL)

    summary = run(corpus, tmp_path / "out", WordTask(0.05, str(log)), once(lose))
    assert summary.is_done and written(tmp_path / "out") == ALL
    assert len(working(log)) >= 2
    assert sum(node["Alive"] for node in ray.nodes()) == 2, "the head and one of two nodes"
