"""The text splitter in LangChain's own pipelines: true places, limits, ids, stores."""

from __future__ import annotations

import asyncio
import json
from uuid import UUID

import pytest
from chunk_samples import ARTICLE, EMPTY, LIMIT, MANUAL, MODEL, REPEATED, TEXTS, check_cover, words

import sector
from sector.errors import ConfigError, ModelError

pytest.importorskip("langchain_text_splitters", reason="LangChain's text splitters are not installed")

from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.vectorstores import InMemoryVectorStore

from sector.integrations.langchain import SectorTextSplitter

pytestmark = pytest.mark.usefixtures("offline")


@pytest.fixture
def splitter() -> SectorTextSplitter:
    return SectorTextSplitter(MODEL, max_tokens=LIMIT)


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_start_indices_are_true(text: str, splitter: SectorTextSplitter) -> None:
    found = splitter.create_documents([text])
    places = [(document.metadata["start_index"], document.metadata["end_index"]) for document in found]
    check_cover(text, [(*place, document.page_content) for place, document in zip(places, found, strict=True)])
    assert [document.page_content for document in found] == splitter.split_text(text)


def test_chunks_are_those_of_the_model(splitter: SectorTextSplitter) -> None:
    source = Document(page_content=MANUAL, metadata={"source": "manual.md"})
    expected = sector.load(MODEL).chunk(MANUAL, LIMIT)
    for document, chunk in zip(splitter.split_documents([source]), expected, strict=True):
        metadata = document.metadata
        assert (document.page_content, metadata["label"]) == (chunk.text, chunk.label)
        assert (metadata["heading"], metadata["confidence"]) == (chunk.heading, chunk.confidence)
        assert (metadata["tokens"], metadata["breadcrumb"]) == (chunk.tokens, chunk.breadcrumb)
        assert metadata["source"] == "manual.md"
        json.dumps(metadata)


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_limits_hold_in_tokens_and_in_characters(text: str) -> None:
    for chunk in SectorTextSplitter(MODEL, max_tokens=40, tokenizer=words, overlap=1).split_text(text):
        assert words(chunk) <= 40
    for chunk in SectorTextSplitter(MODEL, chunk_size=200).split_text(text):
        assert len(chunk) <= 200
    for chunk in SectorTextSplitter(MODEL, chunk_size=30, length_function=words).split_text(text):
        assert words(chunk) <= 30


def test_langchains_way_to_name_a_tokenizer(monkeypatch: pytest.MonkeyPatch) -> None:
    tiktoken = pytest.importorskip("tiktoken", reason="tiktoken is not installed")
    ranks = {bytes([byte]): byte for byte in range(256)}
    encoding = tiktoken.Encoding("bytes", pat_str=".", mergeable_ranks=ranks, special_tokens={})
    monkeypatch.setattr(tiktoken, "get_encoding", lambda name: encoding)
    splitter = SectorTextSplitter.from_tiktoken_encoder("bytes", model=MODEL, chunk_size=250, chunk_overlap=0)
    lengths = [len(encoding.encode(chunk)) for chunk in splitter.split_text(ARTICLE)]
    assert 200 < max(lengths) <= 250


def test_documents_keep_what_they_have(splitter: SectorTextSplitter) -> None:
    metadata = {"source": "a.txt", "page": 7, "label": "mine", "tags": ["x"]}
    source = Document(id="a", page_content=ARTICLE, metadata=metadata)
    found = splitter.split_documents([source])
    assert {document.metadata["document_id"] for document in found} == {"a"}
    assert {document.metadata["page"] for document in found} == {7}
    found[0].metadata["tags"].append("y")
    assert source.metadata == metadata == {"source": "a.txt", "page": 7, "label": "mine", "tags": ["x"]}
    prefixed = SectorTextSplitter(MODEL, prefix="sector_").split_documents([source])
    assert {document.metadata["label"] for document in prefixed} == {"mine"}
    assert prefixed[0].metadata["sector_label"].startswith("disease.")


def test_ids_stay_the_same_and_differ(splitter: SectorTextSplitter) -> None:
    sources = [Document(page_content=text, metadata={"source": "one"}) for text in (ARTICLE, REPEATED, ARTICLE, "")]
    found = splitter.split_documents(sources)
    ids = [document.id for document in found]
    assert len(set(ids)) == len(ids) > 30
    assert ids == [str(UUID(name)) for name in ids]
    assert [document.id for document in splitter.split_documents(sources)] == ids
    assert found[0].metadata["next_id"] == ids[1]
    assert "previous_id" not in found[0].metadata


def test_texts_with_metadata(splitter: SectorTextSplitter) -> None:
    found = splitter.create_documents([*EMPTY, "One.", "Two."], [{"n": n} for n in range(4)])
    assert [document.metadata["n"] for document in found] == [2, 3]
    with pytest.raises(ConfigError, match="2 texts and 1 metadatas"):
        splitter.create_documents(["One.", "Two."], [{}])


def test_as_a_transformer_now_and_later(splitter: SectorTextSplitter) -> None:
    sources = [Document(page_content=text) for text in (MANUAL, "", ARTICLE)]
    expected = splitter.split_documents(iter(sources))
    assert splitter.transform_documents(sources) == expected
    assert asyncio.run(splitter.atransform_documents(sources)) == expected


def test_a_store_takes_the_chunks_and_finds_neighbours(splitter: SectorTextSplitter) -> None:
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=16))
    chunks = splitter.create_documents([ARTICLE])
    for _ in range(2):
        store.add_documents(chunks)
    assert len(store.store) == len(chunks)
    first, second = chunks[:2]
    assert store.get_by_ids([first.metadata["next_id"]])[0].page_content == second.page_content
    treated = store.similarity_search("drugs", filter=lambda d: d.metadata["label"] == "disease.treatment")
    assert {document.metadata["label"] for document in treated} == {"disease.treatment"}


def test_wrong_options_are_named() -> None:
    with pytest.raises(ConfigError, match="chunk_overlap' is 20, but chunks repeat whole sentences: give overlap=1"):
        SectorTextSplitter(chunk_size=100, chunk_overlap=20)
    with pytest.raises(ConfigError, match="'max_tokens' is 0"):
        SectorTextSplitter(max_tokens=0)
    with pytest.raises(ConfigError, match="'headings' is 'none'"):
        SectorTextSplitter(headings="none")
    with pytest.raises(ModelError, match="There is no model 'nowhere'"):
        SectorTextSplitter("nowhere").split_text("One.")
