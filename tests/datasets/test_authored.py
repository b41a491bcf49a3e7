"""Documents with an author's headings as training data."""

from __future__ import annotations

from sector.datasets.authored import Authored, split_off, training_document
from sector.document import Document
from sector.reading import read

GUIDE = b"""# The kiln

This guide says how the kiln is run.

## 1. Install

Put the kiln on a stone floor.
Then wire it.

```sh
kiln --wire
```

### Linux

- Load the driver.
- Start it.

## 2.0.1 (2024-03-01)

It is faster now.

## 3. FIRING THE KILN

| cone | degrees |
|------|---------|
| 04   | 1060    |

Fire slowly.
"""


def guide(**changes: str) -> Document:
    return read(GUIDE.replace(b"kiln", changes.get("what", "kiln").encode()), "md")


def test_prose_in_sections_with_headings() -> None:
    document = training_document(guide())
    assert [(section.heading, section.text) for section in document.sections] == [
        ("Install", "Put the kiln on a stone floor. Then wire it.\n"),
        ("Install | Linux", "Load the driver.\nStart it.\nIt is faster now.\n"),
        ("Firing the kiln", "Fire slowly.\n"),
    ]
    assert "".join(section.text for section in document.sections) == document.text
    assert document.title == "The kiln"
    assert document.metadata == {"abstract": "This guide says how the kiln is run."}
    assert document.language == "en"


def test_levels() -> None:
    headings = [section.heading for section in training_document(guide(), levels=1).sections]
    assert headings == ["Install", "Firing the kiln"]


def test_several_main_headings_are_no_title() -> None:
    document = training_document(read(b"# Rain\n\nIt rains.\n\n# Snow\n\nIt snows.\n", "md"))
    assert [section.heading for section in document.sections] == ["Rain", "Snow"]


def test_contents_are_no_section() -> None:
    text = b"# Contents\n\n- Rain\n- Snow\n\n# Rain\n\nIt rains.\n\n# Snow\n\nIt snows.\n"
    assert [section.heading for section in training_document(read(text, "md")).sections] == ["Rain", "Snow"]


def test_what_is_left_out_is_counted() -> None:
    authored = Authored(language="en")
    german = "# Regen\n\nEs regnet und der Wind ist kalt.\n\n# Schnee\n\nEs schneit auf dem Berg und im Tal.\n"
    documents = [guide(), guide(), read(b"Only a line of text.", "txt"), read(german.encode(), "md")]
    assert len(list(authored.select(documents))) == 1
    assert sorted(authored.left_out.values()) == [1, 1, 1]


def test_held_out_documents_do_not_depend_on_the_order() -> None:
    documents = [training_document(guide(what=f"kiln{number}")) for number in range(20)]
    train, held_out = split_off(documents, 0.1)
    assert (len(train), len(held_out)) == (18, 2)
    again = split_off(documents[::-1], 0.1)[1]
    assert {document.text for document in again} == {document.text for document in held_out}
    assert [len(part) for part in split_off(documents[:2], 0.01)] == [1, 1]
