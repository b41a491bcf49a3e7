"""Every format shows every document, and none of them changes a text."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import sector
from sector.document import Document, Section
from sector.errors import ConfigError
from sector.output import (
    FORMATS,
    HtmlFormat,
    JsonFormat,
    JsonLinesFormat,
    MarkdownFormat,
    TableFormat,
    TextFormat,
    find_format,
)
from sector.output.heatmap import COLUMNS, ROWS, figure, hues, pooled
from sector.runtime import Model
from tiny import HELD_OUT, record

EVIL = "<script>alert('1')</script> & \"quotes\"\tand tabs. Second\r\nsentence 🤒.\n\nThird.   "
ANSI = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(scope="module")
def model(tiny_model: Path) -> Model:
    return sector.load(tiny_model)


@pytest.fixture(scope="module")
def document(model: Model) -> Document:
    return model.segment(Document(HELD_OUT, id="dir/held-out.txt"))


def evil(model: Model) -> Document:
    return model.segment(Document(EVIL, id="<b>&\n.txt", title=""), max_chars=30)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("text", ["", "   ", "One.", EVIL, "\ud800.", "x" * 5000, "|a|b|\n|-|-|\n"])
def test_every_format_shows_every_text(name: str, text: str, model: Model) -> None:
    made = find_format(name)
    shown = made.render(model.segment(Document(text, id="x"))) + made.render(model.segment(text))
    frame = made.frame(True)
    assert isinstance(frame.before + shown + frame.between + shown + frame.after, str)


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ConfigError, match="text, json, jsonl, markdown, html"):
        find_format("pdf")


def test_json(document: Document) -> None:
    found = json.loads(JsonFormat().render(document))
    assert found.keys() >= {"id", "model", "length", "sections"}
    assert found["length"] == len(HELD_OUT)
    assert "".join(section["text"] for section in found["sections"]) == HELD_OUT
    assert found["sections"][0].keys() >= {"begin", "end", "label", "confidence", "scores", "text"}
    frame = JsonFormat().frame(True)
    listed = frame.before + frame.between.join([JsonFormat().render(document)] * 2) + frame.after
    assert json.loads(listed) == [found, found]
    assert json.loads(frame.before + frame.after) == []
    assert json.loads(JsonLinesFormat().render(document)) == found
    assert JsonLinesFormat().render(document).count("\n") == 1


def test_markdown_keeps_the_text(document: Document) -> None:
    shown = MarkdownFormat(titled=False).render(document)
    parts = re.split(r"^## \w+\n\n", shown, flags=re.MULTILINE)[1:]
    for part, section in zip(parts, document.sections, strict=True):
        assert part.startswith(section.text)
    assert re.findall(r"^## (\w+)$", shown, flags=re.MULTILINE) == [s.label for s in document.sections]
    assert MarkdownFormat(titled=True).render(document).startswith("# dir/held-out.txt\n\n## ")


def test_lines_for_pipes(document: Document, model: Model) -> None:
    rows = [line.split("\t") for line in TableFormat().render(document).splitlines()]
    assert [row[3] for row in rows] == [section.label for section in document.sections]
    assert all(HELD_OUT[int(row[1]) : int(row[2])].startswith(row[6][:20]) for row in rows)
    assert sum(int(row[5]) for row in rows) == len(document)
    shown = TableFormat().render(evil(model))
    assert all(line.count("\t") == 7 for line in shown.splitlines())
    assert not set("\r\x1b") & set(shown)


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_text_for_terminals(width: int, document: Document, model: Model) -> None:
    coloured, plain = TextFormat(width, True).render(document), TextFormat(width, False).render(document)
    assert ANSI.sub("", coloured) == plain != coloured
    lines = plain.splitlines()
    assert len(lines) == 1 + 2 * len(document.sections)
    assert all(len(line) <= max(width, 24) for line in lines[2::2])
    if width >= 80:
        assert all(len(line) <= width for line in lines)
        assert "symptom" in plain and "sentences" in plain and "█" in plain
    escaped = TextFormat(width, False).render(model.segment("\x1b[31mred\x07 text. " * 5))
    assert "\x1b" not in escaped and "\x07" not in escaped


class Reader(HTMLParser):
    """Gathers tags, attributes and the text of the sections."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.values: list[str] = []
        self.texts: list[str] = []
        self.inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.values += [value or "" for _, value in attributes]
        if ("class", "text") in attributes:
            self.inside = True
            self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "div"

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.texts[-1] += data


def page(document: Document) -> str:
    frame = HtmlFormat().frame(False)
    return frame.before + HtmlFormat().render(document) + frame.after


def test_html_is_exact_and_harmless(model: Model) -> None:
    shown = page(evil(model))
    reader = Reader(shown)
    assert "".join(reader.texts) == EVIL
    assert not {"script", "b", "link", "img", "iframe"} & set(reader.tags)
    assert not re.search(r"https?://|url\(|@import|src=", shown)
    assert reader.tags.count("section") == len(evil(model).sections)


def test_html_draws_the_figure(document: Document) -> None:
    shown = page(document)
    svg = ElementTree.fromstring(re.findall(r"<svg.*</svg>", shown, flags=re.DOTALL)[0])
    texts = [node.text for node in svg.iter("text")]
    assert set(document.labels) < set(texts)
    assert len(list(svg.iter("line"))) == len(document.sections) - 1
    assert len(list(svg.iter("polyline"))) == 1
    links = {node.get("href", "")[1:] for node in svg.iter("a")}
    assert links == set(re.findall(r'<section id="([^"]+)"', shown))


def test_a_long_document_is_pooled(model: Model) -> None:
    long = model.segment("".join(record(number)["text"] for number in range(100)))
    drawn = figure(long, "s")
    assert len(drawn) < 300_000
    assert drawn.count("<line") == 0
    rows = np.arange(10_000, dtype=np.float32).reshape(5000, 2)
    assert pooled(rows).shape == (COLUMNS, 2)
    np.testing.assert_allclose(pooled(rows).mean(), rows.mean(), rtol=1e-3)


def test_many_labels_and_none() -> None:
    labels = tuple(f"label {number} <&> with a very long name" for number in range(50))
    scores = np.full((1, 50), 0.02, np.float32)
    text = "One."
    read = Document(text, sections=(Section(0, 4, labels[7], source=text),), labels=labels, probabilities=scores)
    assert len(hues(read)) == ROWS
    assert labels[7] in hues(read)
    ElementTree.fromstring(figure(read, "s"))
    assert figure(replace(read, probabilities=None), "s") == ""
    assert figure(Document(""), "s") == ""
