"""Running systems: results are kept and continued, a failing system is reported, subsets are scored."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from documents import two_topics

from sector.baselines import Comparison, Material, Task, find, registry, run, usual
from sector.baselines.published import published
from sector.baselines.registry import SystemEntry
from sector.baselines.table import cells, group_table, header, markdown, rows
from sector.document import Document
from sector.errors import ConfigError
from tiny import write_documents

CALLS: list[str] = []


class Counted:
    """Finds one section and counts how often it is asked."""

    name: ClassVar[str] = "counted"
    citation: ClassVar[str] = "us"
    segmentations: ClassVar[tuple[str, ...]] = ("newline", "max")
    labels: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.__dataclass_fields__: dict[str, Any] = {}

    def fit(self, material: Material, task: Task, folder: Path) -> None:
        CALLS.append("fit")

    def segment_all(self, documents: Iterable[str | Document], /, *, segmentation: Any = None) -> Iterator[Document]:
        CALLS.append(segmentation)
        for document in documents:
            assert isinstance(document, Document) and not document.sections
            yield document


class Failing(Counted):
    def fit(self, material: Material, task: Task, folder: Path) -> None:
        raise ValueError("out of\n  order")


@pytest.fixture(autouse=True)
def fakes(monkeypatch: pytest.MonkeyPatch) -> None:
    CALLS.clear()
    made = {"counted": Counted, "failing": Failing}
    for name in made:
        monkeypatch.setitem(registry.SYSTEMS, name, SystemEntry(name, f"{name}>{{T}}", "c99:C99"))
    original = SystemEntry.make

    def make(self: SystemEntry, segmentations: tuple[str, ...] = ()) -> Any:
        return made[self.name]() if self.name in made else original(self, segmentations)

    monkeypatch.setattr(SystemEntry, "make", make)
    monkeypatch.setattr("sector.baselines.runner.options_of", lambda system: {})


def comparison(folder: Path, **others: Any) -> Comparison:
    data = folder / "gold.jsonl"
    if not data.exists():
        write_documents(data, 6)
    given: dict[str, Any] = {"task": Task(language="en"), "material": Material(), "models": folder / "models"}
    return Comparison(data=data, folder=folder / "work", **(given | others))


def test_a_finished_system_is_not_run_again(tmp_path: Path) -> None:
    first = list(run(comparison(tmp_path), ["counted"]))
    assert CALLS == ["fit", "newline", "newline", "max", "max"], "one document comes first, untimed"
    assert list(run(comparison(tmp_path), ["counted"])) == json.loads(json.dumps(first))
    assert len(CALLS) == 5
    list(run(comparison(tmp_path), ["counted"], again=True))
    assert len(CALLS) == 10


@pytest.mark.parametrize("others", [{"limit": 3}, {"protocol": "per-document-k"}, {"task": Task(seed=2)}])
def test_other_conditions_run_anew(tmp_path: Path, others: dict[str, Any]) -> None:
    list(run(comparison(tmp_path), ["counted"]))
    list(run(comparison(tmp_path, **others), ["counted"]))
    assert CALLS.count("fit") == 2


def test_one_failing_system_is_reported_and_tried_again(tmp_path: Path) -> None:
    records = list(run(comparison(tmp_path), ["failing", "counted"]))
    assert records[0]["failure"] == "ValueError: out of order" and not records[0]["rows"]
    assert len(records[1]["rows"]) == 2
    assert "out of order" in " ".join(rows(records)[-1])
    assert next(iter(run(comparison(tmp_path), ["failing"])))["failure"]


def test_a_missing_model_is_no_more_than_a_failing_system(tmp_path: Path) -> None:
    records = list(run(comparison(tmp_path), ["model:nowhere", "counted"]))
    assert "nowhere" in records[0]["failure"] and records[1]["rows"]


def test_a_broken_result_is_made_anew(tmp_path: Path) -> None:
    list(run(comparison(tmp_path), ["counted"]))
    (tmp_path / "work" / "counted.json").write_text("{", encoding="utf-8")
    assert next(iter(run(comparison(tmp_path), ["counted"])))["rows"]


def test_rows_have_all_figures(tmp_path: Path) -> None:
    (record,) = run(comparison(tmp_path, segmentations=("max",)), ["counted"])
    (row,) = record["rows"]
    assert row["segmentation"] == "max" and row["documents"] == 6 and row["seconds"] >= 0
    assert row["pk"] > 0 and row["wd"] > 0 and row["f1"] is None and row["map"] is None
    assert row["documents_per_second"] > 0 and record["title"] == "counted>T"


def test_documents_in_folders_are_scored_by_folder(tmp_path: Path) -> None:
    for name in ("short/1", "short/2", "long/1"):
        place = tmp_path / "refs" / f"{name}.ref"
        place.parent.mkdir(parents=True, exist_ok=True)
        lines = list(two_topics(2 if "long" in name else 1).sentence_texts)
        place.write_text("==========\n" + "\n".join(lines[:6]) + "\n==========\n" + "\n".join(lines[6:]) + "\n")
    shared: dict[str, Any] = {"task": Task(language="en"), "material": Material(), "models": tmp_path / "models"}
    compared = Comparison(data=tmp_path / "refs", folder=tmp_path / "work", **shared)
    (record,) = run(compared, ["c99-known"])
    assert set(record["rows"][0]["groups"]) == {"short", "long"}
    names, found = group_table([record])
    assert names == ["Pk", "segm.", "long", "short"] and len(found[0]) == 4
    assert record["rows"][0]["f1"] is None


def test_the_page_holds_the_command_and_escapes_cells(tmp_path: Path) -> None:
    records = list(run(comparison(tmp_path), ["counted", "failing"]))
    records[1]["failure"] = "a | b"
    page = markdown(records, "sector compare x", "a machine", "2026-11-16")
    assert "```\nsector compare x\n```" in page and "failed: a \\| b" in page
    assert all(
        line.count("|") == page.splitlines()[6].count("|") for line in page.splitlines() if "counted>T |" in line
    )


def test_rows_follow_the_paper() -> None:
    def record(system: str, *segmentations: str) -> dict[str, Any]:
        made = [
            {"segmentation": name, "pk": 1.0, "seconds": 1.0, "documents_per_second": 1.0} for name in segmentations
        ]
        about = {"title": find(system).title_for("topics"), "task": "topics", "data": "en_disease_test"}
        return {"system": system, "failure": "", "fit_seconds": 0.0, "rows": made} | about

    found = rows([record("sec-bloom", "bemd", "newline"), record("pv", "max", "newline"), record("c99", "")])
    assert [line[:2] for line in found] == [
        ["PV>T", "newline"],
        ["SEC>T+bloom", "newline"],
        ["C99", "–"],
        ["PV>T", "max"],
        ["SEC>T+bloom", "bemd"],
    ]
    assert [line[-1] for line in found][:3] == ["35.6 / 31.7 / 47.2", "22.7 / 59.3 / 71.9", "37.4"]
    assert len(header("headings")) == len(found[0]) and "P@1" in header("headings")


def test_published_figures() -> None:
    assert published("topics", "BayesSeg", "", "clinical") == "57.8"
    assert published("topics", "C99", "", "pt_city_test") == ""
    failed = {"title": "TextSeg", "task": "topics", "data": "wiki50", "failure": "x"}
    assert cells(failed, {"segmentation": ""})[-1] == "18.2"


def test_the_registry() -> None:
    assert find("sec-bow").title_for("headings") == "SEC>H+bow"
    assert find("model:models/mine/").title == "sector mine"
    assert "pv" in usual("topics") and "pv" not in usual("headings")
    with pytest.raises(ConfigError, match="choose of"):
        find("c98")


def test_a_model_with_learned_boundaries_has_two_rows_more(tmp_path: Path) -> None:
    system = find("model:en_disease").make()
    assert "joint" not in system.segmentations
    system.fit(Material(), Task("topics"), tmp_path)
    assert system.segmentations == ("newline", "max", "emd", "bemd", "joint", "main")
    chosen = find("model:en_disease").make(("bemd",))
    chosen.fit(Material(), Task("topics"), tmp_path)
    assert chosen.segmentations == ("bemd",)
