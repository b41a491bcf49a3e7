"""Corpora and results on S3, as a server on this machine speaks it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
from corpora import RAISES, WordTask, lines, records

from sector.errors import ConfigError
from sector.scale import CorpusRun, LocalParts
from sector.scale.ledger import Ledger
from sector.scale.storage import Storage

server = pytest.importorskip("moto.server", reason="moto, which serves S3, is not installed")
s3fs = pytest.importorskip("s3fs", reason="s3fs is not installed")
COUNT = 60
ALL = [f"d{i}" for i in range(COUNT)]


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Serve an empty bucket, which is found by the environment, as on a machine of the cloud."""
    running = server.ThreadedMotoServer(port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    known = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_DEFAULT_REGION": "us-east-1"}
    for name, value in (known | {"AWS_ENDPOINT_URL": f"http://{host}:{port}"}).items():
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    name = f"corpora-{token_hex(4)}"  # servers of one process share what they hold
    s3fs.S3FileSystem().mkdir(name)
    yield f"s3://{name}"
    running.stop()
    s3fs.S3FileSystem.clear_instance_cache()


def uploaded(bucket: str, path: Path) -> str:
    Storage(bucket).put(f"in/{path.name}", path)
    return f"{bucket}/in"


def written(output: str) -> list[str]:
    names = sorted(name for name in Storage(output).names("") if name.endswith(".jsonl") and name != "failed.jsonl")
    return [json.loads(line)["id"] for name in names for line in Storage(output).read(name).splitlines()]


@pytest.mark.parametrize("workers", [1, 2])
def test_from_s3_to_s3(bucket: str, tmp_path: Path, workers: int) -> None:
    folder = uploaded(bucket, lines(tmp_path / "corpus.jsonl", records(COUNT, {3: RAISES})))
    run = CorpusRun([folder], f"{bucket}/out", WordTask(), LocalParts(workers), part_bytes=300)
    summary = run.run()
    assert summary.is_done and (summary.documents, summary.failures) == (COUNT - 1, 1) and summary.parts > 5
    assert written(f"{bucket}/out") == [name for name in ALL if name != "d3"]
    (letter,) = Storage(f"{bucket}/out").read("failed.jsonl").splitlines()
    assert json.loads(letter)["place"].startswith(f"{bucket}/in/corpus.jsonl#")
    assert run.run().documents_before == COUNT - 1


def test_an_interrupted_run_goes_on(bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = uploaded(bucket, lines(tmp_path / "corpus.jsonl", records(COUNT)))
    run = CorpusRun([f"{folder}/*.jsonl"], f"{bucket}/out", WordTask(), LocalParts(), part_bytes=300)
    commit, left = Ledger.commit, [3]

    def stopped(self: Ledger, *given: Any) -> None:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        commit(self, *given)

    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "commit", stopped)
        with pytest.raises(KeyboardInterrupt):
            run.run()
    summary = run.run()
    assert summary.is_done and summary.documents_before > 0 and written(f"{bucket}/out") == ALL


def test_parquet_on_s3(bucket: str, tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(arrow.Table.from_pylist(records(COUNT)), tmp_path / "corpus.parquet", row_group_size=16)
    folder = uploaded(bucket, tmp_path / "corpus.parquet")
    summary = CorpusRun([folder], f"{bucket}/out", WordTask(), LocalParts(), part_bytes=300).run()
    assert summary.is_done and written(f"{bucket}/out") == ALL


def test_a_changed_object_is_refused(bucket: str, tmp_path: Path) -> None:
    path = lines(tmp_path / "corpus.jsonl", records(5))
    folder = uploaded(bucket, path)
    CorpusRun([folder], f"{bucket}/out", WordTask(), LocalParts()).run()
    uploaded(bucket, lines(path, records(6)))
    s3fs.S3FileSystem.clear_instance_cache()
    with pytest.raises(ConfigError, match="was changed after this run was begun"):
        CorpusRun([folder], f"{bucket}/out", WordTask(), LocalParts()).run()
    with pytest.raises(ConfigError, match=r"There is no s3://corpora-.*/none"):
        CorpusRun([f"{bucket}/none"], f"{bucket}/out2", WordTask(), LocalParts()).run()
