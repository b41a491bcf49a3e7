"""Texts that every adapter for retrieval is tried with, and what must hold of the chunks in any framework."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

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
