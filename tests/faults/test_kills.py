"""Runs that are killed at any moment and continued end as one that nobody disturbed."""

from __future__ import annotations

import hashlib
import os
import random
import sys
import tarfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from killing import Work

from dumps import classes, moss, plain
from tiny import write_documents

POINTS = int(os.environ.get("SECTOR_KILLS", "50"))
"""Kills of a campaign, for each kind of work."""
SCALE = """
import sys
from sector.scale import CorpusRun, LocalParts, SegmentTask
corpus, model, out = sys.argv[1:]
CorpusRun([corpus], out, SegmentTask(model), LocalParts(1), part_bytes=3000).run()
"""
TRAINING = """
hidden = 16
embedding = 8
batch = 4
epochs = 3
language = "en"
[encoder_options]
positions = 256
"""
Make = Callable[[Path, Path], Work]


def segmenting(inputs: Path, model: Path) -> Work:
    corpus = write_documents(inputs / "corpus.jsonl", 40)
    return Work(("segment", str(corpus), "-m", str(model), "-o", "OUT"))


def segmenting_with_workers(inputs: Path, model: Path) -> Work:
    corpus = write_documents(inputs / "corpus.jsonl", 100)
    return Work(("segment", str(corpus), "-m", str(model), "-o", "OUT", "--workers", "2"))


def segmenting_files(inputs: Path, model: Path) -> Work:
    for number in range(6):
        write_documents(inputs / f"{number}.txt", 1, seed=number)
    return Work(("segment", str(inputs), "-m", str(model), "-f", "markdown", "-o", "OUT"))


def chunking(inputs: Path, model: Path) -> Work:
    corpus = write_documents(inputs / "corpus.jsonl", 40)
    return Work(("chunk", str(corpus), "-m", str(model), "--max-tokens", "40", "-o", "OUT/chunks.jsonl"))


def indexing(inputs: Path, model: Path) -> Work:
    corpus = write_documents(inputs / "corpus.jsonl", 40)
    return Work(("index", str(corpus), "-m", str(model), "-o", "OUT/i.db"), result="i.db")


def indexing_with_workers(inputs: Path, model: Path) -> Work:
    corpus = write_documents(inputs / "corpus.jsonl", 60)
    return Work(("index", str(corpus), "-m", str(model), "-o", "OUT/i.db", "--workers", "2"))


def building(inputs: Path, model: Path) -> Work:
    dump = plain(inputs / "a.xml", [moss(number) for number in range(1, 40)])
    chosen = classes(inputs, "[select]\nall = true\n[text]\nmin_characters = 100\n")
    arguments = ("wiki", "build", str(dump), "--classes", str(chosen), "--workers", "1", "--output", "OUT")
    return Work(arguments, before="import sector.wikipedia.dump as dump; dump.PIECE = 2500", finished="exists already")


def training(inputs: Path, model: Path) -> Work:
    data = write_documents(inputs / "train.jsonl", 12)
    (inputs / "small.toml").write_text(TRAINING)
    arguments = ("train", str(data), "--config", str(inputs / "small.toml"), "--encoder", "bloom", "-o", "OUT/m")
    return Work(arguments, again=("--resume",), result="m")


def at_scale(inputs: Path, model: Path) -> Work:
    corpus = write_documents(inputs / "corpus.jsonl", 40)
    return Work((str(corpus), str(model), "OUT"), code=SCALE, notes=("_sector/done/", "manifest.json"))


def disturbed(work: Work, folder: Path, number: int, pause: float) -> None:
    """Kill it, and once more while it is continued; then let it end."""
    code, _, err = work.run(folder, number, pause)
    if code != 0:
        assert code == -9, err
        code, _, err = work.run(folder, max(1, number // 2), pause, again=True)
    if code == 1 and work.finished and work.finished in err:
        return
    if code != 0:
        assert code == -9, err
        code, _, err = work.run(folder, again=True)
    assert code == 0, err


def compare(work: Work, tmp_path: Path, points: int, chosen: random.Random) -> None:
    code, touched, err = work.run(tmp_path / "whole")
    assert (code, touched > 1) == (0, True), err
    expected = work.content(tmp_path / "whole")
    assert expected
    for point in range(points):
        number, pause = chosen.randint(2, touched), chosen.choice([0.0, 0.0, 0.01, 0.1])
        folder = tmp_path / f"point{point}"
        disturbed(work, folder, number, pause)
        assert work.content(folder) == expected, f"killed at touch {number} of {touched}, {pause} s later"


RESUMED: list[Make] = [segmenting, indexing, building]
"""What is tried in every run of the tests; the others have tests of their own, beside those of their command."""
ALL: list[Make] = [*RESUMED, segmenting_with_workers, segmenting_files, chunking]
ALL += [indexing_with_workers, training, at_scale]
posix = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")


@posix
@pytest.mark.parametrize("make", RESUMED)
def test_killed_and_continued(make: Make, tiny_model: Path, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    compare(make(tmp_path / "in", tiny_model), tmp_path, 1, random.Random(3))


@posix
@pytest.mark.campaign
@pytest.mark.parametrize("make", ALL)
def test_killed_at_many_points(make: Make, tiny_model: Path, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    compare(make(tmp_path / "in", tiny_model), tmp_path, POINTS, random.Random(7))


@contextmanager
def served(folder: Path) -> Iterator[str]:
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


@posix
@pytest.mark.campaign
def test_downloads_killed_at_many_points(tmp_path: Path) -> None:
    (tmp_path / "in" / "inner").mkdir(parents=True)
    write_documents(tmp_path / "in" / "inner" / "a.jsonl", 3000)
    archive = tmp_path / "in" / "wikisection_dataset_json.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(tmp_path / "in" / "inner", "inner")
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    with served(tmp_path / "in") as address:
        arguments = ("data", "fetch", "wikisection", "--base-url", address, "--sha256", digest, "--output", "OUT")
        compare(Work(arguments), tmp_path, POINTS, random.Random(7))
