"""Structure as a constraint: headings begin sections, lists, code and tables stay whole."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import sector
from sector.document import Document
from sector.errors import ConfigError
from sector.reading import read_text

PARAGRAPH = (
    "The rudder of the boat was broken by the storm. Nobody saw it happen in the night. The crew repaired it at dawn. "
)
GUIDE = f"""# Boats

## Rudders

{PARAGRAPH}

Some parts of it:

- the blade
- the post

```
# no heading
code()
```

{PARAGRAPH}

### Blades

{PARAGRAPH * 40}

{PARAGRAPH * 3}

| a | b |
|---|---|
| 1 | 2 |

## Sails

{PARAGRAPH}
"""
EVERY = {"segmentation": "newline"}


@pytest.fixture(scope="module")
def model(tiny_model: Path) -> sector.Model:
    return sector.load(tiny_model)


def heading_places(text: str) -> list[int]:
    return [match.start() for match in re.finditer(r"^#{1,6} (?!no heading)", text, re.MULTILINE)]


def test_headings_begin_and_name_sections(model: sector.Model) -> None:
    document = model.segment(GUIDE, **EVERY)  # type: ignore[arg-type]
    begins = [section.begin for section in document.sections]
    first, stacked, *others = heading_places(GUIDE)
    assert first in begins and stacked not in begins  # a heading never ends a section
    assert set(others) <= set(begins)
    named = {section.begin: (section.heading, section.level) for section in document.sections}
    assert named[first] == ("Boats | Rudders", 2)
    assert named[others[0]] == ("Boats | Rudders | Blades", 3)
    assert named[others[1]] == ("Boats | Sails", 2)
    assert "".join(section.text for section in document.sections) == GUIDE


def test_only_the_authors_sections(model: sector.Model) -> None:
    document = model.segment(GUIDE, headings="only", **EVERY)  # type: ignore[arg-type]
    assert [section.begin for section in document.sections] == [
        place for i, place in enumerate(heading_places(GUIDE)) if i != 1
    ]


def test_as_if_headings_were_not_there(model: sector.Model) -> None:
    document = model.segment(GUIDE, headings="ignore", **EVERY)  # type: ignore[arg-type]
    assert not any(section.heading for section in document.sections)
    assert not any(re.search(r"^#+ \w+\s*\Z", section.text, re.MULTILINE) for section in document.sections)
    bare = re.sub(r"^#+ .*\n\n", "", GUIDE, flags=re.MULTILINE)
    other = model.segment(read_text(bare), **EVERY)  # type: ignore[arg-type]
    assert [section.label for section in document.sections] == [section.label for section in other.sections]


def test_nothing_is_cut_inside(model: sector.Model) -> None:
    for headings in ("use", "ignore"):
        document = model.segment(GUIDE, headings=headings, **EVERY)  # type: ignore[arg-type]
        for section in document.sections:
            assert section.text.count("```") % 2 == 0
            assert ("- the blade" in section.text) == ("- the post" in section.text)
            assert ("| a | b |" in section.text) == ("| 1 | 2 |" in section.text)


def test_lengths_are_kept_and_cut_at_lines(model: sector.Model) -> None:
    code = "".join(f"line_{n} = value_{n}\n" for n in range(60))
    text = f"# Code\n\n{PARAGRAPH}\n\n```\n{code}```\n\n- one item here\n- two items here\n- three items here\n"
    document = model.segment(text, max_chars=150)
    assert max(len(section.text) for section in document.sections) <= 150
    begins = [section.begin for section in document.sections[1:]]
    assert all(text[begin - 1].isspace() for begin in begins)
    inside = [begin for begin in begins if text.index("```") < begin < text.rindex("```")]
    assert inside and all(text[begin - 1] == "\n" for begin in inside)


def test_an_unknown_way_to_use_headings(model: sector.Model) -> None:
    with pytest.raises(ConfigError, match="use, only, ignore"):
        model.segment("Text.", headings="some")


def test_sections_know_their_page(model: sector.Model) -> None:
    from sector.structure import Block

    text = "One\n\nThe first.\n\nTwo\n\nThe second.\n"
    spans = ((0, 3, "heading", 1), (5, 15, "paragraph", 1), (17, 20, "heading", 4), (22, 33, "paragraph", 4))
    blocks = tuple(Block(b, e, k, int(k == "heading"), p, source=text) for b, e, k, p in spans)  # type: ignore[arg-type]
    document = model.segment(Document(text, blocks=blocks))
    assert [(section.heading, section.page) for section in document.sections] == [("One", 1), ("Two", 4)]
    record = document.to_dict()["sections"][1]
    assert (record["heading"], record["level"], record["page"]) == ("Two", 1, 4)
    assert Document.from_json(document.to_json()).sections[1].page == 4


def test_code_alone_has_a_section(model: sector.Model) -> None:
    (section,) = model.segment("```\nx = 1\n```\n").sections
    assert section.text == "```\nx = 1\n```\n"


def candidates_of(model: sector.Model, text: str) -> list[bool] | None:
    (reading,) = model.read([read_text(text)])
    return None if reading.candidates is None else reading.candidates.tolist()


def test_sections_begin_with_paragraphs(model: sector.Model) -> None:
    line = PARAGRAPH.strip()
    assert candidates_of(model, line) is None
    assert candidates_of(model, f"{line}\n{line}\n") == [True, False, False] * 2
    assert candidates_of(model, f"{line}\n\n{line}\n") == [True, False, False] * 2
    long = PARAGRAPH.strip() + " " + PARAGRAPH * 30
    assert candidates_of(model, f"{line}\n{long}") == [True, False, False] + [True] * 93


def test_paragraphs_of_lower_case_letters(model: sector.Model) -> None:
    assert candidates_of(model, f"{PARAGRAPH}\n\n{PARAGRAPH}\n".lower()) == [True, False, False] * 2


def test_the_papers_segmentations_look_at_sentences(model: sector.Model) -> None:
    text = PARAGRAPH * 4 + "\n" + PARAGRAPH * 4
    document = read_text(text)
    (reading,) = model.read([document])
    free = replace(reading, candidates=None)
    for name in ("max", "emd", "bemd"):
        found = model.decode(document, reading, segmentation=name)
        expected = model.decode(document, free, segmentation=name)
        assert [s.begin for s in found.sections] == [s.begin for s in expected.sections]
    other = model.decode(document, reading, segmentation="changepoint", granularity=20)
    assert {section.begin for section in other.sections} <= {0, text.index("\n") + 1}
