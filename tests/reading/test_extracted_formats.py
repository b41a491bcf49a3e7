"""Formats whose text is extracted: Word, OpenDocument, EPUB, e-mail, PDF."""

from __future__ import annotations

import pytest
from samples import MESSAGE, docx, packed, paragraph, pdf

from sector.reading import document_of, read
from sector.reading.base import Extract
from sector.reading.pdf_layout import PdfLayout
from sector.reading.pdf_lines import PdfLine, units

ODT = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"><office:body><office:text>'
    '<text:h text:outline-level="2">Care</text:h><text:p>Sweep<text:s text:c="2"/>it.<text:note>7</text:note></text:p>'
    "<text:list><text:list-item><text:p>Dry it.</text:p></text:list-item></text:list>"
    "<table:table><table:table-row><table:table-cell><text:p>coil</text:p></table:table-cell><table:table-cell>"
    "<text:p>12</text:p></table:table-cell></table:table-row></table:table>"
    "</office:text></office:body></office:document-content>"
)


def test_word() -> None:
    body = (
        paragraph("Kilns", "berschrift1")
        + paragraph("A kiln is hot.")
        + paragraph("Care", "Sub")
        + '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>'
        + "<w:r><w:t>Sweep it.</w:t></w:r></w:p>"
        + f"<w:tbl><w:tr><w:tc>{paragraph('coil')}</w:tc><w:tc>{paragraph('12')}</w:tc></w:tr>"
        + f"<w:tr><w:tc>{paragraph('door')}</w:tc><w:tc>{paragraph('30')}</w:tc></w:tr></w:tbl>"
        + "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>Close it.</w:t></w:r></w:p>"
    )
    document = read(docx(body))
    assert document.format == "docx"
    assert [(block.kind, block.level, block.text) for block in document.blocks] == [
        ("heading", 1, "Kilns"),
        ("paragraph", 0, "A kiln is hot."),
        ("heading", 2, "Care"),
        ("list_item", 1, "Sweep it."),
        ("table", 0, "coil\t12\ndoor\t30"),
        ("paragraph", 0, "Close it."),
    ]


def test_open_document() -> None:
    mimetype = "application/vnd.oasis.opendocument.text"
    document = read(packed({"mimetype": mimetype, "content.xml": ODT}))
    found = [(block.kind, block.text) for block in document.blocks]
    assert found == [("heading", "Care"), ("paragraph", "Sweep  it."), ("list_item", "Dry it."), ("table", "coil\t12")]


@pytest.mark.parametrize("folder", ["", "book/"], ids=["as it should be", "in a folder of its own"])
def test_epub(folder: str) -> None:
    parts: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<c><rootfiles><rootfile full-path="o/p.opf"/></rootfiles></c>',
        "o/p.opf": "<package><metadata><title>Kilns</title></metadata><manifest><item id='b' href='b.xhtml'/>"
        "<item id='a' href='a%20b.xhtml'/><item id='n' href='n.xhtml' properties='nav'/></manifest>"
        "<spine><itemref idref='n'/><itemref idref='a'/><itemref idref='b'/></spine></package>",
        "o/a b.xhtml": "<html><body><h1>One</h1><p>First &amp; hot.</p></body></html>",
        "o/b.xhtml": "<html><body><h1>Two</h1><p>Second.</p></body></html>",
        "o/n.xhtml": "<html><body><p>Contents</p></body></html>",
    }
    document = read(packed({folder * (name != "mimetype") + name: part for name, part in parts.items()}))
    assert (document.format, document.title) == ("epub", "Kilns")
    assert document.text == "One\n\nFirst & hot.\n\nTwo\n\nSecond.\n"


def test_mail() -> None:
    document = read(MESSAGE.encode())
    assert (document.format, document.title) == ("eml", "The kühn kiln")
    kinds = [block.kind for block in document.blocks]
    assert kinds == ["heading", "boilerplate", "paragraph", "quote", "paragraph", "boilerplate"]
    assert document.blocks[3].text == "Shall I order a new seal for it, or will the old one do for another year?"


def test_mail_in_html() -> None:
    html = MESSAGE.replace("text/plain", "text/html").partition("\n\n")[0] + "\n\n<p>The kiln &amp; the door.</p>\n"
    assert "The kiln & the door." in read(html.encode()).text


def test_messages_that_are_attached_to_another_stand_below_it() -> None:
    inner = "From: ben@example.org\nSubject: {0}\n\nThe {0} is hot.\n"
    parts = "".join(f"--b\nContent-Type: message/rfc822\n\n{inner.format(name)}\n" for name in ("kiln", "door"))
    head = "From: anna@example.org\nSubject: Digest\nMIME-Version: 1.0\nContent-Type: multipart/digest; boundary=b\n"
    document = read(f"{head}\n{parts}--b--\n".encode())
    found = [(block.level, block.text) for block in document.blocks if block.kind == "heading"]
    assert found == [(1, "Digest"), (2, "kiln"), (2, "door")]


@pytest.mark.parametrize(
    "head", ["IronPort-X: 1\nReceived: by a\nMessage-ID: <a@b>\n", ">From a Mon\nMessage-ID: <a@b>\n"]
)
def test_mail_is_known_by_its_headers_whatever_it_is_called(head: str) -> None:
    message = f"{head}From: anna@example.org\nSubject: Kilns\n\nThe kiln is hot.\n"
    assert document_of(message.encode(), "letter.txt").title == "Kilns"


def test_a_text_that_begins_with_fields_is_no_mail() -> None:
    assert document_of(b"From: Anna\nTo: Ben\nSubject: Kilns\n\nThe kiln is hot.\n", "letter.txt").format == "txt"


def test_the_title_page_of_a_pdf_is_one_heading() -> None:
    pytest.importorskip("pypdfium2")
    blank = (11.0, "")
    title = [(20.0, "Kilns"), blank, (14.0, "Anna Finch"), blank, (14.0, "Spring 1990"), blank]
    found = read(
        pdf([[*title, (16.0, "Care"), blank, *[(11.0, TEXT)] * 3, blank, (16.0, "Repair"), blank, (11.0, TEXT)]])
    )
    assert [(block.level, block.text) for block in found.blocks if block.kind == "heading"] == [
        (1, "Kilns"),
        (2, "Care"),
        (2, "Repair"),
    ]


def test_labels_of_a_figure_in_a_pdf_are_no_headings() -> None:
    pytest.importorskip("pypdfium2")
    blank = (11.0, "")
    labels = [line for name in ("Door", "Coil", "Flue") for line in ((16.0, name), blank)]
    lines = [(20.0, "Kilns"), blank, *[(11.0, TEXT)] * 4, blank, *labels, (16.0, "Care"), blank, (11.0, TEXT)]
    found = [block.text for block in read(pdf([lines])).blocks if block.kind == "heading"]
    assert found == ["Kilns", "Care"]


def test_levels_of_a_pdf_follow_numbers() -> None:
    pytest.importorskip("pypdfium2")
    blank = (11.0, "")
    titles = [(16.0, "1. Kilns"), (13.0, "1.1. Care"), (16.0, "2. Doors"), (16.0, "2.1. Seals")]
    lines = [line for title in titles for line in (title, blank, *[(11.0, TEXT)] * 3, blank)]
    assert [block.level for block in read(pdf([lines])).blocks if block.kind == "heading"] == [1, 2, 1, 2]


def test_pdf() -> None:
    pytest.importorskip("pypdfium2")
    lines = [
        (20.0, "Kilns"),
        (11.0, ""),
        (11.0, "A kiln is hot, and it stays hot for hours after the fire has gone out and the"),
        (11.0, "door was closed. Nobody should open it before the morning has come, because the"),
        (11.0, "glaze would crack."),
        (11.0, ""),
        (15.0, "Care"),
        (11.0, ""),
        (11.0, "Sweep it once a week."),
    ]
    more = [(15.0, "Repair"), (11.0, ""), (11.0, "Call the maker, who knows every part of it and has most of them.")]
    document = read(pdf([lines, more]))
    assert [(block.kind, block.level, block.page) for block in document.blocks] == [
        ("heading", 1, 1),
        ("paragraph", 0, 1),
        ("heading", 2, 1),
        ("paragraph", 0, 1),
        ("heading", 2, 2),
        ("paragraph", 0, 2),
    ]
    assert "out and the door was closed. Nobody" in document.text


TEXT = "A kiln is hot, and it stays hot for hours after the fire has gone out. Nobody opens it."


def test_tables_and_contents_of_a_pdf() -> None:
    pytest.importorskip("pypdfium2")
    contents = [
        (11.0, "Contents"),
        *((11.0, f"Part {name} ....................... {n}") for n, name in enumerate("ABCD")),
    ]
    rows = ["part\tprice", "coil\t12", "door\t30", "seal\t7"]
    table = [(11.0, TEXT), (11.0, TEXT), (11.0, ""), *((11.0, row) for row in rows), (11.0, ""), (11.0, TEXT)]
    found = [(block.kind, block.text) for block in read(pdf([contents, table])).blocks]
    assert [kind for kind, _ in found] == ["boilerplate", "paragraph", "table", "paragraph"]
    assert found[2][1] == "part price\ncoil 12\ndoor 30\nseal 7"


def test_running_heads_with_page_numbers() -> None:
    pytest.importorskip("pypdfium2")
    words = ["clay", "fire", "glaze", "ash"]
    pages = [[(9.0, f"{n} On {word}"), (11.0, TEXT), (11.0, f"Of {word}.")] for n, word in enumerate(words, 17)]
    assert " On " not in read(pdf(pages)).text


def test_places_in_a_pdf_are_counted_in_utf_16() -> None:
    assert [units(text) for text in ("", "a", "\u00e9", "\U0001d456a")] == [0, 1, 1, 3]


def test_a_page_with_few_words_is_no_scan() -> None:
    pytest.importorskip("pypdfium2")
    assert read(pdf([[(11.0, "Closed.")]])).text == "Closed.\n"


def test_titles_of_a_pdf_on_two_lines_and_close_to_the_text_are_found_by_their_bookmarks() -> None:
    texts = ["1.1 Care of kilns, doors", "and seals", TEXT, TEXT, "A. Repair", TEXT]
    lines = [PdfLine(text, 1, 11.0, 72.0, 400.0, 700.0 - 13 * at, 700.0 - 13 * at) for at, text in enumerate(texts)]
    extract = Extract()
    PdfLayout(lines, {(1, "careofkilnsdoorsandseals"): 2, (1, "repair"): 1}).fill(extract)
    found = [(block.level, block.text) for block in extract.content().blocks if block.kind == "heading"]
    assert found == [(2, "1.1 Care of kilns, doors and seals"), (1, "A. Repair")]
