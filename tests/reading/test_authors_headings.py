"""Which lines an author meant as headings, which only look so, and what stands below a table of contents."""

from __future__ import annotations

import pytest

import sector
from sector.reading import read
from sector.structure import outline

LICENCE = """\
                         TERMS OF THE TOOL LIBRARY

1. Definitions.

   "Tool" means whatever hangs on the wall of the library and has a
   number painted on it.

2. Grant of a Loan. Subject to these terms, the library lends you a
   tool for a week, and not for longer, unless nobody else asks for
   it in that time.

3. Return of Tools. You bring back each tool clean and dry, and you
   say what broke.

4. No Warranty. The library lends tools as they are, with rust and
   all, and cannot say whether they will hold.
"""
BOOK = """\
The Book of Locks

Table of Contents

1. The chamber
    1.1. Gates
    1.2. Sluices
2. The keeper

Chapter 1. The chamber

The chamber holds the boat while the water rises or falls, and
nobody may stand on the edge of it while it does.

1.1. Gates

The gates are of oak, and they are opened by hand with a long beam
that the keeper leans against.

Note

Gates swell in wet years, and then two people must lean against the
beam until the seal gives way.

1.2. Sluices

The sluices let the water in, slowly at first, so that small boats
are not thrown about in the chamber.
"""


def headings(text: str, name: str | None = None) -> list[str]:
    return [block.content for block in read(text.encode(), name).blocks if block.kind == "heading"]


def paths(text: str, name: str | None = None) -> list[str]:
    return [entry.path for entry in outline(read(text.encode(), name).blocks)]


def test_run_in_headings() -> None:
    titles = ["1. Definitions.", "2. Grant of a Loan.", "3. Return of Tools.", "4. No Warranty."]
    assert headings(LICENCE) == ["TERMS OF THE TOOL LIBRARY", *titles]
    document = sector.load("en").segment(read(LICENCE.encode()))
    assert [section.heading.rpartition(" | ")[2] for section in document.sections][-3:] == titles[1:]
    assert document.sections[-1].text.startswith("4. No Warranty. The library lends")
    assert "".join(section.text for section in document.sections) == LICENCE


def test_two_numbered_paragraphs_are_no_headings() -> None:
    text = "1. Old Rope. It was cut on Monday.\n\n2. New Rope. It came on Friday, and it is longer.\n"
    assert headings(text) == []


def test_a_table_of_contents_is_not_read_and_holds_nothing() -> None:
    document = read(BOOK.encode())
    contents = [block.text for block in document.blocks if block.kind == "boilerplate"]
    assert contents == ["Table of Contents", "1. The chamber\n    1.1. Gates\n    1.2. Sluices\n2. The keeper"]
    assert paths(BOOK)[-3:] == [
        "Chapter 1. The chamber",
        "Chapter 1. The chamber | 1.1. Gates",
        "Chapter 1. The chamber | 1.2. Sluices",
    ]


def test_headings_below_contents_in_markdown() -> None:
    assert paths("# Contents\n\nAll of it.\n\n## Gates\n\nOak.\n\n## Sluices\n\nIron.\n", "md") == [
        "Contents",
        "Gates",
        "Sluices",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Copyright © 1998 Ada Keeper",
        "(c) 2004 The Lock Company",
        "* How to help",
        "-- Ada Keeper, on the list",
        "Owner: ada@lock.example",
        "Warning",
        "level = high",
        "Colour: green and white",
    ],
)
def test_lines_that_are_no_headings(line: str) -> None:
    below = "The gates are of oak, and they are opened by hand with a long beam that the keeper leans\nagainst.\n"
    assert headings(f"{below}\n{line}\n\n{below}") == []


def test_items_that_end_as_code_does_are_no_code() -> None:
    text = "The keeper decides on:\n 1. The hours of the gate, by notice on the door;\n 2. The level of the water;\n"
    assert "code" not in {block.kind for block in read(text.encode()).blocks}


def test_names_below_letters_are_no_headings() -> None:
    mail = "From: a@b.example\nTo: c@d.example\nSubject: Gates\n\nThe gate is stuck.\n\nAda\n\n" + "PS: It rains. " * 9
    document = read(mail.encode())
    assert [block.content for block in document.blocks if block.kind == "heading"] == ["Gates"]


def test_code_in_titles_keeps_its_signs() -> None:
    assert headings("## **Paths (`locks/*.yml`)** and [`x`](y)\n\nText.\n", "md") == ["Paths (locks/*.yml) and x"]


def test_lists_of_links_are_navigation() -> None:
    links = "".join(f'<li><a href="#g{n}">Gate {n}</a></li>' for n in range(6))
    prose = "<p>The gates are of oak, and they are opened by hand with a long beam that the keeper leans on.</p>"
    kinds = [block.kind for block in read(f"<body><ul>{links}</ul>{prose}</body>".encode(), "html").blocks]
    assert kinds == ["boilerplate"] * 6 + ["paragraph"]
    few = [block.kind for block in read(f"<body><ul>{links[:62]}</ul>{prose}</body>".encode(), "html").blocks]
    assert few[0] == "list_item"


def test_what_stands_above_the_first_heading_has_no_heading() -> None:
    page = '.\\" Copyright of a page\n.TH LOCK 7\n.SH NAME\nlock \\- a chamber with gates\n'
    sections = sector.load("en").segment(read(page.encode(), "man")).sections
    assert [(section.heading, section.text[:3]) for section in sections] == [("", '.\\"'), ("NAME", ".SH")]


def test_subtitles_are_cut_between_cues() -> None:
    cue = "{0}\n00:00:{0:02},000 --> 00:00:{0:02},900\nThe gate number {0} is open. The next\n"
    cues = "\n".join(cue.format(n) + f"is number {n + 1}.\n" for n in range(1, 50))
    document = read(cues.encode(), "srt")
    assert len(document.blocks) > 3
    assert all(block.text[0].isdigit() for block in document.blocks)
    begins = document.spans.begin[document.flow.is_first].tolist()
    assert all(document.text[begin - 2 : begin] == "\n\n" for begin in begins[1:])
    inside = [sentence.text for sentence in document.sentences if "-->" in sentence.text]
    assert all(text.split("\n")[0].isdigit() for text in inside)


def test_a_clause_of_one_line_is_no_heading() -> None:
    clause = "2.1  The lease begins on 1 April and runs for five years."
    rest = (
        "2.2  The Tenant may end the lease on its third anniversary by giving\n"
        "     not less than six months' notice in writing.\n"
    )
    text = f"1.  Premises\n\nThe workshop with its yard.\n\n2.  Term\n\n{clause}\n\n{rest}"
    assert headings(text) == ["1.  Premises", "2.  Term"]
    assert "2.1  Term of the lease." in headings(text.replace(clause, "2.1  Term of the lease."))
