"""HTML cut into tags and texts, each with its place in the source; any input, in linear time.

The parsers at hand do not tell where a text stands in the source to the character, and the standard library's takes
time that grows with the square of some broken pages. What is needed here is less than parsing: which tag begins and
ends where. The rules are those of the HTML standard's tokenizer, as far as they matter for that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

NAME = re.compile(r"/?([a-zA-Z][^\s/>]*)")
STOP = re.compile(r">|=\s*([\"'])")
"""What may end a tag, or begin a value in quotation marks; elsewhere such a mark is a sign like any other."""
HEADING = re.compile(r"<h[1-6]\b[^<>]*>(.{0,1000}?)</h[1-6]", re.DOTALL | re.IGNORECASE)
NEAR = 2000
"""Characters behind a tag in which the heading stands that its element is named after."""
TAG = re.compile(r"<[^<>]*>")
WORD = re.compile(r"[^\W\d_]+")
RAW = ("script", "style", "textarea", "title", "xmp", "noembed", "noframes", "iframe")
"""Elements whose content is no markup."""
ATTRIBUTE = re.compile(r"""([^\s"'>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?""")


class Token(NamedTuple):
    """A tag or a piece of text."""

    begin: int
    end: int
    name: str = ""
    """The element, in lower case; empty for text, ``!`` for comments and declarations."""
    closes: bool = False


def tokens(source: str) -> Iterator[Token]:
    """Return the tokens in order; together they cover the source."""
    place, size = 0, len(source)
    text = 0
    while (begin := source.find("<", place)) >= 0:
        token = _markup(source, begin)
        if token is None:
            place = begin + 1
            continue
        if text < begin:
            yield Token(text, begin)
        yield token
        place = text = token.end
        if token.name in RAW and not token.closes:
            end = _raw_end(source, token)
            if end > place:
                yield Token(place, end, "!" if token.name != "title" else "")
            place = text = end
    if text < size:
        yield Token(text, size)


def _markup(source: str, begin: int) -> Token | None:
    """Return the tag, comment or declaration that begins here; None where a mere sign stands."""
    after = source[begin + 1 : begin + 2]
    if after in ("!", "?"):
        return _declaration(source, begin)
    match = NAME.match(source, begin + 1)
    if match is None:
        return None
    end = _tag_end(source, match.end())
    return Token(begin, end, match[1].lower(), after == "/")


def _declaration(source: str, begin: int) -> Token:
    """Return a comment, or what is taken for one; without an end it takes the rest."""
    if source.startswith("<!--", begin):
        end = source.find("-->", begin + 4)
        return Token(begin, end + 3 if end >= 0 else len(source), "!")
    if source.startswith("<![CDATA[", begin):
        end = source.find("]]>", begin)
        return Token(begin, end + 3 if end >= 0 else len(source), "!")
    end = source.find(">", begin)
    return Token(begin, end + 1 if end >= 0 else len(source), "!")


def _tag_end(source: str, place: int) -> int:
    """Return where a tag ends: at the next > outside of quotation marks; without one at the end."""
    while match := STOP.search(source, place):
        if not match[1]:
            return match.end()
        closing = source.find(match[1], match.end())
        if closing < 0:
            end = source.find(">", match.end())
            return end + 1 if end >= 0 else len(source)
        place = closing + 1
    return len(source)


def _raw_end(source: str, token: Token) -> int:
    match = re.compile(rf"</{token.name}(?=[\s/>])", re.IGNORECASE).search(source, token.end)
    return match.start() if match else len(source)


def attributes(source: str, token: Token) -> dict[str, str]:
    """Return the attributes of a tag, names in lower case."""
    inner = source[token.begin + 1 + len(token.name) : token.end - 1]
    return {name.lower(): value.strip("\"'") for name, value in ATTRIBUTE.findall(inner)}


def names_heading(source: str, token: Token, name: str) -> bool:
    """Whether an id was made of the next heading: ``copyright`` above "3. Copyright"."""
    found = HEADING.search(source, token.end, token.end + NEAR)
    return found is not None and set(WORD.findall(name.lower())) <= set(WORD.findall(TAG.sub(" ", found[1]).lower()))
