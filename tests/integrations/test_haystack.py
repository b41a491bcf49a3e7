"""The splitter in Haystack's own pipelines: true places, ids, filters, neighbours, YAML and back."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from chunk_samples import ARTICLE, EMPTY, LIMIT, MANUAL, MODEL, REPEATED, TEXTS, check_cover, words

import sector
from sector.errors import ConfigError, DataError, ModelError

pytest.importorskip("haystack", reason="Haystack is not installed")

from haystack import Document, Pipeline
from haystack.components.retrievers import InMemoryBM25Retriever, SentenceWindowRetriever
from haystack.components.writers import DocumentWriter
from haystack.dataclasses import ByteStream
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.document_stores.types import DuplicatePolicy

from sector.integrations.haystack import SectorDocumentSplitter

pytestmark = pytest.mark.usefixtures("offline")


@pytest.fixture
def splitter() -> SectorDocumentSplitter:
    return SectorDocumentSplitter(MODEL, max_tokens=LIMIT)


def parts(splitter: SectorDocumentSplitter, *documents: Document) -> list[Document]:
    found: list[Document] = splitter.run(documents=list(documents))["documents"]
    return found


@pytest.mark.parametrize("text", TEXTS[:-1], ids=range(len(TEXTS) - 1))
def test_places_are_true_and_limits_hold(text: str) -> None:
    found = parts(SectorDocumentSplitter(MODEL, max_tokens=40, tokenizer=words), Document(content=text))
    begins = [part.meta["split_idx_start"] for part in found]
    spans = zip(begins, found, strict=True)
    check_cover(text, [(begin, begin + len(part.content), part.content) for begin, part in spans])
    assert all(words(part.content) <= 40 for part in found)
    assert [part.meta["split_id"] for part in found] == list(range(len(found)))


def test_halves_of_surrogate_pairs(splitter: SectorDocumentSplitter) -> None:
    (part,) = parts(splitter, Document(id="half", content=TEXTS[-1]))
    assert part.content == TEXTS[-1]


def test_parts_have_what_chunks_have(splitter: SectorDocumentSplitter) -> None:
    source = Document(content=MANUAL, meta={"file": "manual.md", "tags": ["x"]})
    found = parts(splitter, source)
    for part, chunk in zip(found, sector.load(MODEL).chunk(MANUAL, LIMIT), strict=True):
        meta = part.meta
        assert (part.content, meta["label"], meta["confidence"]) == (chunk.text, chunk.label, chunk.confidence)
        assert (meta["heading"], meta["breadcrumb"]) == (chunk.heading, chunk.breadcrumb)
        assert (meta["source_id"], meta["file"], meta["page_number"]) == (source.id, "manual.md", 1)
        json.dumps(meta)
    found[0].meta["tags"].append("y")
    assert source.meta == {"file": "manual.md", "tags": ["x"]}


def test_names_are_prefixed() -> None:
    source = Document(content=ARTICLE, meta={"label": "mine"})
    part = parts(SectorDocumentSplitter(MODEL, prefix="sector_"), source)[0]
    assert part.meta["label"] == "mine"
    assert part.meta["sector_label"].startswith("disease.")


def test_pages_are_counted_by_form_feeds(splitter: SectorDocumentSplitter) -> None:
    text = "\f".join(["It rains all day. " * 30] * 3)
    pages = [
        (part.meta["page_number"], part.meta["split_idx_start"]) for part in parts(splitter, Document(content=text))
    ]
    assert {page for page, _ in pages} == {1, 2, 3}
    assert all(page >= text.count("\f", 0, begin) + 1 for page, begin in pages)


def test_ids_stay_the_same_and_differ(splitter: SectorDocumentSplitter) -> None:
    sources = [Document(content=text) for text in (ARTICLE, REPEATED, ARTICLE, *EMPTY)]
    ids = [part.id for part in parts(splitter, *sources)]
    assert len(set(ids)) == len(ids) > 30
    assert [str(UUID(name)) for name in ids] == ids
    assert ids == [part.id for part in parts(splitter, *sources)]


def test_a_store_with_filters_and_neighbours(splitter: SectorDocumentSplitter) -> None:
    store = InMemoryDocumentStore()
    pipeline = Pipeline()
    pipeline.add_component("splitter", splitter)
    pipeline.add_component("writer", DocumentWriter(store, policy=DuplicatePolicy.OVERWRITE))
    pipeline.connect("splitter", "writer")
    for _ in range(2):
        pipeline.run({"splitter": {"documents": [Document(content=ARTICLE)]}})
    chunks = sector.load(MODEL).chunk(ARTICLE, LIMIT)
    assert store.count_documents() == len(chunks)
    filters = {"field": "meta.label", "operator": "==", "value": "disease.treatment"}
    found = InMemoryBM25Retriever(store).run(query="drugs", filters=filters)["documents"]
    assert {part.meta["label"] for part in found} == {"disease.treatment"}
    window = SentenceWindowRetriever(store, window_size=1).run(retrieved_documents=found[:1])
    around = [part.meta["split_id"] for part in window["context_documents"]]
    assert found[0].meta["split_id"] in around
    assert len(around) >= 2


def test_pipelines_are_written_and_read(splitter: SectorDocumentSplitter) -> None:
    splitter = SectorDocumentSplitter(
        sector.load(MODEL), max_tokens=77, tokenizer="words", overlap=1, fill=0.5, headings="ignore", prefix="s_"
    )
    pipeline = Pipeline()
    pipeline.add_component("splitter", splitter)
    written = pipeline.dumps()
    again = Pipeline.loads(written)
    assert again.dumps() == written
    given = {"splitter": {"documents": [Document(content=MANUAL)]}}
    assert again.run(given) == pipeline.run(given)


def test_pipelines_are_read_where_nothing_is_imported(splitter: SectorDocumentSplitter, tmp_path: Path) -> None:
    pipeline = Pipeline()
    pipeline.add_component("splitter", splitter)
    (tmp_path / "pipeline.yaml").write_text(pipeline.dumps())
    code = (
        "import sys; from haystack import Pipeline\n"
        "text = open(sys.argv[1]).read()\n"
        "pipeline = Pipeline.loads(text, allowed_modules=['sector.integrations.haystack'])\n"
        "print(pipeline.get_component('splitter').chunker.max_tokens, 'onnxruntime' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "pipeline.yaml")], capture_output=True, text=True, env=os.environ
    )
    assert (done.returncode, done.stdout) == (0, f"{LIMIT} False\n"), done.stderr


def test_labels_are_written() -> None:
    given: Any = {"payment": "rent, deposits", "termination": ""}
    written = SectorDocumentSplitter(labels=given).to_dict()
    assert json.loads(json.dumps(written))["init_parameters"]["labels"] == given
    assert SectorDocumentSplitter.from_dict(written).chunker.labels == given
    assert SectorDocumentSplitter(labels=(name for name in "ab")).to_dict()["init_parameters"]["labels"] == ["a", "b"]


def test_functions_are_written_by_their_name() -> None:
    written = SectorDocumentSplitter(tokenizer=len).to_dict()
    assert SectorDocumentSplitter.from_dict(json.loads(json.dumps(written))).tokenizer is len
    with pytest.raises(ConfigError, match="The tokenizer function cannot be written; give its name"):
        SectorDocumentSplitter(tokenizer=lambda text: len(text)).to_dict()


def test_asynchronously(splitter: SectorDocumentSplitter) -> None:
    splitter.warm_up()
    sources = [Document(content=MANUAL), Document(content="")]
    assert asyncio.run(splitter.run_async(documents=sources)) == splitter.run(documents=sources)


def test_what_cannot_be_split_is_named(splitter: SectorDocumentSplitter) -> None:
    assert parts(splitter) == []
    with pytest.raises(DataError, match="The document a has no text; convert it"):
        parts(splitter, Document(id="a", blob=ByteStream(b"x")))
    with pytest.raises(DataError, match="A Document of Haystack is expected, not str"):
        splitter.run(documents=["text"])
    with pytest.raises(ConfigError, match="'max_tokens' is 0"):
        SectorDocumentSplitter(max_tokens=0)
    with pytest.raises(ModelError, match="There is no model 'nowhere'"):
        SectorDocumentSplitter("nowhere").warm_up()
