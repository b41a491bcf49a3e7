"""The real files, where they are: every reader on what it was made for."""

from __future__ import annotations

from pathlib import Path

import pytest

from sector.datasets import Wiki727Reader, detect, load, read, write

COUNTS = {
    "wikisection/en_city_test.json.xz": ("wikisection", 160, 1418),
    "wikisection/en_disease_test.json.xz": ("wikisection", 156, 1306),
    "wikisection/pt_disease_test.json.xz": ("wikisection", 109, 841),
    "headings/de_wiki_test.json.xz": ("wikisection", 150, 2833),
    "segmentation/wiki50.tar.xz": ("wiki727", 50, 224),
    "segmentation/choi.tar.xz": ("ref", 920, 9186),
    "segmentation/clinical.tar.xz": ("ref", 227, 909),
    "segmentation/wikicities-sample.tar.xz": ("chen", 2, 21),
}


def real(data_folder: Path, name: str) -> Path:
    path = data_folder / name
    if not path.exists():
        pytest.skip(f"there is no {path}")
    return path


@pytest.mark.parametrize("name", COUNTS)
def test_documents_and_sections_are_as_many_as_published(data_folder: Path, name: str) -> None:
    path = real(data_folder, name)
    documents = load(path)
    assert (detect(path).name, len(documents), sum(len(d.sections) for d in documents)) == COUNTS[name]
    assert len({document.id for document in documents}) == len(documents)


@pytest.mark.parametrize("name", ["wikisection/en_city_test.json.xz", "headings/de_wiki_test.json.xz"])
def test_round_trip_of_a_real_file(data_folder: Path, tmp_path: Path, name: str) -> None:
    path = real(data_folder, name)
    write(read(path), tmp_path / "a.jsonl")
    write(read(tmp_path / "a.jsonl"), tmp_path / "b.json")
    for before, after in zip(read(path), read(tmp_path / "b.json"), strict=True):
        for field in ("text", "id", "title", "language", "sections", "metadata"):
            assert getattr(before, field) == getattr(after, field)


def test_wiki50_with_all_levels(data_folder: Path, tmp_path: Path) -> None:
    reader = Wiki727Reader(levels=0)
    before = load(real(data_folder, "segmentation/wiki50.tar.xz"), reader)
    write(before, tmp_path / "wiki50", "wiki727")
    after = {document.id: document for document in load(tmp_path / "wiki50", reader)}
    assert len(after) == 50
    for document in before:
        written = after[document.id.replace("/", "_")]
        assert len(written) == len(document)
        assert [s.heading for s in written.sections] == [s.heading for s in document.sections]
