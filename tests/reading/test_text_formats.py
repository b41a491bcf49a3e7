"""Formats whose characters are the text: blocks, what is read of them, exact offsets."""

from __future__ import annotations

import pytest
from samples import GUIDE, LEASE, MANUAL, PAGE, SUBTITLES

from sector.document import Document
from sector.reading import document_of, read
from sector.reading.sniffing import markup


def shown(text: str, name: str | None = None) -> list[tuple[str, int, str]]:
    return [(block.kind, block.level, block.content) for block in read(text.encode(), name).blocks]


def sentences(document: Document) -> list[str]:
    return [text for text in document.sentence_texts if text]


def test_a_wrapped_contract() -> None:
    document = read(LEASE.encode())
    assert document.text == LEASE
    headings = [block.content for block in document.blocks if block.kind == "heading"]
    assert headings == ["WORKSHOP LEASE", "1. Rent", "2. Use of the room", "3. Ending the lease"]
    items = [block.content for block in document.blocks if block.kind == "list_item"]
    assert items[1] == "b) machines that are louder than a sewing machine after nine in the evening;"
    read_of_it = sentences(document)
    assert "It covers water and the repair of the roof." in read_of_it
    assert len([text for text in read_of_it if text[-1] not in ".:;"]) == len(headings)


def test_lines_that_are_paragraphs_stay_paragraphs() -> None:
    lines = ["The town lies on the river and has had a market since the year of the flood, as it says. " * 2] * 4
    document = read("\n".join(lines).encode())
    assert [block.kind for block in document.blocks] == ["paragraph"] * 4
    assert document.spans.paragraph_end.tolist() == [False, True] * 4


def test_hyphens_at_the_ends_of_lines() -> None:
    text = (
        "The harbour master closed the gate because the wea-\nther was bad and the wind had turned to the north dur-\n"
        "ing the night, so that no boat could leave before\nthe morning came and the tide had fallen far enough.\n"
    )
    (only,) = read(text.encode()).sentence_texts
    assert "the weather was bad" in only
    assert "during the night" in only


def test_quotes_lose_their_marks() -> None:
    text = "I agree with this:\n\n> The seal is old and should be replaced before\n> the winter comes again.\n\nSo.\n"
    kinds = shown(text)
    assert ("quote", 1, "The seal is old and should be replaced before the winter comes again.") in kinds


@pytest.mark.parametrize("sign", ["\f", "\v", "\u2028", "\x85", "\r"])
@pytest.mark.parametrize("name", ["md", "txt"])
def test_a_quote_after_an_unusual_end_of_line_begins_there(sign: str, name: str) -> None:
    text = f"Somebody wrote the following.{sign}{sign}> The seal is old, and the winter comes.\n"
    places = [(block.begin, block.end) for block in read(text.encode(), name).blocks]
    assert places[-1] == (text.index(">"), len(text) - 1)
    assert places[0][1] <= places[-1][0]


def test_page_furniture_is_not_read() -> None:
    body = "The survey was made in spring, and nobody was asked\ntwice. It shows that the river rises every year by\n"
    pages = "\f".join(
        f"Survey of the river\n\n{body}a hand or more, as the marks on the bridge say.\n\n{n}\n" for n in range(1, 6)
    )
    document = read(pages.encode())
    assert not any("Survey of" in text or text.isdigit() for text in sentences(document))
    assert document.text == pages


def test_turns_of_a_transcript() -> None:
    text = "\n\n".join(f"{name}: I said it {n} times. Nobody listened." for n, name in enumerate(["ANNA", "BEN"] * 3))
    document = read(text.encode())
    assert [block.kind for block in document.blocks] == ["turn"] * 6
    assert document.blocks[1].content == "I said it 1 times. Nobody listened."


def test_markdown() -> None:
    assert shown(GUIDE, "md") == [
        ("boilerplate", 0, "---\ntitle: Guide\n---"),
        ("heading", 1, "Guide"),
        ("paragraph", 0, "This guide says how the kiln is run. Read it before the first firing."),
        ("heading", 2, "Install"),
        ("paragraph", 0, "Put the kiln on a stone floor. Then wire it:"),
        ("code", 0, "```sh\n# not a heading\nkiln --wire\n```"),
        ("heading", 3, "Linux"),
        ("list_item", 1, "Load the driver with care."),
        ("list_item", 1, "Start it."),
        ("table", 0, "| part | price |\n| ---- | ----- |\n| coil | 12    |"),
        ("heading", 2, "Closing words"),
        ("quote", 1, "Hot things burn. Mind your hands."),
    ]


def test_html() -> None:
    document = read(PAGE.encode())
    assert (document.format, document.title, document.text) == ("html", "Kilns & ovens", PAGE)
    found = [(block.kind, " ".join(block.content.split())) for block in document.blocks if block.is_prose]
    assert found == [
        ("heading", "Kilns"),
        ("paragraph", "A kiln is hot. It stays hot for hours & days."),
        ("heading", "Care"),
        ("list_item", "Sweep it."),
        ("list_item", "Dry it."),
        ("paragraph", "Close the door."),
    ]
    kinds = [block.kind for block in document.blocks]
    assert (kinds.count("code"), kinds.count("table")) == (1, 1)
    table = next(block for block in document.blocks if block.kind == "table")
    assert table.text.startswith("<table>") and table.text.endswith("</table>")
    assert "A kiln is hot." in document.sentence_texts


def test_restructured_text() -> None:
    text = (
        "=====\nKilns\n=====\n\nA kiln is *hot*. See :doc:`the guide <guide>` for\nmore of it.\n\nCare\n----\n\n"
        ".. code-block:: sh\n\n   kiln --sweep\n\n   kiln --dry\n\n.. note::\n\n   Sweep it often.\n\n"
        "Like this::\n\n   kiln -x\n\n"
        "=====  =====\npart   price\n=====  =====\ncoil   12\n=====  =====\n"
    )
    found = shown(text, "rst")
    assert ("heading", 1, "Kilns") in found
    assert ("heading", 2, "Care") in found
    assert ("paragraph", 0, "A kiln is hot. See the guide for more of it.") in found
    assert ("paragraph", 1, "Sweep it often.") in found
    assert [kind for kind, _, _ in found].count("code") == 2
    assert [kind for kind, _, _ in found].count("table") == 1


def test_manual_pages() -> None:
    assert shown(MANUAL, "man") == [
        ("heading", 1, "NAME"),
        ("paragraph", 0, "kiln - fire clay"),
        ("heading", 1, "OPTIONS"),
        ("list_item", 1, "-h Heat it until the cone falls over."),
        ("heading", 1, "EXAMPLES"),
        ("code", 0, ".nf\nkiln -h\n.fi"),
    ]


def test_subtitles() -> None:
    found = [(kind, text) for kind, _, text in shown(SUBTITLES, "srt")]
    assert found == [
        ("turn", "ANNA: The kiln is warm and the cone has fallen."),
        ("turn", "BEN: Then we wait until the morning."),
    ]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (LEASE, "txt"),
        (GUIDE, "md"),
        (PAGE, "html"),
        (MANUAL, "man"),
        (SUBTITLES, "srt"),
        ("# one\n# two\nx = 1\n", "txt"),
    ],
)
def test_formats_are_told_by_their_looks(text: str, name: str) -> None:
    assert markup(text) == name


def test_fields_of_notes_are_no_speakers() -> None:
    text = "\n\n".join(f"- API: function {n} is new.\n\nDefault: off.\n\nOption: --on-{n}." for n in range(6))
    assert "turn" not in {block.kind for block in read(text.encode()).blocks}


def test_turns_of_a_chat_with_host_names() -> None:
    log = "".join(
        f"[15 Jan 12:0{n}] <{name}!n={name}@192.0.2.7> The kiln is at {900 + n} degrees.\n"
        f"[15 Jan 12:0{n}] *** You waited\n"
        for n, name in enumerate(["anna", "ben"] * 3)
    )
    found = read(log.encode()).blocks
    assert [block.kind for block in found] == ["turn"] * 12
    assert found[2].content == "The kiln is at 901 degrees."


@pytest.mark.parametrize(("name", "format"), [("notes.txt", "rst"), ("notes.rst.txt", "rst"), ("notes.md.txt", "md")])
def test_a_text_whose_name_hides_its_format(name: str, format: str) -> None:
    text = "Kilns\n=====\n\n.. note::\n\n   Sweep it.\n"
    assert document_of(text.encode(), name).format == format


def test_a_heading_that_links_to_the_table_of_contents() -> None:
    page = '<body><h2><a class="toc-backref" href="#id1">Care</a></h2><p>Sweep the kiln often.</p></body>'
    assert [(block.kind, block.content) for block in read(page.encode(), "html").blocks] == [
        ("heading", "Care"),
        ("paragraph", "Sweep the kiln often."),
    ]


def test_quotation_marks_that_are_no_values_do_not_swallow_the_page() -> None:
    page = """<body><p class="a"">It's hot.</p><h1 title='x' ">Care</h1><p>Say "no".</p><h2 id=a'b>Repair</h2></body>"""
    assert [block.content for block in read(page.encode(), "html").blocks] == [
        "It's hot.",
        "Care",
        'Say "no".',
        "Repair",
    ]


def test_the_sign_that_links_to_a_heading_is_not_read() -> None:
    page = '<body><h2>Care<span><a href="#care"> # </a></span></h2><p>In C#</p><h2>C#</h2><p>It is sharp.</p></body>'
    assert [block.content.strip() for block in read(page.encode(), "html").blocks if block.kind == "heading"] == [
        "Care",
        "C#",
    ]


def test_lines_of_links_are_navigation() -> None:
    ways = "".join(f'<div><a href="#{name}">{name}</a></div>' for name in ("One", "Two", "Three", "Four", "Five"))
    prose = "<p>The keeper writes down every boat that passes, with the hour.</p>" * 3
    found = [block.kind for block in read(f"<body>{ways}<h1>Locks</h1>{prose}</body>".encode(), "html").blocks]
    assert found == ["boilerplate"] * 5 + ["heading"] + ["paragraph"] * 3
