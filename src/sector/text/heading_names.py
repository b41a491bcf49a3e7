"""Headings as names: without numbers, marks and shouting, so that the same heading is written in one way."""

from __future__ import annotations

import re

from sector.text.headings import PATH

NAMED = (
    r"(?i:chapter|section|article|part|appendix|annex|step|lesson|unit|kapitel|abschnitt|artikel|teil|anhang|schritt"
    r"|lektion|capítulo|secção|parte|anexo|chapitre|partie|annexe|§+)"
)
COUNT = r"(?:\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,6}|[A-Z](?:\.\d{1,3})*)"
NUMBER = re.compile(
    rf"(?:{NAMED}\s*{COUNT}(?:[.):]|\s*[-–—]|\s|$)|\(?(?:[A-Z]\.)?\d{{1,3}}(?:\.\d{{1,3}})+[.):]?(?:\s|$)"
    rf"|\(?{COUNT}[.):](?:\s|$)|[IVXLC]{{1,6}}\s+[-–—]\s|[A-Z]\s+[-–—]\s|[A-Z]\.\d{{1,3}}\s"
    rf"|\d{{1,3}}\s+(?=[A-ZÄÖÜÉ]))\s*"
)
"""How a heading begins that has a number: 1.2, Chapter 3:, IV., § 5."""
EDGES = " \t\xa0#*_=~:.,;–—-¶§†"
VERSION = re.compile(r"\bv?\d[\w.+-]*|\b(?:unreleased|version|release|released|build)\b", re.IGNORECASE)
"""What stands in the headings of release notes, and names nothing."""
WORD = re.compile(r"[^\W\d_]{2}")
LONGEST = 120
SHORT = 4
"""Letters of a word in capitals that may be an abbreviation."""


def heading_name(heading: str) -> str:
    """Return a heading without its number; empty for one that names nothing, as a version or a date.

    "2.1 GRANT OF LICENCE:" is "Grant of licence".
    """
    text = " ".join(heading.split()).replace(PATH, " / ")
    numbered = NUMBER.match(text)
    text = (text[numbered.end() :] if numbered else text).strip(EDGES)
    if len(text) > LONGEST or not WORD.search(VERSION.sub("", text)):
        return ""
    return _quiet(text) if text.isupper() else text


def heading_path(path: str) -> tuple[str, ...]:
    """Return the names in a path of headings, from the outermost to the innermost."""
    return tuple(name for part in path.split(PATH) if (name := heading_name(part)))


def _quiet(text: str) -> str:
    """Return a heading in capitals as others are written, unless it is an abbreviation."""
    return text if len(text) <= SHORT else text.capitalize()
