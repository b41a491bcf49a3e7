"""What is left to do inside lines: emphasis, external links, entities, list signs, white space."""

from __future__ import annotations

import html
import re

_EXTERNAL = re.compile(
    r"\[(?:(?:https?|ftps?|irc|news|gopher):)?//[^\s\[\]]*+[ \t]*+([^\[\]\n]*+)\]|\[mailto:[^\[\]\n]*+\]"
)
_EMPHASIS = re.compile("'{2,}")
_ENDLESS_ENTITY = re.compile(r"&#[xX]?[0-9a-fA-F]{9,}+;?")
"""No character has so long a number, and Python refuses to read very long ones."""
_SWITCH = re.compile(r"__[A-Z]{3,24}__")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufffc]+")
_SPACES = re.compile("[\x00-\x09\x0b-\x1f \x7f-\x9f\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_HOLLOW = re.compile(r" \([ ,;:/–-]*\)")
_LOOSE_BRACKET = re.compile(r"\([ ,;]+")
_LOOSE = re.compile(r" ([,.)])(?=\s|$)")
_WORD = re.compile(r"\w")
_LIST_SIGNS = "*#:; "


def clean_lines(text: str, list_marker: str) -> str:
    """Return the lines that have words, without markup; items of lists begin with the marker."""
    lines = (_clean(line, list_marker) for line in _inline(text).split("\n"))
    return "\n".join(line for line in lines if line)


def clean_line(text: str) -> str:
    """Return a text as one line without markup."""
    return " ".join(_inline(text).split())


def _inline(text: str) -> str:
    """Remove the markup that begins and ends in one line, and decode entities, once and last."""
    if "//" in text or "mailto:" in text:
        text = _EXTERNAL.sub(lambda found: found[1] or "", text)
    if "''" in text:
        text = _EMPHASIS.sub(_apostrophes, text)
    if "__" in text:
        text = _SWITCH.sub("", text)
    if "&" in text:
        text = html.unescape(_ENDLESS_ENTITY.sub("", text))
    text = text if text.isascii() else _INVISIBLE.sub("", text)
    text = _SPACES.sub(" ", text)
    return _without_holes(text) if "(" in text or " ," in text or " ." in text else text


def _without_holes(text: str) -> str:
    """Close the gaps that removed templates leave around brackets and before punctuation."""
    return _LOOSE.sub(r"\1", _LOOSE_BRACKET.sub("(", _HOLLOW.sub("", text)))


def _apostrophes(found: re.Match[str]) -> str:
    """Two are italic, three bold, five both; what is over is an apostrophe."""
    return "'" * {4: 1}.get(len(found[0]), max(0, len(found[0]) - 5))


def _clean(line: str, list_marker: str) -> str:
    line = line.strip()
    if not line or line[0] == "|" or _WORD.search(line) is None:
        return ""
    if line[0] in "*#:;":
        marker = list_marker if line[0] in "*#" else ""
        return marker + line.lstrip(_LIST_SIGNS)
    return line.lstrip("-").lstrip() if line.startswith("----") else line
