"""What adapters for retrieval share: ids, labels of the caller's, settings."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import pytest
from chunk_samples import ARTICLE, MODEL, words

import sector
from sector.errors import ConfigError
from sector.integrations.chunking import Chunker, Original, known, uuid_of
from sector.integrations.models import name_of

pytestmark = pytest.mark.usefixtures("offline")

GIVEN = {"illness": "symptoms and signs of a disease", "weather": "rain, snow, wind"}


def test_the_same_document_twice_has_different_ids() -> None:
    originals = [Original(ARTICLE, "a"), Original(ARTICLE, "a"), Original(ARTICLE, "b")]
    ids = [[chunk.id for chunk in chunks] for chunks in Chunker(MODEL).chunks(originals)]
    assert len({name for names in ids for name in names}) == 3 * len(ids[0])
    assert ids[0] == [chunk.id for chunk in next(Chunker(MODEL).chunks(originals[:1]))]


def test_titles_are_in_the_breadcrumb() -> None:
    chunk = next(Chunker(MODEL).chunks([Original(ARTICLE, title="Migraine")]))[0]
    assert known(chunk)["breadcrumb"].split(" › ")[0] == "Migraine"
    assert "page" not in known(chunk)


def test_uuids_belong_to_ids() -> None:
    assert uuid_of(None) is None
    assert uuid_of("a-1") == str(UUID(uuid_of("a-1"))) != uuid_of("a-2")


def test_tokenizers_by_name() -> None:
    named, function = Chunker(MODEL, 50, "words"), Chunker(MODEL, 50, words)
    assert list(named.chunks([Original(ARTICLE)])) == list(function.chunks([Original(ARTICLE)]))


def test_labels_of_the_callers(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    from tiny_open import make_open

    folder = make_open(tmp_path)
    chunks = next(Chunker(folder, 30, labels=GIVEN).chunks([Original("Rain and snow fell. " * 9)]))
    assert {chunk.label for chunk in chunks} == {"weather"}
    with pytest.raises(ConfigError, match="labels given to open are not found by its name; give labels"):
        name_of(sector.load(folder).with_labels(GIVEN))
    with pytest.raises(ConfigError, match="Labels of your own need a model of open vocabulary"):
        next(Chunker("de_wiki", labels=GIVEN).chunks([Original("Eins.")]))
