"""Wikitext to sections of nearly plain text, in one pass and in time proportional to its length.

The text is cut at the few signs that open or close something. What is open lies on a stack; when it is
closed, all that was written since is taken back and replaced by the words it stands for. Malformed text
does limited harm: a sign may close only what is weaker than itself (a table's end ends the links in it,
never the reverse), and a heading ends everything. No input raises or takes more than linear time: the
stack has a largest depth, and an end that was once looked for in vain is not looked for again.

`lines.py` then removes what is left of the markup inside lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import IntEnum

from sector.wikipedia import tags
from sector.wikipedia.lines import clean_line, clean_lines
from sector.wikipedia.links import Links, Namespaces
from sector.wikipedia.templates import shown

DEEPEST = 50
"""What is nested deeper is not looked at."""
_TOKEN = re.compile(r"\{\{|\}\}|\[\[|\]\]|\n(?:=|[ \t:]*\{\||[ \t]*\|\}(?!\}(?!\})))|<(?=/?[a-zA-Z])[^<>]*>")
_TAG_NAME = re.compile(r"</?([a-zA-Z]+[1-6]?)")
_EARLY_HEADING = re.compile(r"(={2,6})([^=\n]+)\1(?!=)")
_REFERENCE = re.compile(r"<ref\b|</ref\s*>", re.IGNORECASE)


class _Kind(IntEnum):
    """What can be open; the end of one kind also ends what is weaker."""

    LINK = 0
    TEMPLATE = 1
    TABLE = 2
    HTML_TABLE = 3


@dataclass(frozen=True, slots=True)
class WikiSection:
    """A stretch of text under one heading; the first of an article has none."""

    level: int
    heading: str
    text: str
    """Lines without markup; empty where nothing is left."""


@dataclass(frozen=True, slots=True)
class Wikitext:
    """What was found in a page."""

    sections: tuple[WikiSection, ...]
    categories: tuple[str, ...]
    templates: tuple[str, ...]


def parse(source: str, namespaces: Namespaces | None = None, list_marker: str = "- ") -> Wikitext:
    """Read a page's wikitext."""
    scanner = _Scanner("\n" + tags.without_comments(source), Links(namespaces or Namespaces()))
    scanner.run()
    sections = [
        WikiSection(level, _plain_heading(heading, scanner.links), clean_lines(text, list_marker))
        for level, heading, text in scanner.sections
    ]
    return Wikitext(tuple(sections), tuple(scanner.links.categories), tuple(scanner.templates))


def _plain_heading(heading: str, links: Links) -> str:
    """Return a heading as one line of plain text; its parts are later joined by `` | ``, which it must not have."""
    if any(sign in heading for sign in "[{<"):
        scanner = _Scanner(heading, Links(links.namespaces))
        scanner.run()
        heading = " ".join(text for _, _, text in scanner.sections)
    return clean_line(heading).replace("|", "/").strip(" :")


def _heading_level(line: str) -> int:
    """Count the signs around a heading, as many as stand on both sides; 0 where the line is no heading."""
    if not line.strip("= \t"):
        return 0
    before, after = len(line) - len(line.lstrip("=")), len(line) - len(line.rstrip("="))
    return min(before, after, 6)


@dataclass(slots=True)
class _Scanner:
    """The state of the one pass."""

    text: str
    links: Links
    templates: list[str] = field(default_factory=list)
    sections: list[tuple[int, str, str]] = field(default_factory=list)
    out: list[str] = field(default_factory=list)
    stack: list[tuple[_Kind, int]] = field(default_factory=list)
    """What is open, and how much was written before it."""
    unclosed: set[str] = field(default_factory=set)
    """Tags whose end was looked for in vain."""
    level: int = 0
    heading: str = ""

    def run(self) -> None:
        """Cut the text into sections."""
        text, at = self.text, 0
        while (found := _TOKEN.search(text, at)) is not None:
            begin, at = found.span()
            self.out.append(text[found.pos : begin])
            at = self._take(found[0], begin, at)
        self.out.append(text[at:])
        self._finish_section()

    def _take(self, token: str, begin: int, end: int) -> int:
        """Handle one token and return the position after it."""
        match token[0]:
            case "{":
                self._open(_Kind.TEMPLATE)
            case "}":
                self._close(_Kind.TEMPLATE)
            case "[":
                self._open(_Kind.LINK)
            case "]":
                self._close(_Kind.LINK)
            case "<":
                return self._take_tag(token, begin, end)
            case _:
                return self._take_line(token, begin, end)
        return end

    def _take_line(self, token: str, begin: int, end: int) -> int:
        self.out.append("\n")
        if token.endswith("="):
            return self._take_heading(begin + 1)
        if token.endswith("{|"):
            self._open(_Kind.TABLE)
        else:
            self._close(_Kind.TABLE)
        return end

    def _take_heading(self, begin: int) -> int:
        end = self.text.find("\n", begin)
        end = len(self.text) if end < 0 else end
        line = self.text[begin:end].rstrip()
        level = _heading_level(line)
        if not level:
            return self._take_early_heading(begin)
        self._begin_section(level, line[level:-level])
        return end

    def _take_early_heading(self, begin: int) -> int:
        """Handle a heading with text behind it in the same line, as old articles have them."""
        found = _EARLY_HEADING.match(self.text, begin)
        if found is None:
            self.out.append("=")
            return begin + 1
        self._begin_section(len(found[1]), found[2])
        return found.end()

    def _begin_section(self, level: int, heading: str) -> None:
        self._finish_section()
        self.level, self.heading = level, heading.strip()

    def _finish_section(self) -> None:
        while self.stack:
            self._abandon()
        self.sections.append((self.level, self.heading, "".join(self.out)))
        self.out.clear()

    def _take_tag(self, token: str, begin: int, end: int) -> int:
        found = _TAG_NAME.match(token)
        name = found[1].lower() if found else ""
        if name == "table":
            return self._take_table(token, end)
        if name in tags.BREAKS:
            self.out.append("\n* " if name in tags.ITEMS and token[1] != "/" else "\n")
            return end
        if token[1] == "/" or token.endswith("/>"):
            known = name in tags.INLINE or name in tags.DROPPED
            return end if known else self._keep_sign(begin)
        return self._take_content(name, begin, end)

    def _take_content(self, name: str, begin: int, end: int) -> int:
        if name == "ref":
            return self._skip_reference(end)
        if name == "nowiki":
            close = self._content_end(name, end)
            self.out.append(tags.literal(self.text[end : close[0]]))
            return close[1]
        if name in tags.DROPPED:
            return self._content_end(name, end)[1]
        return end if name in tags.INLINE else self._keep_sign(begin)

    def _keep_sign(self, begin: int) -> int:
        self.out.append("<")
        return begin + 1

    def _take_table(self, token: str, end: int) -> int:
        if token[1] == "/":
            self._close(_Kind.HTML_TABLE)
        else:
            self._open(_Kind.HTML_TABLE)
        return end

    def _skip_reference(self, end: int) -> int:
        """Skip to the end of a reference or, where another one begins before that, to the end of the line."""
        found = _REFERENCE.search(self.text, end) if "ref" not in self.unclosed else None
        if found is not None and found[0][1] == "/":
            return found.end()
        if found is None:
            self.unclosed.add("ref")
        line_end = self.text.find("\n", end)
        return len(self.text) if line_end < 0 else line_end

    def _content_end(self, name: str, begin: int) -> tuple[int, int]:
        """Return where a tag's content ends and where the text goes on; nothing is enclosed by an unclosed one."""
        found = tags.closing(name).search(self.text, begin) if name not in self.unclosed else None
        if found is None:
            self.unclosed.add(name)
            return begin, begin
        return found.span()

    def _open(self, kind: _Kind) -> None:
        if len(self.stack) < DEEPEST:
            self.stack.append((kind, len(self.out)))

    def _close(self, kind: _Kind) -> None:
        """Replace what was written since the opening; an end without beginning vanishes."""
        if all(each != kind for each, _ in self.stack):
            return
        while self.stack[-1][0] < kind:
            self._abandon()
        if self.stack[-1][0] != kind:
            return
        content = self._take_back(self.stack.pop()[1])
        if kind == _Kind.LINK:
            self.out.append(self.links.shown(content))
        elif kind == _Kind.TEMPLATE:
            name = content.partition("|")[0].strip().replace("_", " ")
            self.templates.append(name)
            self.out.append(shown(name, content))

    def _abandon(self) -> None:
        """Return up on something that was never closed; a template or table is taken to end with its paragraph."""
        kind, length = self.stack.pop()
        if kind != _Kind.LINK:
            rest = self._take_back(length).partition("\n\n")[2]
            self.out.append(f"\n\n{rest}")

    def _take_back(self, length: int) -> str:
        content = "".join(self.out[length:])
        del self.out[length:]
        return content
