"""`sector data`: results on stdout, messages on stderr, one line for an error."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sector.cli import app as command
from sector.datasets import load

File = Callable[[str, str | bytes], Path]

RECORD = {
    "id": "moss",
    "text": "Moss likes soil. It does.\nRain is best.\n",
    "annotations": [
        {"begin": 0, "length": 26, "sectionHeading": "Soil", "sectionLabel": "plant.soil"},
        {"begin": 26, "length": 14, "sectionHeading": "Water", "sectionLabel": "plant.other"},
    ],
}


def run(*arguments: object) -> str:
    result = CliRunner().invoke(command.app, ["data", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def fail(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    """Run the whole command as a shell would, and give its exit code and what it said."""
    monkeypatch.setattr("sys.argv", ["sector", "data", *map(str, arguments)])
    with pytest.raises(SystemExit) as caught:
        command.main()
    captured = capsys.readouterr()
    assert captured.out == ""
    return int(caught.value.code or 0), captured.err


@pytest.fixture
def moss(file: File) -> Path:
    return file("moss.json", json.dumps([RECORD]))


def test_stats_prints_columns_between_tabs(moss: Path) -> None:
    lines = dict(line.split("\t") for line in run("stats", moss).splitlines())
    assert lines[""] == "moss.json"
    assert (lines["documents"], lines["sentences"], lines["sections"]) == ("1", "3", "2")
    assert (lines["topics"], lines["coverage of sections"]) == ("2", "50.0 %")


def test_stats_lists_headings(moss: Path) -> None:
    rows = [line.split("\t") for line in run("stats", moss, "--headings", "1").splitlines()]
    assert ["rank", "heading", "label", "H", "freq"] in rows
    assert rows[-2:] == [["0", "Soil", "plant.soil", "0.00", "1"], ["1", "Water", "plant.other", "0.00", "1"]]


def test_stats_as_json_is_one_object_per_data_set(moss: Path) -> None:
    records = [json.loads(line) for line in run("stats", moss, moss, "--json", "--headings", "1").splitlines()]
    assert [record["data"] for record in records] == [str(moss)]
    assert records[0]["documents"] == 1
    assert records[0]["heading_rows"][0]["heading"] == "Soil"


def test_convert_and_back(moss: Path, tmp_path: Path) -> None:
    assert run("convert", moss, tmp_path / "moss.jsonl.gz") == ""
    run("convert", tmp_path / "moss.jsonl.gz", tmp_path / "again.json")
    assert load(tmp_path / "again.json")[0].sections == load(moss)[0].sections
    run("convert", moss, tmp_path / "wiki", "--to", "wiki727", "--language", "en")
    assert load(tmp_path / "wiki")[0].sentence_texts == ["Moss likes soil.", "It does.", "Rain is best."]


def test_convert_takes_the_levels_of_a_wiki727_folder(file: File, tmp_path: Path) -> None:
    folder = file("wiki/1", "========,2,A.\nOne.\n========,3,B.\nTwo.\n").parent
    for levels, headings in (("2", ["A"]), ("0", ["A", "A | B"])):
        run("convert", folder, tmp_path / "a.jsonl", "--levels", levels, "--force")
        assert [section.heading for section in load(tmp_path / "a.jsonl")[0].sections] == headings


def test_errors_are_one_line(
    moss: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    file: File,
) -> None:
    broken = file("broken.json", '[{"text": "Moss.", "annotations": [{"begin": 0}]}]')
    for arguments, message in [
        (("stats", tmp_path / "nowhere"), "no such file"),
        (
            ("convert", broken, tmp_path / "a.jsonl"),
            "record 1, field 'annotations[0].length': The field is missing.",
        ),
        (("convert", moss, tmp_path / "out"), "does not say the format"),
        (("convert", moss, moss), "exists already"),
        (("convert", moss, tmp_path / "a.jsonl", "--from", "tsv"), "no format 'tsv'"),
        (("fetch", "moss"), "no data set 'moss'"),
    ]:
        code, said = fail(monkeypatch, capsys, *arguments)
        assert code == 1
        assert said.startswith("error: ") and said.count("\n") == 1
        assert message in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.json", "moss.json"]


def test_wrong_usage_is_2(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], moss: Path) -> None:
    assert fail(monkeypatch, capsys, "convert", moss)[0] == 2
    assert fail(monkeypatch, capsys, "stats", moss, "--headings", "-1")[0] == 2


def test_fetch_takes_its_address_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SECTOR_DATA_URL", "no-address")
    code, said = fail(monkeypatch, capsys, "fetch", "choi", "--output", tmp_path)
    assert (code, "no-address/koomri-text-segmentation.tar.gz is not an address" in said) == (1, True)
