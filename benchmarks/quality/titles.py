"""Titles: how often the author's heading of a section is found, at once and within five, among the most frequent."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

import sector
from harness.data import documents
from harness.page import table
from sector.arrays import Floats2d
from sector.document import Document
from sector.export.inventory import cleaned
from sector.runtime import Model
from sector.runtime.titles import section_vectors
from sector.segmentation import SectionSpans

TITLE = "Titles of the author's sections"
HEAD = ["model", "data", "sections", "headings", "at once", "within five"]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", nargs="*", default=["en"], help="models of open vocabulary")
    parser.add_argument("--data", nargs="*", default=["en_wiki_test", "en_docs_test"])
    parser.add_argument("--headings", type=int, default=1500, help="so many of the most frequent ones are ranked")
    parser.add_argument("--limit", type=int, help="only the first documents of each data set")


def report(options: argparse.Namespace) -> Iterator[str]:
    yield from table(HEAD, rows(options), names=2)


def rows(options: argparse.Namespace) -> Iterator[list[object]]:
    for name in options.model:
        model = sector.load(name)
        for data in options.data:
            ranks = np.array(list(found(model, documents(data, options.limit), options.headings)))
            shares = [f"{100 * (ranks < most).mean():.1f}" for most in (1, 5)]
            yield [f"`{name}`", data, len(ranks), options.headings, *shares]


def found(model: Model, gold: list[Document], most: int) -> Iterator[int]:
    """Yield the rank of each section's heading that is one of the most frequent ones."""
    assert model.space is not None
    places = {phrase.casefold(): number for number, phrase in enumerate(model.space.phrases[:most])}
    for document in gold:
        numbers = [places.get(cleaned(section.heading).casefold(), -1) for section in document.sections]
        for number, row in zip(numbers, logits(model, document), strict=True):
            if number >= 0:
                yield int((row[:most] > row[number]).sum())


def logits(model: Model, document: Document) -> Floats2d:
    """Return what the model says of each phrase for each of the author's sections."""
    assert model.space is not None
    plain = Document(document.text, language=document.language)
    (reading,) = model.read([plain])
    spans = SectionSpans.between([*(section.begin for section in document.sections), len(plain.text)], plain.spans)
    assert reading.vectors is not None
    return model.space.logits(section_vectors(spans, reading.vectors), model.config.space["temperature"])
