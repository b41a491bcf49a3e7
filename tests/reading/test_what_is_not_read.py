"""Navigation, footers, heads of forwarded letters and code are found in every format, and nothing else is lost."""

from __future__ import annotations

import pytest
from samples import docx, packed, paragraph, pdf

from sector.reading import read

LONG = "The keeper of the lock writes down every boat that passes, with the hour and the name of whoever steers it."
NAMESPACES = ("office", "text", "style")
BOOK = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
    "b.opf": '<package><manifest><item id="a" href="a.xhtml"/><item id="c" href="c.xhtml"/></manifest>'
    '<spine><itemref idref="a"/><itemref idref="c"/></spine></package>',
}


def blocks(source: str | bytes, format: str) -> list[tuple[str, str]]:
    content = source.encode() if isinstance(source, str) else source
    found = read(content, format).blocks
    return [(block.kind, " ".join((block.content if block.is_prose else block.text).split())) for block in found]


@pytest.mark.parametrize("name", ["copyright", "Related-locks", "share-of-the-dues"])
def test_a_section_of_html_that_is_named_after_its_heading_is_read(name: str) -> None:
    title = name.replace("-", " ")
    page = f"<body><section id='{name}'><p>Up: <a href='#x'>Top</a></p><h2>3.1 {title}</h2><p>{LONG}</p></section>"
    assert blocks(page, "html")[-2:] == [("heading", f"3.1 {title}"), ("paragraph", LONG)]


def test_a_section_whose_id_is_a_title_in_another_language_is_read() -> None:
    page = f"<body><section id='handling-security-related-locks'><h2>Sichere Schleusen</h2><p>{LONG}</p></section>"
    assert blocks(page, "html") == [("heading", "Sichere Schleusen"), ("paragraph", LONG)]


def test_banners_of_html_are_still_known_by_their_names() -> None:
    page = f"<body><div id='cookie-banner'><h2>Privacy</h2>We use biscuits.</div><h1>Locks</h1><p>{LONG}</p></body>"
    assert [kind for kind, _ in blocks(page, "html")] == ["boilerplate", "heading", "paragraph"]


@pytest.mark.parametrize("format", ["html", "md"])
def test_ways_to_other_pages(format: str) -> None:
    ways = {
        "html": "<p>Next: <a href='b'>Ropes</a>, Up: <a href='a'>Boats</a></p>",
        "md": "[Ropes](b.md) | [Boats](a.md)",
    }
    both = {
        "html": "<p>See <a href='b'>Ropes</a> and <a href='a'>Boats</a>.</p>",
        "md": "See [Ropes](b) and [Boats](a).",
    }
    text = f"{ways[format]}\n\n{LONG}\n\n{both[format]}\n"
    page = text.replace(LONG, f"<p>{LONG}</p>") if format == "html" else text
    assert [kind for kind, _ in blocks(page, format)] == ["boilerplate", "paragraph", "paragraph"]


def test_a_table_of_contents_in_markdown() -> None:
    links = "\n".join(f"- [Part {n}](#part-{n})" for n in range(4))
    others = "\n".join(f"- [Lock {n}](https://example.org/{n})" for n in range(4))
    found = blocks(f"# Locks\n\n{links}\n\n{LONG}\n\n{others}\n", "md")
    assert [kind for kind, _ in found] == ["heading", *["boilerplate"] * 4, "paragraph", *["list_item"] * 4]


def test_the_contents_of_a_book_on_a_page_of_their_own() -> None:
    links = "".join(f"<li class='toc-{n}'><a href='c.xhtml#{n}'>{n}. Lock</a></li>" for n in range(9))
    pages = {
        "a.xhtml": f"<body><ul class='toc'>{links}</ul></body>",
        "c.xhtml": f"<body><h1>Lock</h1><p>{LONG}</p></body>",
    }
    assert blocks(packed({**BOOK, **pages}), "epub") == [("heading", "Lock"), ("paragraph", LONG)]


def test_admonitions_are_read_however_they_are_written() -> None:
    assert blocks(f".. Caution:: {LONG}\n\n.. NOTE::\n\n   {LONG}\n", "rst")[0] == ("paragraph", LONG)


def test_letters_lose_what_programs_wrote() -> None:
    head = "From: Orla Finch\nTo: Ben Moss\nSubject: locks\n\n"
    footer = "_" * 40 + "\nLocks mailing list\nhttps://example.org/locks"
    forwarded = "-----Original Message-----\nFrom: Ann\nSent: Monday\nTo: Orla"
    text = f"{head}{LONG}\n\n{forwarded}\n\nThe old gate is shut.\n\nTo unsubscribe, write to us.\n\n{footer}\n"
    kinds = [kind for kind, _ in blocks(text, "eml")]
    assert kinds == ["heading", "boilerplate", "paragraph", "boilerplate", "paragraph", "boilerplate", "boilerplate"]


def test_words_of_manual_pages_stand_together() -> None:
    page = ".TH LOCK 1\n.SH NAME\nlock \\- shut it\n.SH SEE ALSO\n.BR gate (7),\n"
    page += '.IP \\(bu 3\nOpen it.\n.TP\n.BR \\-v " (verbose)"\nSay it.\n'
    assert blocks(page, "man")[3:] == [
        ("paragraph", "gate(7),"),
        ("list_item", "• Open it."),
        ("list_item", "-v (verbose) Say it."),
    ]


def typed(text: str) -> str:
    return f'<w:p><w:r><w:rPr><w:rFonts w:ascii="Courier New"/></w:rPr><w:t>{text}</w:t></w:r></w:p>'


def bold(text: str) -> str:
    return f"<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>{text}</w:t></w:r></w:p>"


def test_lines_of_code_in_word_are_one_block() -> None:
    body = paragraph("Locks", "berschrift1") + paragraph(LONG) + typed("shut();") + typed("open();") + paragraph(LONG)
    assert blocks(docx(body), "docx")[2] == ("code", "shut(); open();")


def test_lines_in_bold_are_headings_of_a_word_file_without_any() -> None:
    body = bold("Locks") + paragraph(LONG) + bold("Take care.") + bold("Ropes") + paragraph(LONG)
    assert [kind for kind, _ in blocks(docx(body), "docx")] == [
        "heading",
        "paragraph",
        "paragraph",
        "heading",
        "paragraph",
    ]
    styled = paragraph("Boats", "berschrift1") + body
    assert [kind for kind, _ in blocks(docx(styled), "docx")].count("heading") == 1


def test_open_document_knows_code_by_its_font() -> None:
    names = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in NAMESPACES)
    styles = (
        '<style:style style:name="P1"><style:text-properties style:font-name="Courier New"/></style:style>'
        '<style:style style:name="P2" style:parent-style-name="P1"/>'
    )
    code = '<text:p text:style-name="P2">shut();</text:p><text:p text:style-name="P1">open();</text:p>'
    text = f"{code}<text:p>{LONG}</text:p>"
    content = f"<office:document-content {names}>{styles}<office:body>{text}</office:body></office:document-content>"
    parts: dict[str, str | bytes] = {"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content}
    assert blocks(packed(parts), "odt") == [("code", "shut(); open();"), ("paragraph", LONG)]


def test_pages_of_a_pdf_with_roman_numbers() -> None:
    pytest.importorskip("pypdfium2")
    numbers = ("i", "ii", "iii", "iv")
    found = blocks(pdf([[(10, LONG[:60]), (10, LONG[60:]), (10, ""), (10, number)] for number in numbers]), "pdf")
    assert not {text for _, text in found} & set(numbers)
