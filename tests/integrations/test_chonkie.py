"""The chunker in chonkie's own pipelines: true places, limits in its tokenizers, ids, metadata."""

from __future__ import annotations

import asyncio
import json
import pickle
from pathlib import Path
from uuid import UUID

import pytest
from chunk_samples import ARTICLE, EMPTY, EXAMPLES, LIMIT, MANUAL, MODEL, REPEATED, TEXTS, check_cover, words

import sector
from sector.errors import ConfigError, ModelError

pytest.importorskip("chonkie", reason="chonkie is not installed")

from chonkie import OverlapRefinery, Pipeline
from chonkie.tokenizer import AutoTokenizer, WordTokenizer
from chonkie.types import Chunk, Document

from sector.integrations.chonkie import SectorChunker

pytestmark = pytest.mark.usefixtures("offline")


@pytest.fixture
def chunker() -> SectorChunker:
    return SectorChunker(MODEL, chunk_size=LIMIT)


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_places_are_true(text: str, chunker: SectorChunker) -> None:
    found = chunker(text)
    check_cover(text, [(chunk.start_index, chunk.end_index, chunk.text) for chunk in found])


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_limits_hold_in_any_tokenizer(text: str) -> None:
    for tokenizer, count in ((words, words), ("character", len), (WordTokenizer(), lambda t: len(t.split(" ")))):
        for chunk in SectorChunker(MODEL, 200, tokenizer, overlap=1).chunk(text):
            assert chunk.token_count == count(chunk.text) <= 200
    assert all(words(chunk.text) <= 40 for chunk in SectorChunker(MODEL, 40, AutoTokenizer(words)).chunk(text))


def test_chunks_have_what_ours_have(chunker: SectorChunker) -> None:
    for made, chunk in zip(chunker.chunk(MANUAL), sector.load(MODEL).chunk(MANUAL, LIMIT), strict=True):
        metadata = made.metadata
        assert (metadata["label"], metadata["confidence"]) == (chunk.label, chunk.confidence)
        assert (metadata["heading"], made.context, made.token_count) == (chunk.heading, chunk.breadcrumb, chunk.tokens)
        json.dumps(made.to_dict())
        assert Chunk.from_dict(made.to_dict()) == made


def test_ids_stay_the_same_and_differ(chunker: SectorChunker, capsys: pytest.CaptureFixture[str]) -> None:
    texts = [ARTICLE, REPEATED, ARTICLE, *EMPTY]
    found = chunker.chunk_batch(texts)
    ids = [chunk.id for chunks in found for chunk in chunks]
    assert len(set(ids)) == len(ids) > 30
    assert [str(UUID(name)) for name in ids] == ids
    assert chunker(texts, show_progress=False) == found
    assert found[0][0].metadata["next_id"] == found[0][1].id
    assert [len(chunks) for chunks in found[3:]] == [0, 0]
    assert chunker.chunk_batch([]) == []


def test_documents(chunker: SectorChunker) -> None:
    document = chunker.chunk_document(Document(id="a", content=ARTICLE, metadata={"title": "Migraine", "label": "x"}))
    assert document.chunks[0].context.startswith("Migraine")
    assert document.chunks[0].metadata["title"] == "Migraine"
    assert document.chunks[0].metadata["label"].startswith("disease.")
    empty = chunker.chunk_document(Document(content=""))
    assert empty.chunks == []
    made_up = [chunker.chunk_document(Document(content=ARTICLE)).chunks[0].id for _ in range(2)]
    assert made_up[0] == made_up[1] != document.chunks[0].id


def test_chunks_are_divided_again_in_their_places() -> None:
    coarse = SectorChunker(MODEL, chunk_size=400).chunk_document(Document(content=REPEATED + MANUAL))
    fine = SectorChunker(MODEL, chunk_size=LIMIT).chunk_document(coarse)
    check_cover(REPEATED + MANUAL, [(chunk.start_index, chunk.end_index, chunk.text) for chunk in fine.chunks])
    assert len({chunk.id for chunk in fine.chunks}) == len(fine.chunks)


def test_asynchronously(chunker: SectorChunker) -> None:
    document = asyncio.run(chunker.achunk_document(Document(content=MANUAL)))
    assert document.chunks == chunker.chunk(MANUAL) == asyncio.run(chunker.achunk(MANUAL))


def test_a_pipeline_of_files_refined_and_exported(tmp_path: Path) -> None:
    pipeline = Pipeline().fetch_from("file", dir=str(EXAMPLES), ext=[".txt"]).process_with("text")
    pipeline = pipeline.chunk_with("sector", model=MODEL, chunk_size=LIMIT)
    documents = pipeline.export_with("json", file=str(tmp_path / "chunks.jsonl")).run()
    names = {chunk.metadata["filename"] for document in documents for chunk in document.chunks}
    assert names == {path.name for path in EXAMPLES.glob("*.txt")}
    assert len((tmp_path / "chunks.jsonl").read_text().splitlines()) > len(names)
    before = documents[0].chunks[1].text
    refined = OverlapRefinery(tokenizer="word", context_size=3, method="prefix")(documents[0].chunks)
    assert refined[1].text.endswith(before)


def test_a_chunker_is_sent_to_other_processes(chunker: SectorChunker) -> None:
    expected = chunker.chunk(ARTICLE)
    assert pickle.loads(pickle.dumps(chunker)).chunk(ARTICLE) == expected


def test_wrong_options_are_named() -> None:
    with pytest.raises(ConfigError, match="'max_tokens' is 0"):
        SectorChunker(chunk_size=0)
    with pytest.raises(ConfigError, match="no tokenizer 'gpt-5'"):
        SectorChunker(tokenizer="gpt-5")
    with pytest.raises(ModelError, match="There is no model 'nowhere'"):
        SectorChunker("nowhere").chunk("One.")
