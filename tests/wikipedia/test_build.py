"""A build gives a data set that our readers load, the same bytes however often it was interrupted."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dumps import classes, moss, multistream, page, pages, plain
from sector.datasets import load
from sector.document import Document
from sector.errors import ConfigError, DataError
from sector.scale import RayParts
from sector.scale.on_ray import RayWorker
from sector.wikipedia import dump
from sector.wikipedia.build import Build
from sector.wikipedia.convert import Converter
from sector.wikipedia.dump import Piece

SPLITS = ("train", "validation", "test")


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dump, "PIECE", 2500)
    monkeypatch.setattr(dump, "PACKED_PIECE", 1000)


def job(folder: Path, text: str = "[select]\nall = true\n[text]\nmin_characters = 100\n") -> Build:
    return Build((plain(folder / "a.xml"),), classes(folder, text), "en", folder / "out", workers=1)


def documents(output: Path) -> list[Document]:
    return [document for split in SPLITS for document in load(output / f"en_moss_{split}.json")]


def titles(output: Path) -> list[str]:
    """Return the titles of a set so small that a split may be empty, which our readers refuse."""
    return sorted(
        record["title"] for split in SPLITS for record in json.loads((output / f"en_moss_{split}.json").read_text())
    )


def contents(output: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in output.iterdir()}


def test_a_data_set(tmp_path: Path) -> None:
    report = job(tmp_path).run()
    found = documents(tmp_path / "out")
    assert sorted(document.title for document in found) == sorted(["Fern", *(f"Moss {n}" for n in range(1, 21))])
    assert [len(load(tmp_path / "out" / f"en_moss_{split}.json")) for split in SPLITS] == [15, 2, 4]
    assert all(document.is_covered() for document in found)
    first = next(document for document in found if document.title == "Moss 1")
    assert first.id == "https://en.wikipedia.org/wiki/Moss_1"
    assert (first.language, first.metadata["type"]) == ("en", "moss")
    wanted = {"page": "1", "revision": "1001", "timestamp": "2020-01-01T00:00:00Z", "dump": "a.xml"}
    assert wanted.items() <= first.metadata.items()
    assert [section.heading for section in first.sections] == ["Growth", "Growth | In winter", "Uses"]
    assert (report.total.documents, report.total.sections) == (21, 61)


def test_what_became_of_the_pages(tmp_path: Path) -> None:
    report = job(tmp_path).run()
    assert report.pages == {
        "all": 26,
        "kept": 21,
        "other namespaces": 1,
        "redirects": 1,
        "not selected": 0,
        "disambiguations": 1,
        "stubs": 1,
        "too short or too few sections": 1,
        "broken": 0,
    }
    kept = json.loads((tmp_path / "out" / "en_moss_statistics.json").read_text())
    assert kept["splits"]["all"]["documents"] == 21
    assert kept["heading_rows"][0]["heading"] == "Growth"


def test_sources_and_licence(tmp_path: Path) -> None:
    job(tmp_path).run()
    sources = (tmp_path / "out" / "en_moss_SOURCES.md").read_text()
    for part in ("a.xml", "MediaWiki 1.40", "Attribution-ShareAlike", "all = true", "seed 1"):
        assert part in sources
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(
        [f"en_moss_{split}.json" for split in SPLITS]
        + ["en_moss_SOURCES.md", "en_moss_statistics.json", "en_moss_statistics.md"]
    )


def stopping(after: int) -> Callable[[Converter, Piece], None]:
    left, convert = [after], Converter.convert

    def stop(self: Converter, piece: Piece) -> None:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        convert(self, piece)

    return stop


@pytest.mark.parametrize("shape", [plain, multistream])
def test_an_interrupted_build_goes_on_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: Callable[[Path], Path]
) -> None:
    whole = replace(job(tmp_path), dumps=(shape(tmp_path / "b.bz2"),))
    whole.run()
    parts = replace(whole, output=tmp_path / "parts")
    for after in (2, 1):
        with monkeypatch.context() as patch:
            patch.setattr(Converter, "convert", stopping(after))
            with pytest.raises(KeyboardInterrupt):
                parts.run()
    assert len(list((tmp_path / "parts" / ".work" / "pieces").iterdir())) == 3
    parts.run()
    assert contents(tmp_path / "parts") == contents(tmp_path / "out")


def test_two_workers_give_the_same_bytes(tmp_path: Path) -> None:
    one = job(tmp_path)
    one.run()
    replace(one, output=tmp_path / "two", workers=2).run()
    assert contents(tmp_path / "two") == contents(tmp_path / "out")


def test_several_files_and_pages_that_come_twice(tmp_path: Path) -> None:
    first, second = plain(tmp_path / "1.xml", pages()[:12]), plain(tmp_path / "2.xml", pages()[10:])
    report = replace(job(tmp_path), dumps=(first, second)).run()
    assert report.total.documents == 21
    assert {document.metadata["dump"] for document in documents(tmp_path / "out")} == {"1.xml", "2.xml"}


def test_the_seed_decides_order_and_splits(tmp_path: Path) -> None:
    found = []
    for seed in (1, 1, 2):
        replace(job(tmp_path), seed=seed, force=True).run()
        found.append([document.title for document in documents(tmp_path / "out")])
    assert found[0] == found[1]
    assert found[0] != found[2]
    assert sorted(found[0]) == sorted(found[2])


@pytest.mark.parametrize(
    ("select", "expected"),
    [
        ('titles = ["moss_3", "Fern", "Nowhere"]', ["Fern", "Moss 3"]),
        ('categories = ["^ferns$"]', ["Fern"]),
        ('templates = ["infobox MOSS"]\n[exclude]\ntitles = ["[2-9]"]', ["Moss 1", "Moss 10", "Moss 11"]),
        ('all = true\n[exclude]\ncategories = ["mosses"]', ["Fern"]),
    ],
)
def test_selection(tmp_path: Path, select: str, expected: list[str]) -> None:
    build = job(tmp_path, f"[select]\n{select}\n[text]\nmin_characters = 100\n")
    build = replace(build, dumps=(plain(tmp_path / "a.xml", pages(12)),))
    report = build.run()
    assert titles(tmp_path / "out")[:3] == expected
    if report.titles:
        assert (report.titles, report.titles_found) == (3, 2)


def test_a_truncated_dump_is_built_and_said_to_be_so(tmp_path: Path) -> None:
    build = job(tmp_path)
    path = build.dumps[0]
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.index(b"Moss 9</title>") + 20])
    report = build.run()
    assert report.total.documents == 8
    assert "it is truncated" in report.warnings[0]
    assert "it is truncated" in (tmp_path / "out" / "en_moss_SOURCES.md").read_text()


def test_broken_pages_cost_themselves_alone(tmp_path: Path) -> None:
    broken = page("Lost", 50, "x").replace("<revision>", "<revision><b></a>")
    build = replace(job(tmp_path), dumps=(plain(tmp_path / "a.xml", [moss(1), broken, moss(2)]),))
    report = build.run()
    assert report.total.documents == 2
    assert report.pages["broken"] == 1
    assert "a page is broken and left out" in report.warnings[0]


def test_nothing_selected_is_an_error_with_the_counts(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"No article of 26 pages became a document .*24 not selected"):
        job(tmp_path, '[select]\ntitles = ["Nowhere"]\n').run()


def test_a_finished_build_is_not_replaced_unasked(tmp_path: Path) -> None:
    build = job(tmp_path)
    build.run()
    with pytest.raises(ConfigError, match="exists already"):
        build.run()
    replace(build, force=True).run()


def test_an_unfinished_build_with_other_settings_is_not_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = job(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Converter, "convert", stopping(1))
        with pytest.raises(KeyboardInterrupt):
            build.run()
    classes(tmp_path, '[select]\ncategories = ["x"]\n')
    with pytest.raises(ConfigError, match="unfinished build"):
        build.run()


def test_an_old_german_dump(tmp_path: Path) -> None:
    text = "Ein Moos.\n== Wuchs ==\n[[Bild:a.jpg|Moos]]Es wächst.\n== Weblinks ==\n* x\n[[Kategorie:Moose]]"
    old = [page("Moos", 1, text, ns=None), page("Talk:Moos", 2, text, ns=None)]
    dump_file = plain(tmp_path / "a.xml", old)
    dump_file.write_text(dump_file.read_text().replace("https://en.", "http://de."))
    chosen = classes(tmp_path, '[select]\ncategories = ["^moose$"]\n[text]\nmin_characters = 1\n')
    Build((dump_file,), chosen, "de", tmp_path / "out", workers=1).run()
    (document,) = load(tmp_path / "out" / "de_moss_train.json")
    assert (document.id, document.language) == ("https://de.wikipedia.org/wiki/Moos", "de")
    assert [(section.heading, section.text) for section in document.sections] == [("Wuchs", "Es wächst.\n")]


def test_the_wrong_language(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--language en"):
        replace(job(tmp_path), language="de").run()
    for code in ("", "../en", "English"):
        with pytest.raises(ConfigError, match="code of a Wikipedia"):
            replace(job(tmp_path), language=code).run()


def test_compressed_output(tmp_path: Path) -> None:
    replace(job(tmp_path), compress="xz").run()
    assert len(load(tmp_path / "out" / "en_moss_train.json.xz")) == 15
    with pytest.raises(ConfigError, match="--compress"):
        replace(job(tmp_path), compress="rar").run()


class Reversed(RayParts):
    """A cluster in this process, which ends with the first piece."""

    def __post_init__(self) -> None:
        """Ask for no Ray."""

    def map(self, worker: type[RayWorker], job: Any, items: Sequence[str]) -> Iterator[str]:
        made = worker(job, {})
        return iter([made.work(item) for item in reversed(items)])


@pytest.mark.parametrize("shape", [plain, multistream])
def test_workers_that_read_their_pieces_give_the_same_bytes(tmp_path: Path, shape: Callable[[Path], Path]) -> None:
    whole = replace(job(tmp_path), dumps=(shape(tmp_path / "b.xml"),))
    whole.run()
    replace(whole, output=tmp_path / "ray", ray=Reversed()).run()
    assert contents(tmp_path / "ray") == contents(tmp_path / "out")


def test_a_dump_of_one_stream_is_for_one_machine(tmp_path: Path) -> None:
    packed = tmp_path / "a.xml.gz"
    packed.write_bytes(gzip.compress(plain(tmp_path / "a.xml").read_bytes()))
    with pytest.raises(ConfigError, match=r"packed as one stream.*leave out --engine ray"):
        replace(job(tmp_path), dumps=(packed,), ray=Reversed()).run()
