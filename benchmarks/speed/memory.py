"""Peak memory and time of reading and segmenting one long document: MB per MB of text."""

from __future__ import annotations

import argparse
import html
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

from harness.data import documents
from harness.page import table

TITLE = "Memory of long documents"
SUFFIXES = ("txt", "md", "html")
CHILD = """
import json, sys, time
import sector
file, model, work = sys.argv[1:]
begun = time.process_time()
if work == "load":
    sector.load(model)
else:
    document = sector.read(file)
    if work != "read":
        made = sector.load(model)
        found = list(getattr(made, work)(document))
        assert found
lines = open("/proc/self/status").read().splitlines()
peak = next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))
print(json.dumps([peak, time.process_time() - begun]))
"""
"""A process of its own for each measurement: the peak is never forgotten."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--models", nargs="+", default=["en", "en_city"])
    parser.add_argument("--data", default="en_city_test")
    parser.add_argument("--sizes", nargs="+", type=int, default=[1, 5, 20], help="MB of text")
    parser.add_argument("--letters", type=int, default=1_000_000, help="sentences of one letter each; 0 for none")


def report(options: argparse.Namespace) -> Iterator[str]:
    texts = [document.text for document in documents(options.data)]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for size in options.sizes:
            _write(folder, texts, size)
        yield f"Documents of {options.data}, one after the other, in one file. Each figure: a process of its own.\n"
        (loaded, _), *_ = (_measured(folder, model, "load") for model in options.models)
        yield f"With {options.models[0]} loaded and nothing read a process has {loaded:.0f} MB.\n"
        head = [f"peak MB at {size} MB" for size in options.sizes]
        yield from table(["", *head, "MB per MB of text", "seconds per MB"], _rows(folder, options), 1)
        if options.letters:
            yield from _letters(folder, options)


def _rows(folder: Path, options: argparse.Namespace) -> Iterator[list[object]]:
    works = [(f"`sector.read`, {suffix}", options.models[0], "read", suffix) for suffix in SUFFIXES]
    for model in options.models:
        works += [(f"`segment` with {model}, {suffix}", model, "segment", suffix) for suffix in SUFFIXES]
    works.append((f"`chunk` with {options.models[0]}, txt", options.models[0], "chunk", "txt"))
    for name, model, work, suffix in works:
        found = [_measured(folder / f"{size}.{suffix}", model, work) for size in options.sizes]
        (low, _), (high, seconds) = found[0], found[-1]
        slope = (high - low) / (options.sizes[-1] - options.sizes[0]) if len(found) > 1 else high / options.sizes[0]
        peaks = [f"{peak:,.0f}" for peak, _ in found]
        yield [name, *peaks, f"{slope:.0f}", f"{seconds / options.sizes[-1]:.1f}"]


def _letters(folder: Path, options: argparse.Namespace) -> Iterator[str]:
    (folder / "letters.txt").write_text("a. " * options.letters)
    yield f"\n## {options.letters:,} sentences of one letter: {3 * options.letters / 1e6:.0f} MB\n"
    rows = [
        [f"`segment` with {model}", *(f"{value:,.0f}" for value in _measured(folder / "letters.txt", model, "segment"))]
        for model in options.models
    ]
    yield from table(["", "peak MB", "seconds"], rows)


def _write(folder: Path, texts: list[str], size: int) -> None:
    parts: list[str] = []
    length = 0
    for text in cycle(texts):
        if length >= size * 1_000_000:
            break
        parts.append(text)
        length += len(text.encode())
    paragraphs = [f"<p>{html.escape(part)}</p>" for text in parts for part in text.split("\n") if part.strip()]
    (folder / f"{size}.txt").write_text("\n\n".join(parts), encoding="utf-8")
    (folder / f"{size}.md").write_text("\n\n".join(f"# Article\n\n{part}" for part in parts), encoding="utf-8")
    (folder / f"{size}.html").write_text("<!doctype html>\n" + "\n".join(paragraphs), encoding="utf-8")


def _measured(file: Path, model: str, work: str) -> tuple[float, float]:
    """Return the peak of resident memory in MB and the processor seconds of one process."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(file), model, work], capture_output=True, text=True, check=True
    )
    peak, seconds = json.loads(done.stdout)
    return peak, seconds
