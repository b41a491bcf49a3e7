"""HTML: blocks by its elements, offsets of the source; navigation and banners are boilerplate."""

from __future__ import annotations

import html as entities
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from sector.reading.html_elements import HEADINGS, OUTSIDE, UNREAD, Element
from sector.reading.html_links import without_link_lists
from sector.reading.html_tokens import Token, attributes, names_heading, tokens
from sector.structure.blocks import Block, Kind, Run
from sector.text.abbreviations import words

SKIPPED = frozenset(("script", "style", "template", "noscript", "svg", "math", "head", "iframe", "object", "select"))
"""Elements whose content is not shown, or is no text."""
BOILERPLATE = frozenset(("nav", "footer", "aside", "form", "button", "dialog", "menu"))
ROLES = frozenset(("navigation", "banner", "contentinfo", "search", "complementary", "dialog", "alertdialog"))
NAMES = re.compile(
    r"(?<![a-z])(?:nav(?:bar|igation|header|footer)?|breadcrumbs?|sidebar|side-?bar|menu|toc|cookies?|consent|gdpr|banner"
    r"|related|share|social|skip-?link|pagination|pager|footer|sphinxsidebar\w*|headerlink|copyright|subscribe"
    r"|newsletter|advert\w*|promo)(?![a-z])"
)
"""In the class or id of an element that holds nothing to read."""
LINKS = re.compile(r"(?<![a-z])(?:headerlink|permalink|skip-?link|breadcrumbs?|share)(?![a-z])")
"""In that of a link or a span: a heading may be a link back to the table of contents."""
PARTS = re.compile(r"[^\W_]+")
MOST_PARTS = 3
"""Words of an id such as ``page-footer``; longer ones are titles: ``handling-of-related-bugs``."""
HOLDERS = frozenset(("div", "section", "ul", "ol", "header", "p", "table", "a", "span"))
"""Elements that are boilerplate if their class says so."""
CODE = frozenset(("pre", "listing", "xmp"))
BLOCKS = (
    words(
        "address article aside blockquote body caption head html title center dd details dialog dir div dl dt "
        "fieldset figcaption figure footer form header hgroup hr html legend li main menu nav ol option p "
        "search section summary table tbody td tfoot th thead tr ul"
    )
    | HEADINGS.keys()
)
VOID = words("area base br col embed hr img input link meta param source track wbr")
REOPENED = {"p": BLOCKS, "li": frozenset(("li",)), "dt": frozenset(("dt", "dd")), "dd": frozenset(("dt", "dd"))}
"""Elements without an end of their own: they end where one of these begins."""
TEXT = re.compile(r"&#?\w{1,32};|[^&\s]+|&|\s+")
LEAST_READ = 0.25
MORE = 3
AHEAD = 20_000
"""Characters of a table that are looked at to tell rows from a page's layout."""
LAYOUT = re.compile(r"<(?:table|h[1-6]|pre|article|main)\b", re.IGNORECASE)
CELL = re.compile(r"<t[dh]\b", re.IGNORECASE)
LONG_CELL = 500
ANCHORS = frozenset(("#", "¶", "§", "🔗", "⚓"))
DEPTH = 2000
"""Open elements that are kept; broken pages open thousands."""


def blocks(source: str, *, is_whole: bool = True) -> tuple[Block, ...]:
    """Return the blocks of a page; names that say boilerplate of nearly all of it are not believed.

    ``is_whole``: it is a document, not one of several pages, which may hold nothing but a table of contents.
    """
    found = tuple(_Page(source).blocks())
    read, rest = (sum(block.end - block.begin for block in found if block.is_prose is prose) for prose in (True, False))
    if found and read < LEAST_READ * rest:
        other = tuple(_Page(source, believed=False).blocks())
        if sum(block.end - block.begin for block in other if block.is_prose) > MORE * read:
            found = other
    return without_link_lists(found, is_whole=is_whole)


def facts(source: str) -> tuple[str, str]:
    """Return the page's title and language, as far as it says them."""
    head = source[: 1 << 16]
    title = re.search(r"<title[^>]{0,200}>([^<]{1,500})", head, re.IGNORECASE)
    language = re.search(r"<html[^>]{0,1000}?\blang\s*=\s*[\"']?([a-zA-Z]{2,3})", head, re.IGNORECASE)
    name = " ".join(entities.unescape(title[1]).split()) if title else ""
    return name, language[1].lower() if language else ""


@dataclass
class _Open:
    """The block that is being read."""

    begin: int
    kind: Kind
    level: int
    depth: int
    """How many elements are open around the one that forbids reading."""
    runs: list[Run] = field(default_factory=list)
    end: int = 0


class _Page:
    """One pass over the tokens of a page."""

    def __init__(self, source: str, *, believed: bool = True) -> None:
        self._source, self._believed = source, believed
        self._stack: list[Element] = []
        self._counts: dict[str, int] = {}
        self._block: _Open | None = None
        self._lead: int | None = None
        """Where the tags begin that open the next block."""

    def blocks(self) -> Iterator[Block]:
        """Return the blocks in order."""
        for token in tokens(self._source):
            if not token.name:
                self._text(token)
            elif token.name != "!":
                closed = self._tag(token)
                if closed is not None:
                    yield closed
        last = self._closed(len(self._source))
        if last is not None:
            yield last

    def _tag(self, token: Token) -> Block | None:
        is_block = token.name in BLOCKS or token.name in CODE
        if is_block:
            self._track(token)
        else:
            self._inline(token)
        if self._block is not None and self._block.kind in UNREAD:
            return None if len(self._stack) > self._block.depth else self._closed(token.end)
        if not is_block:
            return None
        closed = self._closed(token.end if token.closes else token.begin)
        if token.closes or token.name in ("hr", "html", "body"):
            self._lead = None
        elif self._lead is None:
            self._lead = token.begin
        return closed

    def _inline(self, token: Token) -> None:
        if token.name == "br" and self._block is not None:
            self._block.runs.append(Run(token.begin, token.end, "\n"))
        elif token.name not in VOID:
            self._track(token)
            if not token.closes and self._block is None and self._lead is None:
                self._lead = token.begin
        if self._block is not None and token.closes:
            self._block.end = token.end

    def _track(self, token: Token) -> None:
        """Keep account of the open elements."""
        name = token.name
        if token.closes:
            self._close(name)
            return
        if name in VOID or self._source[token.end - 2 : token.end] == "/>":
            return
        for implied, enders in REOPENED.items():
            if name in enders and self._inner.name == implied:
                self._close(implied)
        if len(self._stack) < DEPTH:
            self._stack.append(self._inner.child(name, self._kind(token), len(self._stack)))
            self._counts[name] = self._counts.get(name, 0) + 1

    def _close(self, name: str) -> None:
        if self._counts.get(name):
            while self._stack:
                last = self._stack.pop().name
                self._counts[last] -= 1
                if last == name:
                    return

    def _kind(self, token: Token) -> Kind | None:
        """Return the kind that an element gives to all that is in it."""
        name = token.name
        if name in SKIPPED or name in BOILERPLATE or self._is_named(token):
            return "boilerplate"
        if name in CODE:
            return "code"
        if name == "table":
            return "table" if self._is_data(token) else None
        return {"li": "list_item", "dd": "list_item", "dt": "list_item", "blockquote": "quote"}.get(name)  # type: ignore[return-value]

    def _is_named(self, token: Token) -> bool:
        if not self._believed or token.name not in HOLDERS or token.end - token.begin <= len(token.name) + 2:
            return False
        given = attributes(self._source, token)
        if given.get("role", "") in ROLES or given.get("aria-hidden") == "true" or "hidden" in given:
            return True
        names = LINKS if token.name in ("a", "span") else NAMES
        if names.search(given.get("class", "").lower()):
            return True
        name = given.get("id", "")
        found = names.search(name.lower())
        if found is None or (found.start() and len(PARTS.findall(name)) > MOST_PARTS):
            return False
        return not names_heading(self._source, token, name)

    def _is_data(self, token: Token) -> bool:
        """Whether a table has rows of short cells, and is not there for the page's layout."""
        if attributes(self._source, token).get("role") in ("presentation", "none"):
            return False
        end = self._source.find("</table", token.end, token.end + AHEAD)
        inner = self._source[token.end : end if end >= 0 else token.end + AHEAD]
        return not LAYOUT.search(inner) and len(inner) < LONG_CELL * max(1, len(CELL.findall(inner)))

    def _text(self, token: Token) -> None:
        piece = self._source[token.begin : token.end]
        if piece.isspace() and self._block is None:
            return
        if self._block is None:
            kind, level, depth = self._here()
            lead = self._lead if self._lead is not None else token.begin + len(piece) - len(piece.lstrip())
            self._block = _Open(lead, kind, level, depth)
            self._lead = None
        if self._block.kind in UNREAD:
            self._block.end = token.end
        elif self._inner.unread is None:
            self._read(self._block, token, piece)

    def _read(self, block: _Open, token: Token, piece: str) -> None:
        if not piece.isspace():
            block.end = token.begin + len(piece.rstrip())
        if "&" not in piece and not any(sign in piece for sign in "\n\r\t"):
            block.runs.append(Run(token.begin, token.end))
            return
        for match in TEXT.finditer(piece):
            begin, end = token.begin + match.start(), token.begin + match.end()
            found = match.group()
            if found[0] == "&" and len(found) > 1:
                block.runs.append(Run(begin, end, entities.unescape(found)))
            else:
                block.runs.append(Run(begin, end, " " if found.isspace() else None))

    def _here(self) -> tuple[Kind, int, int]:
        """Return kind and level of what begins now, and the depth of the outermost element that forbids reading."""
        inner = self._inner
        if inner.unread is not None:
            return inner.unread, 0, inner.depth
        if inner.heading:
            return "heading", inner.heading, 0
        return inner.nearest, max(1, inner.items) if inner.nearest != "paragraph" else 0, 0

    @property
    def _inner(self) -> Element:
        return self._stack[-1] if self._stack else OUTSIDE

    def _closed(self, place: int) -> Block | None:
        """End the block that is being read, if any; a table or code ends with its element."""
        block = self._block
        if block is None:
            return None
        self._block = None
        end = place if block.kind in ("table", "code") else max(block.end, block.begin + 1)
        end = min(end, place) if place > block.begin else end
        if block.kind == "heading":
            _drop_anchor(block.runs, self._source)
        runs = None if block.kind in ("code", "table", "boilerplate") else tuple(block.runs)
        return Block(block.begin, end, block.kind, block.level, runs=runs, source=self._source)


def _drop_anchor(runs: list[Run], source: str) -> None:
    """Leave out the sign that links to a heading, behind it."""
    while len(runs) > 1 and not source[runs[-1].begin : runs[-1].end].strip():
        runs.pop()
    last = source[runs[-1].begin : runs[-1].end] if len(runs) > 1 else ""
    if last.strip() in ANCHORS and source[runs[-1].begin - 1] == ">":
        runs.pop()


def shown(source: str) -> str:
    """Return the text of a table or of code without its tags."""
    pieces = []
    for token in tokens(source):
        if not token.name:
            pieces.append(entities.unescape(source[token.begin : token.end]))
        elif token.name in ("td", "th") and not token.closes:
            pieces.append("\t")
        elif token.name in ("tr", "br", "p", "div", "li"):
            pieces.append("\n")
    return re.sub(r"[ \t]*\n\s*\n+", "\n", "".join(pieces)).strip("\n")
