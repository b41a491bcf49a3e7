"""What other parsers say of a file: the titles of its headings, and where its code and tables stand."""

from __future__ import annotations

import email
import email.policy
import io
import mailbox
import re
import zipfile
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

Span = tuple[int, int]
TOP = {f"h{level}" for level in range(1, 7)}
FRONT_MATTER = re.compile(r"---\n.*?\n---\n", re.DOTALL)
HTML_CODE = re.compile(r"<pre\b.*?</pre\s*>", re.DOTALL | re.IGNORECASE)
PARSERS = {
    "md": "markdown-it-py",
    "rst": "docutils",
    "html": "lxml",
    "epub": "lxml",
    "docx": "python-docx",
    "odt": "lxml",
    "pdf": "the file's bookmarks",
    "man": "the macros SH and SS",
    "eml": "email",
}
"""Which parser tells the headings of a format; those not named here have none to ask."""


def titles(format: str, path: Path) -> list[str] | None:
    """Return the titles of a file's headings as another parser finds them; None where there is none to ask."""
    return [" ".join(title.split()) for title in TITLES[format](path)] if format in TITLES else None


def units(format: str, text: str) -> list[Span]:
    """Return where another parser, or the marks alone, see code and tables in a text."""
    if format == "md":
        return list(_markdown_units(text))
    return [match.span() for match in HTML_CODE.finditer(text)] if format == "html" else []


def _markdown(path: Path) -> Iterator[str]:
    tokens = _parsed(path.read_text(encoding="utf-8"))
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            inner = tokens[number + 1].children or []
            yield "".join(child.content for child in inner if child.type in ("text", "code_inline"))


def _markdown_units(text: str) -> Iterator[Span]:
    begins = [0, *(match.end() for match in re.finditer(r"\n", text)), len(text)]
    for token in _parsed(text):
        if token.type in ("fence", "code_block", "table_open") and token.map:
            begin, end = begins[token.map[0]], begins[token.map[1]]
            yield end - len(text[begin:end].lstrip()), end


def _parsed(text: str) -> Any:
    front = FRONT_MATTER.match(text)
    shown = text if front is None else "\n" * front.group().count("\n") + text[front.end() :]
    return import_module("markdown_it").MarkdownIt().enable("table").parse(shown)


def _rst(path: Path) -> Iterator[str]:
    nodes, publish = import_module("docutils.nodes"), import_module("docutils.core").publish_doctree

    settings = {"report_level": 5, "halt_level": 6, "file_insertion_enabled": False, "doctitle_xform": False}
    tree = publish(path.read_text(encoding="utf-8"), settings_overrides=settings | {"raw_enabled": False})
    return (title.astext() for title in tree.findall(nodes.title) if isinstance(title.parent, nodes.section))


def _html(path: Path) -> Iterator[str]:
    return _page_titles(path.read_bytes())


def _page_titles(page: bytes) -> Iterator[str]:
    tree = import_module("lxml.html").document_fromstring(page)
    return (
        element.text_content() for element in tree.iter(*TOP) if not any(map(_is_navigation, element.iterancestors()))
    )


def _is_navigation(element: Any) -> bool:
    return element.tag in ("nav", "aside", "footer") or element.get("role") == "navigation"


def _epub(path: Path) -> Iterator[str]:
    with zipfile.ZipFile(path) as book:
        for name in book.namelist():
            if name.endswith((".xhtml", ".html", ".htm")) and "nav" not in name:
                yield from _page_titles(book.read(name))


def _docx(path: Path) -> Iterator[str]:
    for paragraph in import_module("docx").Document(str(path)).paragraphs:
        if paragraph.style is not None and re.match(r"(?:Heading \d|Title)", paragraph.style.name or ""):
            yield paragraph.text


def _odt(path: Path) -> Iterator[str]:
    with zipfile.ZipFile(path) as packed:
        tree = import_module("lxml.etree").parse(io.BytesIO(packed.read("content.xml")))
    return ("".join(element.itertext()) for element in tree.iter("{*}h"))


def _pdf(path: Path) -> Iterator[str]:
    document = import_module("pypdfium2").PdfDocument(path)
    return (bookmark.get_title() for bookmark in document.get_toc(max_depth=15))


def _manual(path: Path) -> Iterator[str]:
    for match in re.finditer(r"^\.S[HhSs][ \t]+(.+)$", path.read_text(encoding="utf-8"), re.MULTILINE):
        yield re.sub(r"\\f.|\\|\"", "", match[1])


def _mail(path: Path) -> Iterator[str]:
    if path.suffix == ".mbox":
        return (str(message["Subject"]) for message in mailbox.mbox(path))
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    return iter([str(message["Subject"])])


TITLES: dict[str, Callable[[Path], Iterator[str]]] = {
    "md": _markdown,
    "rst": _rst,
    "html": _html,
    "epub": _epub,
    "docx": _docx,
    "odt": _odt,
    "pdf": _pdf,
    "man": _manual,
    "eml": _mail,
}
