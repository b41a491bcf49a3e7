"""Chunks: within the limit, whole sentences, covering the text, with headings, neighbours and stable ids."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sector
from sector.chunks import Chunk
from sector.errors import ConfigError
from sector.reading import read_text
from sector.runtime import Model

FILES = sorted((Path(__file__).parents[2] / "examples").iterdir())
EXAMPLES = [path for path in FILES if path.suffix != ".jsonl"]  # data sets are many documents
MANUAL = """# Pump manual

## Installation

Place the pump on level ground. Connect the inlet to the tank. Tighten both clamps by hand.

```
pump --prime
pump --start
```

## Use

Open the valve before you start the pump. Close it when the tank is empty. Never run it dry.

| lamp | meaning |
| --- | --- |
| green | running |
| red | blocked |
"""


def words(text: str) -> int:
    return len(text.split())


@pytest.fixture(scope="module")
def model() -> Model:
    return sector.load()


def check(chunks: list[Chunk], text: str, limit: int) -> None:
    """Assert what holds for the chunks of any text."""
    covered = np.zeros(len(text), np.bool_)
    for chunk in chunks:
        assert chunk.text == text[chunk.begin : chunk.end]
        assert chunk.tokens <= limit
        covered[chunk.begin : chunk.end] = True
    assert not "".join(character for character, is_in in zip(text, covered, strict=True) if not is_in).strip()
    around = [None, *(chunk.id for chunk in chunks), None]
    assert [chunk.previous_id for chunk in chunks] == around[:-2]
    assert [chunk.next_id for chunk in chunks] == around[2:]
    assert len({chunk.id for chunk in chunks}) == len(chunks)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
@pytest.mark.parametrize(("limit", "overlap"), [(40, 0), (150, 2), (10_000, 1)])
def test_examples(model: Model, path: Path, limit: int, overlap: int) -> None:
    document = sector.read(path)
    chunks = model.chunk(document, limit, tokenizer=words, overlap=overlap)
    check(chunks, document.text, limit)
    assert [words(chunk.text) for chunk in chunks] == [chunk.tokens for chunk in chunks]
    if limit == 10_000:
        assert len(chunks) == 1


@settings(max_examples=60)
@given(st.text(alphabet="aB. \n#|-`>é中\u0301😀\t", max_size=120), st.integers(1, 12), st.integers(0, 2))
def test_any_text(text: str, limit: int, overlap: int) -> None:
    chunks = sector.chunk(text, limit, len, overlap)
    check(chunks, text, limit)


def test_long_text_is_cut_between_sentences_and_well_filled(model: Model) -> None:
    text = " ".join(path.read_text(encoding="utf-8") for path in EXAMPLES if path.suffix == ".txt")
    chunks = model.chunk(text, 100, tokenizer=words)
    assert np.mean([chunk.tokens for chunk in chunks]) >= 80
    begins = set(read_text(text).spans.begin.tolist())
    assert {chunk.begin for chunk in chunks[1:]} <= begins


def test_headings_begin_chunks_and_name_them(model: Model) -> None:
    chunks = model.chunk(read_text(MANUAL), 45, tokenizer=words, fill=0)
    assert [chunk.heading for chunk in chunks] == ["Pump manual | Installation", "Pump manual | Use"]
    assert chunks[1].text.startswith("## Use") and "```" in chunks[0].text
    assert chunks[1].context().startswith("Pump manual › Use\n\n## Use")


def test_code_and_tables_stay_whole_and_headings_are_not_left_behind(model: Model) -> None:
    for limit in range(22, 60):
        for chunk in model.chunk(read_text(MANUAL), limit, tokenizer=words):
            assert chunk.text.count("```") in (0, 2)
            assert ("green" in chunk.text) == ("blocked" in chunk.text)
            assert not chunk.text.strip().splitlines()[-1].startswith("#")


def test_a_chunk_of_several_sections_has_the_heading_of_all(model: Model) -> None:
    (chunk,) = model.chunk(read_text(MANUAL))
    assert chunk.heading == "Pump manual"


def test_a_sentence_that_is_too_long_is_cut_between_words(model: Model) -> None:
    text = "First the rain came. " + "then it rained on and on " * 30 + "until it stopped. Then the sun shone."
    chunks = model.chunk(text, 20, tokenizer=words)
    check(chunks, text, 20)
    assert all(chunk.text.strip().split() == chunk.text.split() for chunk in chunks)
    assert [word for chunk in chunks for word in chunk.text.split()] == text.split()


def test_overlap_repeats_sentences(model: Model) -> None:
    text = " ".join(f"Sentence number {i} is about the weather." for i in range(40))
    chunks = model.chunk(text, 50, tokenizer=words, overlap=2)
    check(chunks, text, 50)
    spans = read_text(text).spans
    for before, chunk in pairwise(chunks):
        assert int(np.sum((spans.begin >= chunk.begin) & (spans.begin < before.end))) == 2


def test_ids_are_stable_and_tell_documents_apart(model: Model) -> None:
    document = read_text(MANUAL)
    ids = [chunk.id for chunk in model.chunk(document, 30)]
    assert ids == [chunk.id for chunk in model.chunk(document, 30)]
    other = sector.Document(MANUAL, id="other", blocks=document.blocks)
    assert not set(ids) & {chunk.id for chunk in model.chunk(other, 30)}


def test_many_are_the_same_as_one_by_one(model: Model) -> None:
    texts = [path.read_text(encoding="utf-8") for path in EXAMPLES[:4]] + ["", " \n"]
    assert list(model.chunk_all(texts, 60, batch_size=3)) == [model.chunk(text, 60) for text in texts]
    assert model.chunk("") == model.chunk(" \n ") == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_tokens": 0}, "'max_tokens' is 0"),
        ({"overlap": -1}, "'overlap' is -1"),
        ({"fill": 2}, "'fill' is 2"),
        ({"tokenizer": "gpt2"}, "The tokenizer is 'gpt2'"),
        ({"tokenizer": lambda text: None}, "The tokenizer returned NoneType"),
        ({"tokenizer": lambda text: 600}, "600 special tokens"),
    ],
)
def test_wrong_options(model: Model, options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        model.chunk("A text.", **options)  # type: ignore[arg-type]
