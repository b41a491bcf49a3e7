"""What a notebook shows of a document, and progress bars."""

from __future__ import annotations

import io
import re
import sys
from contextlib import redirect_stderr
from html.parser import HTMLParser
from pathlib import Path

import pytest

import sector
from sector.document import Document, Section
from sector.output import notebook
from sector.output.tracking import bar, in_notebook
from sector.runtime import Model
from tiny import HELD_OUT, HELD_OUT_LABELS

EVIL = "<script>alert('1')</script> & \"quotes\". Second\r\nsentence 🤒.\n\nThird. \x1b[31m \ud800  "


@pytest.fixture(scope="module")
def model(tiny_model: Path) -> Model:
    return sector.load(tiny_model)


class Balance(HTMLParser):
    """Checks that every element is closed, and gathers the names of elements."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.opened.append(tag)
        self.seen.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag


def shown(document: Document) -> str:
    html = document._repr_html_()
    parser = Balance()
    parser.feed(html)
    assert parser.opened == []
    assert "script" not in parser.seen
    html.encode("utf-8")
    return html


@pytest.mark.parametrize("text", ["", "   ", "One.", EVIL, "x" * 5000])
def test_every_document_can_be_shown(text: str, model: Model) -> None:
    shown(model.segment(Document(text, id="<b>&")))
    shown(Document(text, id="not segmented"))


def test_sections_are_folded_in_their_colours(model: Model) -> None:
    html = shown(model.segment(HELD_OUT, merge=True))
    assert re.findall(r"<summary[^>]*><b>(\w+)</b>", html) == list(HELD_OUT_LABELS)
    assert len(set(re.findall(r'<details style="(--h:\d+)">', html))) == 3
    assert "<details open" not in html
    assert "Doctors prescribe an ointment; in severe cases surgery is given." in html


def test_a_long_document_is_shown_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = tuple(Section(10 * n, 10 * n + 10, f"part{n}", source="x" * 1000) for n in range(100))
    document = Document("x" * 1000, sections=parts)
    monkeypatch.setattr(notebook, "SECTIONS", 30)
    assert ("part29" in shown(document), "part30" in shown(document), "70 more sections" in shown(document)) == (
        *(True, False, True),
    )
    monkeypatch.setattr(notebook, "CHARACTERS", 45)
    assert "96 more sections" in shown(document)
    whole = Document("x" * 1000, sections=(Section(0, 1000, "all", source="x" * 1000),))
    assert shown(whole).count("x") < 200


def test_sections_and_documents_are_shown_in_one_short_line(model: Model) -> None:
    document = model.segment(HELD_OUT, merge=True)
    assert list(document) == list(document.sections)
    line = re.sub(r"[01]\.\d\d", "C", repr(document.sections[0]))
    assert line == "Section(0, 158, label='symptom', confidence=C, text='The first symptom is often nausea, foll…')"
    assert len(repr(Section(0, 10**6, "label", source=" " * 10**6))) < 100


def test_tracking_passes_items_through() -> None:
    errors = io.StringIO()
    with redirect_stderr(errors):
        assert list(sector.track(iter("abc"), total=3)) == ["a", "b", "c"]
    assert not in_notebook()
    assert errors.getvalue() == ""


def test_a_bar_says_how_far_it_is() -> None:
    assert bar(5, 20, 2.0, "<b>").startswith('<div><progress value="5" max="20"></progress> 5 / 20 &lt;b&gt;')
    assert bar(5, 20, 2.0, "documents").endswith("documents · 2.5 per second · 6 s left</div>")
    assert bar(0, 0, 0.0, "documents") == '<div><progress value="0" max="1"></progress> 0 / 0 documents</div>'
    assert bar(7, None, 1.0, "documents") == "<div>7 documents · 7.0 per second</div>"


def test_a_notebook_gets_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    class Handle:
        def update(self, html: str) -> None:
            drawn.append(html)

    class Shell:
        kernel = object()

    class IPython:
        HTML = staticmethod(str)

        @staticmethod
        def get_ipython() -> Shell:
            return Shell()

        @staticmethod
        def display(html: str, display_id: bool) -> Handle:
            drawn.append(html)
            return Handle()

    monkeypatch.setitem(sys.modules, "IPython", IPython)
    monkeypatch.setitem(sys.modules, "IPython.display", IPython)
    assert in_notebook()
    assert list(sector.track([1, 2, 3])) == [1, 2, 3]
    assert ["0 / 3" in drawn[0], "3 / 3" in drawn[-1]] == [True, True]
