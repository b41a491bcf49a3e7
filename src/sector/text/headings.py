"""Headings: their words and parts, which models learn and are measured by, and what forms of one have in common."""

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


def heading_key(phrase: str) -> str:
    """Return what forms of one phrase have in common: letters without case, hyphens and the plural of the last word."""
    text = (
        phrase.casefold().removeprefix("the ").replace("-", " ").replace("’", "'").replace("&", "and").replace(",", "")
    )
    head, _, last = text.rpartition(" ")
    if len(last) > 4 and last.endswith("ies"):
        last = f"{last[:-3]}y"
    elif len(last) > 4 and last.endswith("s") and not last.endswith(("ss", "us", "is", "ics")):
        last = last[:-1]
    return f"{head} {last}".strip()
