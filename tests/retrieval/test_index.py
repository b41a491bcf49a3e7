"""An index: what is written is found, by words, by meaning and by label; updates replace, and runs continue."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from indexed_texts import CLIMATE, SYMPTOMS, TEXTS, letters

import sector
from sector import Document, Index
from sector.errors import ConfigError, DataError
from sector.reading import read_text
from sector.runtime import Model, load
from tiny import HELD_OUT_LABELS
from tiny_open import make_open


@pytest.fixture(scope="module")
def model(tiny_model: Path) -> Model:
    return load(tiny_model)


@pytest.fixture
def index(tmp_path: Path, model: Model) -> Iterator[Index]:
    with Index(tmp_path / "notes.db", model) as opened:
        opened.add(TEXTS)
        yield opened


def found(index: Index, query: str, **options: object) -> list[str]:
    return [hit.chunk.document_id for hit in index.search(query, **options)]  # type: ignore[arg-type]


def test_sections_are_found_with_all_that_they_have(index: Index, model: Model) -> None:
    best = index.search("aspirin course")[0]
    section = next(s for s in model.segment(TEXTS["clinic"]).sections if "aspirin" in s.text)
    assert (best.chunk.document_id, best.chunk.begin, best.chunk.end) == ("clinic", section.begin, section.end)
    assert (best.chunk.text, best.chunk.label) == (section.text, section.label)
    assert best.chunk.confidence == pytest.approx(section.confidence)
    assert best.ranks == {"bm25": 1}
    begin, end = best.snippet.matches[0]
    assert best.snippet.text[begin:end] in ("aspirin", "course")


def test_words_are_compared_by_their_stems_and_without_stop_words(index: Index) -> None:
    assert found(index, "what is the combination of therapies with insulin")[0] == "clinic"
    assert found(index, "and") and "frost" not in index.search("which fever", limit=1)[0].chunk.text
    assert found(index, "") == found(index, "?!") == found(index, "zebra") == []


@settings(max_examples=50)
@given(query=st.text(max_size=40))
def test_any_query(query: str, tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    with Index(tmp_path_factory.mktemp("any") / "a.db", tiny_model) as opened:
        opened.add({"odd": f"{query} and rest."})
        assert len(opened.search(query, labels=[query])) <= 1


@pytest.mark.parametrize("label", ["treatment", "TREATMENT", "treat*"])
def test_labels(index: Index, label: str) -> None:
    assert {hit.chunk.label for hit in index.search("fever insulin", labels=label)} == {"treatment"}
    assert {hit.chunk.label for hit in index.search("fever insulin", labels=[label, "symptom"])} == {
        "treatment",
        "symptom",
    }
    assert index.search("fever insulin", labels="treat") == index.search("fever", labels="%") == []
    assert set(index.labels()) == set(HELD_OUT_LABELS)


def test_an_update_replaces_and_the_rest_is_not_read_again(index: Index) -> None:
    changed = TEXTS | {"valley": "A zebra lives in the valley. It has stripes.", "new": SYMPTOMS}
    update = index.add(changed)
    assert (update.added, update.replaced, update.unchanged) == (1, 1, 1)
    assert found(index, "zebra") == ["valley"] and found(index, "frost hail snow") == []
    assert index.documents == 3
    assert index.prune(index.add({"new": SYMPTOMS}).seen) == 2
    assert found(index, "fever") == ["new"] and index.labels() == {"symptom": len(index)}
    assert index.remove(["new", "unknown"]) == 1 and len(index) == index.documents == 0


def test_an_interrupted_run_goes_on(tmp_path: Path, model: Model) -> None:
    def documents(end: int) -> Iterator[Document]:
        for number in range(end):
            yield Document(f"Doctors prescribe ointment number {number}.", id=str(number))
        if end < 200:
            raise KeyboardInterrupt

    place = tmp_path / "notes.db"
    with Index(place, model) as opened, pytest.raises(KeyboardInterrupt):
        opened.add(documents(150))
    with Index(place) as opened:
        before = opened.documents
        assert 64 <= before < 150
        update = opened.add(documents(200))
        assert (update.unchanged, update.added, opened.documents) == (before, 200 - before, 200)
    with Index(tmp_path / "whole.db", model) as whole:
        whole.add(documents(200))
        with Index(place) as opened:
            assert [h.to_dict() for h in opened.search("ointment 7")] == [
                h.to_dict() for h in whole.search("ointment 7")
            ]


def test_ids_that_come_twice(tmp_path: Path, model: Model) -> None:
    with Index(tmp_path / "notes.db", model) as opened:
        update = opened.add([Document("One.", id="a"), Document("Two.", id="a")])
        assert update.repeated == ["a"] and found(opened, "one") == ["a"] and found(opened, "two") == []


def test_embeddings_of_a_function(tmp_path: Path, model: Model) -> None:
    place = tmp_path / "notes.db"
    with Index(place, model, embed=letters) as opened:
        opened.add(TEXTS)
        hit = opened.search("average morning of the month", mode="embedding")[0]
        assert (hit.chunk.document_id, hit.ranks) == ("valley", {"embedding": 1})
        both = opened.search("average frost")[0]
        assert both.ranks == {"bm25": 1, "embedding": 1}
        assert {h.chunk.label for h in opened.search("frost", labels="symptom", mode="embedding")} == {"symptom"}
        opened.add({"valley": "Nothing."})
        assert all(h.chunk.text != CLIMATE for h in opened.search("frost", mode="embedding"))
    with Index(place) as again:
        assert found(again, "insulin") == ["clinic"]
        with pytest.raises(ConfigError, match="give it again as 'embed'"):
            again.add({"c": "Text."})


def test_the_space_of_an_open_model(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    opened = load(make_open(tmp_path / "models"))
    with Index(tmp_path / "notes.db", opened) as index:
        index.add(TEXTS)
    with Index(tmp_path / "notes.db") as index:
        hits = index.search("weather over the year", mode="embedding")
        assert index.has_embeddings and hits[0].chunk.document_id == "valley"
        assert set(index.search("snow")[0].ranks) == {"bm25", "embedding"}


def test_chunks_within_tokens(tmp_path: Path, model: Model) -> None:
    with Index(tmp_path / "notes.db", model, max_tokens=25, tokenizer="words") as index:
        index.add(TEXTS)
        expected = {c.id: c for text in TEXTS for c in _chunks(model, text)}
        hits = index.search("nausea insulin frost", limit=50)
        assert hits and all(replace(hit.chunk, embedding=None) == expected[hit.chunk.id] for hit in hits)


def _chunks(model: Model, name: str) -> list[sector.Chunk]:
    document = replace(read_text(TEXTS[name]), id=name)
    return [replace(c, embedding=None) for c in model.chunk(document, 25, tokenizer=lambda text: len(text.split()))]


def test_files_are_known_by_their_names(tmp_path: Path, model: Model) -> None:
    path = tmp_path / "harbour_rules.md"
    path.write_text("# Mooring\n\nBoats stay for a night.\n", encoding="utf-8")
    with Index(tmp_path / "notes.db", model) as index:
        index.add([sector.read(path)])
        (hit,) = index.search("harbour")
        assert (hit.chunk.title, hit.chunk.heading) == ("harbour rules", "Mooring")


def test_what_a_database_cannot_hold(tmp_path: Path, model: Model) -> None:
    text = "A \ud800 surrogate and a \0 character, then rest."
    with Index(tmp_path / "notes.db", model) as index:
        index.add({"odd \udfff": text})
        (hit,) = index.search("rest")
        assert len(hit.chunk.text) == len(text)
        assert index.add({"odd \udfff": text}).unchanged == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_tokens": 300}, "max_tokens = none, and now it is 300"),
        ({"model": "en_city"}, "and now it is en_city"),
        ({"embed": letters}, "embedding = none, and now it is function"),
        ({"headings": "only"}, "headings = use, and now it is only"),
        ({"tokenizer": "gpt9"}, "There is no tokenizer 'gpt9'"),
    ],
)
def test_another_index(index: Index, tmp_path: Path, options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Index(tmp_path / "notes.db", **options)  # type: ignore[arg-type]
    with Index(tmp_path / "notes.db", overwrite=True) as emptied:
        assert len(emptied) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [({"mode": "best"}, "no mode 'best'"), ({"limit": 0}, "'limit' is 0"), ({"mode": "embedding"}, "no space")],
)
def test_wrong_searches(index: Index, options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        index.search("snow", **options)  # type: ignore[arg-type]


def test_wrong_documents_and_functions(tmp_path: Path, model: Model, index: Index) -> None:
    with pytest.raises(ConfigError, match="need ids"):
        index.add([Document("No id.")])
    with (
        Index(tmp_path / "bad.db", model, embed=lambda texts: np.zeros(3)) as bad,
        pytest.raises(ConfigError, match=r"shape \(3,\) for 1 texts"),
    ):
        bad.add({"a": "Text."})


def test_other_files(tmp_path: Path, model: Model) -> None:
    with pytest.raises(ConfigError, match="There is no index"):
        Index(tmp_path / "none.db", create=False)
    with pytest.raises(ConfigError, match="'max_tokens' is 0"):
        Index(tmp_path / "none.db", model, max_tokens=0)
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "text.db").write_text("This is a text and not a database. " * 100, encoding="utf-8")
    with pytest.raises(DataError, match="no whole index"):
        Index(tmp_path / "text.db")
    foreign = sqlite3.connect(tmp_path / "other.db")
    foreign.execute("CREATE TABLE precious (value)")
    foreign.close()
    with pytest.raises(DataError, match="something else"):
        Index(tmp_path / "other.db", model, overwrite=True)


def test_another_version_of_the_model(index: Index, tmp_path: Path, tiny_model: Path) -> None:
    base = sqlite3.connect(tmp_path / "notes.db")
    base.execute("""UPDATE settings SET value = '"older"' WHERE name = 'fingerprint'""")
    base.commit()
    base.close()
    with Index(tmp_path / "notes.db") as opened:
        assert found(opened, "snow") == ["valley"]
        with pytest.raises(ConfigError, match="another version of the model"):
            opened.add({"c": "Text."})
