"""The node parser in LlamaIndex's own pipelines: true places, relationships, ids, settings that are written."""

from __future__ import annotations

import asyncio
import json
import pickle
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from chunk_samples import ARTICLE, EMPTY, LIMIT, MANUAL, MODEL, REPEATED, TEXTS, check_cover, words

import sector
from sector.errors import ConfigError, ModelError

pytest.importorskip("llama_index.core", reason="LlamaIndex is not installed")

from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.schema import Document, MetadataMode, NodeRelationship, TextNode

from sector.integrations.llama_index import SectorNodeParser

pytestmark = pytest.mark.usefixtures("offline")


def document(text: str, name: str = "one", **metadata: Any) -> Document:
    return Document(text=text, id_=name, metadata=metadata)


@pytest.fixture
def parser() -> SectorNodeParser:
    return SectorNodeParser(model=MODEL, max_tokens=LIMIT)


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_places_are_true(text: str, parser: SectorNodeParser) -> None:
    if "\ud800" in text:
        pytest.skip("LlamaIndex takes no halves of surrogate pairs")
    nodes = parser.get_nodes_from_documents([document(text)])
    check_cover(text, [(node.start_char_idx, node.end_char_idx, node.text) for node in nodes])


def test_places_are_true_where_chunks_overlap() -> None:
    parser = SectorNodeParser(model=MODEL, max_tokens=LIMIT, overlap=2)
    nodes = parser.get_nodes_from_documents([document(REPEATED)])
    chunks = sector.load(MODEL).chunk(REPEATED, LIMIT, overlap=2)
    assert [node.start_char_idx for node in nodes] == [chunk.begin for chunk in chunks]


def test_nodes_have_what_chunks_have(parser: SectorNodeParser) -> None:
    nodes = parser.get_nodes_from_documents([document(MANUAL, file="manual.md", heading="ignored")])
    for node, chunk in zip(nodes, sector.load(MODEL).chunk(MANUAL, LIMIT), strict=True):
        assert (node.text, node.metadata["label"]) == (chunk.text, chunk.label)
        assert (node.metadata["heading"], node.metadata["confidence"]) == (chunk.heading, chunk.confidence)
        assert node.metadata["file"] == "manual.md"
        json.dumps(node.metadata)


def test_embeddings_read_label_and_heading_alone(parser: SectorNodeParser) -> None:
    source = Document(text=MANUAL, metadata={"key": "secret"}, excluded_embed_metadata_keys=["key"])
    node = parser.get_nodes_from_documents([source])[2]
    expected = f"label: {node.metadata['label']}\nheading: {node.metadata['heading']}"
    assert node.get_metadata_str(MetadataMode.EMBED) == expected
    assert node.get_metadata_str(MetadataMode.LLM).startswith("key: secret")


@pytest.mark.parametrize("text", TEXTS[:-1], ids=range(len(TEXTS) - 1))
def test_limits_hold(text: str) -> None:
    parser = SectorNodeParser(model=MODEL, max_tokens=40, tokenizer=words, overlap=1)
    assert all(words(node.text) <= 40 for node in parser.get_nodes_from_documents([document(text)]))


def test_relationships_and_ids(parser: SectorNodeParser) -> None:
    sources = [document(ARTICLE, "a"), document("", "b"), document(REPEATED, "c"), *(document(t) for t in EMPTY)]
    nodes = parser.get_nodes_from_documents(sources)
    ids = [node.node_id for node in nodes]
    assert len(set(ids)) == len(ids)
    assert [str(UUID(name)) for name in ids] == ids
    assert ids == [node.node_id for node in parser(sources)]
    assert [node.ref_doc_id for node in nodes] == sorted(str(node.ref_doc_id) for node in nodes)
    for first, second in pairwise(nodes):
        same = first.ref_doc_id == second.ref_doc_id
        assert (first.next_node.node_id == second.node_id) if same else first.next_node is None
        assert (second.prev_node.node_id == first.node_id) if same else second.prev_node is None
        assert first.metadata.get("next_id") == (second.node_id if same else None)


def test_options_of_every_node_parser() -> None:
    parser = SectorNodeParser(
        model=MODEL, include_metadata=False, include_prev_next_rel=False, id_func=lambda i, doc: f"{doc.node_id}/{i}"
    )
    nodes = parser.get_nodes_from_documents([document(ARTICLE, "a", file="x"), document(MANUAL, "b")])
    assert nodes[0].node_id == "a/0"
    assert "file" not in nodes[0].metadata
    assert {tuple(node.relationships) for node in nodes} == {(NodeRelationship.SOURCE,)}


def test_parts_of_parts_have_the_documents_places() -> None:
    coarse = SectorNodeParser(model=MODEL, max_tokens=400)
    fine = SectorNodeParser(model=MODEL, max_tokens=LIMIT)
    nodes = IngestionPipeline(transformations=[coarse, fine]).run(documents=[document(MANUAL)])
    check_cover(MANUAL, [(node.start_char_idx, node.end_char_idx, node.text) for node in nodes])
    assert {node.ref_doc_id for node in nodes} == {"one"}


def test_nodes_without_a_document(parser: SectorNodeParser) -> None:
    (node,) = parser.get_nodes_from_documents([TextNode(text="One.", id_="t", start_char_idx=7)])
    assert (node.ref_doc_id, node.start_char_idx, node.end_char_idx) == ("t", 0, 4)


def test_asynchronously_and_with_progress(parser: SectorNodeParser) -> None:
    sources = [document(MANUAL), document(ARTICLE, "two")]
    expected = parser.get_nodes_from_documents(sources, show_progress=True)
    assert asyncio.run(parser.acall(sources)) == expected
    pipeline = IngestionPipeline(transformations=[parser])
    assert asyncio.run(pipeline.arun(documents=sources)) == expected


def test_a_pipeline_on_disk_knows_what_it_has_done(parser: SectorNodeParser, tmp_path: Any) -> None:
    pipeline = IngestionPipeline(transformations=[parser])
    expected = pipeline.run(documents=[document(MANUAL)])
    pipeline.persist(str(tmp_path))
    again = IngestionPipeline(transformations=[SectorNodeParser(model=MODEL, max_tokens=LIMIT)])
    again.load(str(tmp_path))
    again.transformations[0]._chunker = None  # whoever computes fails
    assert again.run(documents=[document(MANUAL)]) == expected


def test_settings_are_written_and_read() -> None:
    settings = {"max_tokens": 77, "overlap": 1, "fill": 0.5, "headings": "ignore", "tokenizer": "words"}
    parser = SectorNodeParser(model=sector.load(MODEL), **settings)
    written = json.loads(json.dumps(parser.to_dict()))
    assert written.items() >= {"model": MODEL, "class_name": "SectorNodeParser", **settings}.items()
    again = SectorNodeParser.from_dict(written)
    expected = parser.get_nodes_from_documents([document(MANUAL)])
    assert again.get_nodes_from_documents([document(MANUAL)]) == expected
    assert SectorNodeParser.from_json(parser.to_json()).to_dict() == parser.to_dict()
    assert pickle.loads(pickle.dumps(parser)).get_nodes_from_documents([document(MANUAL)]) == expected


def test_labels_of_the_callers(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    from tiny_open import make_open

    labels = {"illness": "symptoms and signs of a disease", "weather": "rain, snow, wind"}
    parser = SectorNodeParser(model=str(make_open(tmp_path)), max_tokens=30, labels=labels)
    again = SectorNodeParser.from_dict(json.loads(json.dumps(parser.to_dict())))
    for used in (parser, again):
        nodes = used.get_nodes_from_documents([document("Rain and snow fell. " * 9)])
        assert {node.metadata["label"] for node in nodes} == {"weather"}


def test_tokenizers_make_a_difference_in_settings() -> None:
    own, other = SectorNodeParser(tokenizer=words).to_dict(), SectorNodeParser(tokenizer=len).to_dict()
    assert own["tokenizer"] != other["tokenizer"]
    with pytest.raises(ConfigError, match=r"no tokenizer 'chunk_samples\.words'"):
        SectorNodeParser.from_dict(own)
    assert SectorNodeParser.from_dict(own, tokenizer=words).tokenizer is words


def test_wrong_options_are_named() -> None:
    with pytest.raises(ConfigError, match="'max_tokens' is 0"):
        SectorNodeParser(max_tokens=0)
    with pytest.raises(ConfigError, match="'headings' is 'none'"):
        SectorNodeParser(headings="none")
    with pytest.raises(ModelError, match="There is no model 'nowhere'"):
        SectorNodeParser(model="nowhere").get_nodes_from_documents([document("One.")])
