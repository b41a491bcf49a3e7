"""Time of sentence splitting beside bare sentencex on the same text, and its cost per byte on odd inputs."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial

import sentencex

from harness.clock import seconds
from harness.data import documents
from harness.page import NOTHING, table
from sector.text import split_sentences

TITLE = "Time of sentence splitting"
PROSE = (
    "The harbour town lies on the north coast, approx. 20 km from the border. Dr. J. R. Keller founded its "
    "first school in 1871; it has 3,400 pupils today. Most people work in fishing, trade and tourism. What "
    "changed after the war? The mills closed, the railway came, and the U.S. Navy built a base.\n"
)
ODD = {
    "prose": PROSE,
    "blanks": " ",
    "one word": "a",
    "one unbroken line": "word ",
    "line breaks": "\n",
    "single letters": "a. ",
    "numbers": "1. ",
    "titles": "Dr. ",
    "open quotes": '"Hello there. ',
    "open brackets": "(Hello there. ",
    "Chinese, one line": "你好，我是学生。",
    "German quotes, one line": "Er sagte „ja. Und ging fort. ",
}
ROUNDS = 5
"""How often the two splitters take turns; the best time of each counts."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", nargs="*", default=["en_city_train", "de_wiki_test"])
    parser.add_argument("--megabytes", type=float, default=10, help="size of the texts")


def report(options: argparse.Namespace) -> Iterator[str]:
    size = int(options.megabytes * 1e6)
    head = ["text", "MB", "sentences", "sentencex, MB/s", "split_sentences, MB/s", "µs per sentence"]
    texts = {"synthetic prose": ([PROSE * 30] * (size // len(PROSE * 30) + 1), "en")}
    texts |= {name: (list(first(name, size)), name[:2]) for name in options.data}
    yield from table(head, (beside(name, *given) for name, given in texts.items()))
    yield f"\n## Odd inputs of {options.megabytes:g} MB, beside prose\n"
    head = ["input", "sentences", "ns per byte", "µs per sentence", "ns per byte, ¼ of it"]
    yield from table(head, (odd(name, unit, size) for name, unit in ODD.items()))


def first(name: str, characters: int) -> Iterator[str]:
    """Return the first texts of a data set, up to a number of characters."""
    for document in documents(name):
        if characters <= 0:
            return
        characters -= len(document.text)
        yield document.text


def beside(name: str, texts: list[str], language: str) -> list[str]:
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    count = sum(len(split_sentences(text, language)) for text in texts)
    bare = ours = float("inf")
    for _ in range(ROUNDS):
        bare = min(bare, seconds(lambda: [sentencex.segment(language, text) for text in texts]))
        ours = min(ours, seconds(lambda: [split_sentences(text, language) for text in texts]))
    rates = (f"{megabytes / bare:.1f}", f"{megabytes / ours:.1f}", f"{ours / count * 1e6:.1f}")
    return [name, f"{megabytes:.1f}", f"{count:,}", *rates]


def odd(name: str, unit: str, size: int) -> list[str]:
    """Time an input that a splitter may be slow at, at a size and at a quarter of it."""
    text = unit * max(1, size // len(unit.encode()))
    quarter = text[: len(text) // 4]
    count, length = len(split_sentences(text)), len(text.encode())
    whole, part = (min(seconds(partial(split_sentences, one)) for _ in range(2)) for one in (text, quarter))
    each = f"{whole / count * 1e6:.1f}" if count > 1 else NOTHING
    return [name, f"{count:,}", f"{whole / length * 1e9:.1f}", each, f"{part / length * 4e9:.1f}"]
