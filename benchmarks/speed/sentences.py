"""Time of sentence splitting beside bare sentencex on the same text, and its cost per byte on odd inputs.

python benchmarks/sentences.py [--data FILE] [--language CODE] [--megabytes N]
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import sentencex
from rich.console import Console
from rich.table import Table

from sector.text import split_sentences

PROSE = (
    "The harbour town lies on the north coast, approx. 20 km from the border. Dr. J. R. Keller founded its "
    "first school in 1871; it has 3,400 pupils today. Most people work in fishing, trade and tourism. What "
    "changed after the war? The mills closed, the railway came, and the U.S. Navy built a base.\n"
)
ODD = {
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


def default_data() -> Path:
    root = Path(__file__).parents[1]
    folder = Path(os.environ.get("SECTOR_DATA", root.parent / "shared" / "data"))
    return folder / "wikisection" / "en_city_train.json.xz"


def read_texts(path: Path, characters: int) -> list[str]:
    """Return the first texts of a WikiSection file, up to a number of characters."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        records = json.load(file)
    texts: list[str] = []
    for record in records:
        texts.append(record["text"])
        characters -= len(texts[-1])
        if characters <= 0:
            break
    return texts


def seconds(action: Callable[[], object], repeats: int = 1) -> float:
    """Return the best time of some repeats."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def compare(name: str, texts: list[str], language: str) -> Table:
    """Time bare sentencex and split_sentences on the same texts."""
    size = sum(len(text.encode()) for text in texts)
    bare = ours = float("inf")
    for _ in range(ROUNDS):
        bare = min(bare, seconds(lambda: [sentencex.segment(language or "en", text) for text in texts]))
        ours = min(ours, seconds(lambda: [split_sentences(text, language) for text in texts]))
    count = sum(len(split_sentences(text, language)) for text in texts)
    table = Table("splitter", "MB/s", "ns per byte", "µs per sentence", title=f"{name}: {size / 1e6:.1f} MB")
    for splitter, time_ in (("sentencex alone", bare), ("split_sentences", ours)):
        table.add_row(splitter, *(f"{x:.1f}" for x in (size / time_ / 1e6, time_ / size * 1e9, time_ / count * 1e6)))
    table.caption = f"{count:,} sentences; {bare / ours:.0%} of the throughput of sentencex alone"
    return table


def odd_inputs(megabytes: float) -> Table:
    """Time inputs that a splitter may be slow at, at a size and at a quarter of it."""
    title = f"odd inputs of {megabytes:g} MB, beside prose"
    table = Table("input", "sentences", "ns per byte", "µs per sentence", "ns per byte, ¼ of it", title=title)
    for name, unit in {"prose": PROSE, **ODD}.items():
        text = unit * int(megabytes * 1e6 / len(unit.encode()))
        quarter = text[: len(text) // 4]
        count, size = len(split_sentences(text)), len(text.encode())
        whole, part = (seconds(partial(split_sentences, sample), 2) for sample in (text, quarter))
        per_sentence = f"{whole / count * 1e6:.1f}" if count > 1 else "–"
        table.add_row(name, f"{count:,}", f"{whole / size * 1e9:.1f}", per_sentence, f"{part / size * 4e9:.1f}")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help=f"a WikiSection .json.xz file, e.g. {default_data()}")
    parser.add_argument("--language", default="en", help="language of the texts; '' for unknown")
    parser.add_argument("--megabytes", type=float, default=10, help="size of the texts")
    options = parser.parse_args()
    size = int(options.megabytes * 1e6)
    console = Console(width=110)
    console.print(compare("synthetic prose", [PROSE * 30] * (size // len(PROSE * 30)), options.language))
    data = options.data or default_data()
    if data.exists():
        console.print(compare(data.name, read_texts(data, size), options.language))
    console.print(odd_inputs(options.megabytes))


if __name__ == "__main__":
    main()
