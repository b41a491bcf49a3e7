"""Texts that every adapter for retrieval is tried with, and what must hold of the chunks in any framework."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from sector.document import Document
from sector.errors import ConfigError
from sector.runtime import Model
from tiny import HELD_OUT

EXAMPLES = Path(__file__).parents[2] / "examples"
MANUAL = (EXAMPLES / "irrigation-controller.md").read_text(encoding="utf-8")
"""Has headings of three levels, code and a table."""
ARTICLE = (EXAMPLES / "migraine.txt").read_text(encoding="utf-8")
"""Has topics that the model knows, and no headings."""
REPEATED = "It rains.  The valve opens.\n\n" * 60
"""Every text in it is found in sixty places."""
EMPTY = ("", " \n\t ")
ODD = ("One.", "No full stop", "🤒" * 300, "x" * 3000, "a.b.c\n\n\nd?e", "\ud800 half")
TEXTS = (MANUAL, ARTICLE, REPEATED, *EMPTY, *ODD)
COLUMNS = {"name": list("abcd"), "body": [HELD_OUT, "", HELD_OUT, None]}
"""A column of texts and one of their ids."""
MODEL = "en_disease"
LIMIT = 60


def words(text: str) -> int:
    """Count tokens as a tokenizer of the caller's does."""
    return len(text.split()) + text.count("🤒")


def check_cover(text: str, spans: Iterable[tuple[int, int, str]]) -> None:
    """Spans are the text's own, in order; between them is white space alone."""
    position = 0
    for begin, end, content in spans:
        assert position <= begin < end <= len(text)
        assert content == text[begin:end]
        assert not text[position:begin].strip()
        position = end
    assert not text[position:].strip()


def check_rows(rows: Iterable[Mapping[str, Any]], model: Model) -> None:
    """Check the rows of the chunks of ``COLUMNS`` with at most 30 words: those of the model, with ids of their own."""
    kept = list(rows)
    expected = model.chunk(Document(HELD_OUT, id="a"), 30, tokenizer=lambda text: len(text.split()))
    first = [(row["chunk_id"], row["begin"], row["tokens"]) for row in kept if row["name"] == "a"]
    assert first == [(chunk.id, chunk.begin, chunk.tokens) for chunk in expected]
    assert all(row["tokens"] <= 30 and row["body"] == HELD_OUT[row["begin"] : row["end"]] for row in kept)
    assert {row["name"] for row in kept} == {"a", "c"} and len({row["chunk_id"] for row in kept}) == len(kept)


def check_refusals(explode: Callable[..., object], frame: object, model: Model) -> None:
    """Check that a column that is absent and an option that there is not are named."""
    with pytest.raises(ConfigError, match="no column 'number'"):
        explode(frame, "body", id="number", model=model)
    with pytest.raises(ConfigError, match="no option 'max_chars'; the options are: max_tokens"):
        explode(frame, "body", model=model, max_chars=200)
