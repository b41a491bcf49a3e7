"""The words of a heading: what a model of headings learns and is measured by."""

from __future__ import annotations

from sector.text.stopwords import stop_words
from sector.text.tokens import tokenize

PATH = " | "
"""Between the parts of a heading that lies below others."""


def heading_words(heading: str, language: str = "") -> list[str]:
    """Return the distinct words without stop words: "Causes | Genetic sequence" → causes, genetic, sequence."""
    ignored = stop_words(language)
    return list(dict.fromkeys(word for word in tokenize(heading) if word not in ignored))


def main_heading(heading: str) -> str:
    """Return the heading of the main section: "Causes | Genetic sequence" → Causes."""
    return heading.partition(PATH)[0].strip()


def heading_phrases(heading: str) -> list[str]:
    """Return the heading alone and, if it lies below others, with them: "History | 1910s" → 1910s; 1910s, History."""
    parts = [" ".join(part.split()) for part in reversed(heading.split(PATH))]
    named = [part for part in parts if part]
    return list(dict.fromkeys([named[0], ", ".join(named)])) if named else []
