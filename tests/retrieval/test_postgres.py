"""The store in PostgreSQL, on a real server: it finds what the file finds, and many may write to it at once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from indexed_texts import CLIMATE, SYMPTOMS, letters
from indexed_texts import TEXTS as FEW

from sector import Document, Index
from sector.errors import ConfigError, DataError, MissingExtraError
from sector.retrieval.postgres import plain_words
from sector.retrieval.postgres_session import without_password
from sector.retrieval.stores import open_store
from sector.runtime import Model, load

TEXTS = FEW | {
    "notes/coast.md": "Café owners at the coast say that winters bring frost. Frost comes in January.",
    "empty": "",
}


@pytest.fixture(scope="module")
def model(tiny_model: Path) -> Model:
    return load(tiny_model)


def numbered(end: int) -> Iterator[Document]:
    for number in range(end):
        yield Document(f"Doctors prescribe ointment number {number}.", id=str(number))


@pytest.mark.parametrize("mode", ["hybrid", "bm25", "embedding"])
def test_it_ranks_as_the_file_does(postgres: str, tmp_path: Path, model: Model, mode: str) -> None:
    with Index(postgres, model, embed=letters) as engine, Index(tmp_path / "notes.db", model, embed=letters) as file:
        assert engine.add(TEXTS) == file.add(TEXTS)
        assert (len(engine), engine.documents, engine.labels()) == (len(file), file.documents, file.labels())
        for query in ("frost", "what is the course of aspirin treatment", "cafe owner's winter", "insulin fever frost"):
            for labels in ((), "symptom", ["clim*", "TREATMENT"]):
                ours, theirs = (index.search(query, labels=labels, mode=mode) for index in (engine, file))
                assert [hit.to_dict() for hit in ours] == [hit.to_dict() for hit in theirs]
        assert engine.search("", mode=mode) == engine.search("frost", labels="%", mode=mode) == []


def test_snippets_show_the_words(postgres: str, model: Model) -> None:
    with Index(postgres, model) as index:
        index.add(TEXTS)
        snippet = index.search("treated with therapies")[0].snippet
        assert {snippet.text[begin:end].casefold()[:6] for begin, end in snippet.matches} & {
            "therap",
            "treatm",
            "treate",
        }
        assert "\n" not in snippet.text and len(snippet.text) < 400


def test_an_update_replaces_and_the_rest_is_not_read_again(postgres: str, model: Model) -> None:
    with Index(postgres, model, embed=letters) as index:
        index.add(TEXTS)
        update = index.add(TEXTS | {"valley": "A zebra lives in the valley.", "new": SYMPTOMS})
        assert (update.added, update.replaced, update.unchanged) == (1, 1, 3)
    with Index(postgres, embed=letters) as index:
        assert [hit.chunk.document_id for hit in index.search("zebra", mode="bm25")] == ["valley"]
        found = index.search("frost hail snow", mode="embedding", limit=50)
        assert all(hit.chunk.text != CLIMATE for hit in found)
        assert index.prune(index.add({"new": SYMPTOMS}).seen) == 4
        assert index.labels() == {"symptom": len(index)}
        assert index.remove(["new", "unknown"]) == 1 and len(index) == index.documents == 0
        assert index.search("fever") == []


def test_an_interrupted_run_goes_on(postgres: str, model: Model) -> None:
    def interrupted() -> Iterator[Document]:
        yield from numbered(150)
        raise KeyboardInterrupt

    with Index(postgres, model) as index, pytest.raises(KeyboardInterrupt):
        index.add(interrupted())
    with Index(postgres) as index:
        before = index.documents
        assert 64 <= before < 150
        assert index.add(numbered(200)).unchanged == before
        assert index.documents == len(index) == 200


def test_several_begin_and_write_at_once(postgres: str, model: Model) -> None:
    """Each writes all documents in another order; every document is there once in the end."""

    def write(turn: int) -> int:
        documents = list(numbered(130))
        with Index(postgres, model, embed=letters) as index:
            return index.add(documents[turn * 30 :] + documents[: turn * 30]).chunks

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(write, range(4))) >= 130
    with Index(postgres, embed=letters) as index:
        assert index.documents == len(index) == 130
        assert len(index.search("ointment", mode="embedding", limit=1000)) == 130
        assert index.add(numbered(130)).unchanged == 130


def test_a_lost_connection_is_made_again(postgres: str, postgres_server: str, model: Model) -> None:
    import psycopg

    with Index(postgres, model) as index, psycopg.connect(postgres_server, autocommit=True) as other:
        index.add(TEXTS)
        other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sector'")
        with pytest.raises(ConfigError, match="cannot be used"):
            index.search("frost")
        assert index.search("frost")


def test_what_a_database_cannot_hold(postgres: str, model: Model) -> None:
    odd, long = "A \ud800 surrogate and a \0 character, then rest.", "id" * 3000
    many = " ".join(f"word{number:x}" for number in range(80_000))
    with Index(postgres, model) as index:
        index.add({"odd \udfff": odd, long: "A quokka.", "many": many})
        assert [len(hit.chunk.text) for hit in index.search("rest")] == [len(odd)]
        assert [hit.chunk.document_id for hit in index.search("quokka")] == [long]
        assert index.search("word9f")[0].chunk.document_id == "many"
        assert index.add({"odd \udfff": odd, long: "A quokka."}).unchanged == 2


def test_vectors_of_another_length(postgres: str, model: Model) -> None:
    with Index(postgres, model, embed=letters) as index:
        index.add(TEXTS)
    with Index(postgres, embed=lambda texts: np.ones((len(texts), 3))) as index:
        with pytest.raises(DataError, match="dimensions"):
            index.add({"new": "A text."})
        assert index.documents == len(TEXTS)


def test_an_index_keeps_how_it_was_made(postgres: str, model: Model) -> None:
    with Index(postgres, model) as index:
        index.add(TEXTS)
    with pytest.raises(ConfigError, match="max_tokens = none, and now it is 300"):
        Index(postgres, max_tokens=300)
    with Index(postgres, model, max_tokens=300, overwrite=True) as emptied:
        assert len(emptied) == emptied.documents == 0


def test_other_places(postgres: str, postgres_server: str, model: Model, tmp_path: Path) -> None:
    import psycopg

    with pytest.raises(ConfigError, match="There is no index"):
        Index(postgres, create=False)
    schema = postgres.rpartition("#")[2]
    with psycopg.connect(postgres_server, autocommit=True) as base:
        base.execute(f"CREATE SCHEMA {schema}")
        base.execute(f"CREATE TABLE {schema}.precious (value text)")
        with pytest.raises(DataError, match="tables of something else"):
            Index(postgres, model, overwrite=True)
        assert base.execute(f"SELECT count(*) FROM {schema}.precious").fetchone() == (0,)
    with pytest.raises(ConfigError, match="cannot be used") as failed:
        Index(f"postgresql://ann:secret@/x?host={tmp_path}", model)
    assert "secret" not in str(failed.value)
    with pytest.raises(ConfigError, match="address that begins with postgresql://"):
        Index("mysql://localhost/x", model)


def test_without_the_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    with pytest.raises(MissingExtraError, match="postgres"):
        open_store("postgresql://localhost/x", create=True)


def test_passwords_are_not_shown() -> None:
    assert without_password("postgresql://ann:a:b@host:1/x#notes") == "postgresql://ann@host:1/x#notes"
    assert without_password("postgresql://host/x?user=a&password=b&c=d") == "postgresql://host/x?user=a&password=…&c=d"
    assert without_password("postgresql://host:5432/x") == "postgresql://host:5432/x"


def test_words_are_compared_without_case_and_marks() -> None:
    assert plain_words(["Ärzte-Café", "docs/search_page.md", "1e5"]) == ("arzte cafe docs search page md 1e5", 7)
