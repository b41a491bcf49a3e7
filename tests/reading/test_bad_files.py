"""Files that cannot be read: one clear error each, within bounds of time and memory."""

from __future__ import annotations

import gzip
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import GUIDE, LEASE, PAGE, docx, packed, paragraph, pdf

from sector.errors import DataError, MissingExtraError, SectorError
from sector.reading import FORMATS, read

Write = Callable[[str, str | bytes], Path]


@pytest.mark.parametrize(
    ("content", "hint"),
    [
        (b"\xd0\xcf\x11\xe0" + bytes(600), "old Word"),
        (b"\x89PNG\r\n" + bytes(100), "picture"),
        (b"{\\rtf1 hello}", "Rich Text"),
        (b"text\0\0\0more", "binary"),
        (packed({"a.txt": "hello"}), "ZIP"),
        (docx(paragraph("x"))[:300], "broken"),
        (packed({"word/styles.xml": "<a/>"}), "word/document.xml"),
        (packed({"word/document.xml": "<a><b></a>"}), "XML"),
        (packed({"word/document.xml": "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>"}), "entities"),
        (gzip.compress(b"hello", mtime=0)[:-4], "truncated"),
        ("漢字カタカナ".encode("shift-jis") * 20, "encoding"),
    ],
)
def test_one_clear_error(content: bytes, hint: str) -> None:
    with pytest.raises(DataError, match=hint):
        read(content)


def odt(body: str) -> bytes:
    names = ("office", "text", "table")
    spaces = " ".join(f"xmlns:{name}='urn:oasis:names:tc:opendocument:xmlns:{name}:1.0'" for name in names)
    content = f"<office:text {spaces}><office:body>{body}</office:body></office:text>"
    return packed({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content})


DEEP = 20_000
NESTED = {
    "docx": docx("<w:p>" + "<w:ins>" * DEEP + "<w:r><w:t>x</w:t></w:r>" + "</w:ins>" * DEEP + "</w:p>"),
    "odt spans": odt("<text:p>" + "<text:span>" * DEEP + "x" + "</text:span>" * DEEP + "</text:p>"),
    "odt sections": odt("<text:section>" * DEEP + "<text:p>x</text:p>" + "</text:section>" * DEEP),
    "eml": "".join(f"Content-Type: multipart/mixed; boundary=b{i}\n\n--b{i}\n" for i in range(3000)).encode(),
}


@pytest.mark.parametrize("name", NESTED)
def test_parts_inside_of_parts_without_an_end(name: str) -> None:
    with pytest.raises(DataError, match="thousands deep"):
        read(NESTED[name], name.split()[0])


@pytest.mark.parametrize("number", ["", "x", "²", "-1", "9" * 5000])
def test_numbers_in_attributes_that_are_none(number: str) -> None:
    level = f"<w:pPr><w:outlineLvl w:val='{number}'/><w:numPr><w:ilvl w:val='{number}'/></w:numPr></w:pPr>"
    assert read(docx(f"<w:p>{level}<w:r><w:t>One.</w:t></w:r></w:p>")).text == "One.\n"
    heading = f"<text:h text:outline-level='{number}'>A<text:s text:c='{number}'/>B</text:h>"
    assert read(odt(heading)).text.split() == ["A", "B"]


def test_encodings_that_no_document_has() -> None:
    """Python's decoder of host names takes time with the square of their length; XML may name any."""
    page = b"<html><head><meta charset='punycode'></head><body><p>One</p>" + b"ab" * 500_000
    assert read(page, "html").text.startswith("<html>")
    letter = b"Subject: x\nContent-Type: text/plain; charset=punycode\n\nOne." + b"ab" * 500_000
    assert "One." in read(letter, "eml").text
    for encoding in ("utf-7", "nothing"):
        with pytest.raises(DataError, match="XML"):
            read(packed({"word/document.xml": f"<?xml version='1.0' encoding='{encoding}'?><a/>"}))


def test_a_page_of_a_book_is_read_once() -> None:
    names = "<itemref idref='a'/>" * 10_000
    package = f"<package><manifest><item id='a' href='a.html'/></manifest><spine>{names}</spine></package>"
    container = "<container><rootfiles><rootfile full-path='c.opf'/></rootfiles></container>"
    parts = {"mimetype": "application/epub+zip", "META-INF/container.xml": container, "c.opf": package}
    assert read(packed({**parts, "a.html": "<p>One.</p>"})).text == "One.\n"


def test_bombs_are_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sector.reading.archive.LARGE", 100_000)
    with pytest.raises(DataError, match="bomb"):
        read(docx(paragraph("x" * 50_000_000)))


def test_pdf_that_was_scanned_or_is_locked() -> None:
    pytest.importorskip("pypdfium2")
    with pytest.raises(DataError, match="scanned"):
        read(pdf([[], []]))
    with pytest.raises(DataError, match="broken"):
        read(b"%PDF-1.4\n garbage")


def test_pdf_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(MissingExtraError, match=r"sector-nlp\[documents\]"):
        read(b"%PDF-1.4\n")


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    for path, hint in (
        (tmp_path, "folder"),
        (tmp_path / "nothing.md", "No such file"),
        (tmp_path / "pipe.txt", "pipe"),
    ):
        with pytest.raises(DataError, match=hint):
            read(path)


def test_encodings(file: Write) -> None:
    text = "Grüße aus Köln: der Ofen ist heiß, und die Tür klemmt.\n" * 3
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"):
        assert read(file("x.txt", text.encode(encoding))).text == text
    page = f'<html><head><meta charset="iso-8859-2"></head><body><p>{text}</p></body></html>'
    assert read(page.encode("iso-8859-2")).text == page
    with pytest.raises(DataError, match="This is not UTF-8"):
        read("Grüße".encode("latin-1"), encoding="utf-8")


def test_compressed_files(file: Write) -> None:
    document = read(file("lease.txt.gz", gzip.compress(LEASE.encode())))
    assert (document.text, document.format) == (LEASE, "txt")
    assert read(file("guide.md.gz", gzip.compress(GUIDE.encode()))).format == "md"


@pytest.mark.parametrize("name", ["docx", "odt", "epub", "eml", "pdf"])
@given(content=st.binary(max_size=300))
def test_any_bytes(name: str, content: bytes) -> None:
    """Nothing but our own errors, whatever is in the file."""
    with suppress(SectorError):
        read(content, name)


PIECES = [
    "<",
    ">",
    "</p>",
    "<p>",
    "<!--",
    "-->",
    '"',
    "'",
    "```",
    "# x",
    "\n",
    "\n\n",
    "> ",
    "- ",
    "1. ",
    "| a |",
    "|-|",
    "::",
]
PIECES += [
    ".. note::",
    "===",
    "  ",
    "\t",
    "\f",
    "\r\n",
    "A: ",
    "a.",
    "B",
    "word",
    "&amp;",
    "&#0;",
    "\u2028",
    "é",
    "\ud800",
    ".SH x",
]


@pytest.mark.parametrize("name", [name for name in FORMATS if name in ("txt", "md", "rst", "html", "srt", "man")])
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=60))
def test_any_text(name: str, pieces: list[str]) -> None:
    """Blocks are in order, do not overlap, are not empty; sentences lie in them and cover them in order."""
    from sector.document import Document
    from sector.reading.texts import parsed

    text = "".join(pieces)
    found = parsed(text, name)
    places = [place for block in found.blocks for place in (block.begin, block.end)]
    assert places == sorted(places)
    assert all(block.begin < block.end <= len(text) for block in found.blocks)
    if not found.blocks:
        return
    document = Document(text, blocks=found.blocks)
    begins, ends = document.spans.begin.tolist(), document.spans.end.tolist()
    edges = [edge for pair in zip(begins, ends, strict=True) for edge in pair]
    assert edges == sorted(edges)
    assert len(document.sentence_texts) == len(document)


BROKEN = ["<div>", "<p", "<!--", "<a href='", "> ", "```\n", "- a\n  ", "&", "[", "![", "<table>", "</b", "[a](", "`"]
BROKEN += ["*", "<h1>a", "<li>a", "\n a"]


@pytest.mark.parametrize("piece", BROKEN)
def test_work_grows_with_the_length(piece: str) -> None:
    """Counted in calls, not in seconds: broken markup costs a page's length, not its square."""
    from sector.reading.texts import parsed

    def calls(count: int) -> int:
        total = 0

        def count_call(*_: object) -> None:
            nonlocal total
            total += 1

        sys.setprofile(count_call)
        try:
            for name in ("html", "md", "txt", "rst"):
                parsed(piece * count, name)
        finally:
            sys.setprofile(None)
        return total

    assert calls(2000) < 2.5 * calls(1000) + 500


def test_marks_of_quotation_without_an_end() -> None:
    from sector.reading.texts import parsed

    (block,) = parsed(">" * 100_000, "md").blocks
    assert block.level <= 50


def test_headers_without_an_end() -> None:
    header = b"From: a@example.org\nTo: b@example.org\nSubject: " + b"=?utf-8?q?a?= " * 50_000
    document = read(header + b"\n\nThe kiln is hot.\n", "eml")
    assert "The kiln is hot." in document.text
    assert len(document.text) < 20_000


def test_a_page_that_says_boilerplate_of_everything() -> None:
    page = PAGE.replace("<main>", '<div class="sidebar menu">').replace("</main>", "</div>")
    assert any("A kiln is hot." in text for text in read(page.encode()).sentence_texts)
