"""How fast the models are, and how that grows: throughput, long documents, memory, start, where the time goes."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import sector
from harness.clock import median, seconds, times
from harness.data import documents
from harness.page import table
from sector.document import Document
from sector.runtime import Model

TITLE = "Speed"
EXAMPLE = str(Path(__file__).parents[2] / "examples" / "migraine.txt")
PAPERS = 2.8
"""Documents of en_city per second in the paper: 0.36 s each, on a CPU of another machine."""
PROSE = (
    "The town of Port {n} lies on the north coast, {n} km from the border. Its first school was founded in {year}. "
    "Most people work in fishing, trade and tourism.\nThe railway came late, and route {n} was built in {year}. "
    "Buses run every hour to the harbour. A ferry crosses the bay twice a day.\nThe museum shows tools and boats. "
    "Every summer a choir sings in the old mill. Its club won {n} games and plays in the second league.\n"
)
"""Nine sentences."""
MEMORY = """
import re, sys
from pathlib import Path
import sector
def size(name):
    return int(re.search(name + r":\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024
model = sector.load(sys.argv[1])
loaded = size("VmRSS")
document = model.segment(Path(sys.argv[2]).read_text(encoding="utf-8"))
page = size("VmRSS")
document = model.segment(sys.stdin.read())
print(loaded, page, size("VmHWM"))
"""
"""The kernel's own peak of a new process; `getrusage` would count what its parent had before."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", nargs="*", default=["en_city", "en"], help="names or folders")
    parser.add_argument("--data", default="en_city_test")
    parser.add_argument("--limit", type=int, help="only the first documents")
    parser.add_argument("--longest", type=int, default=100_000, help="sentences of the longest document")


def report(options: argparse.Namespace) -> Iterator[str]:
    gold = documents(options.data, options.limit)
    lengths = [length for length in (10, 100, 1_000, 10_000, 100_000) if length <= options.longest]
    yield f"## Text in, sections out: {options.data}, {len(gold)} documents, {sum(map(len, gold)):,} sentences\n"
    head = ["model", "load, s", "documents/s", "best", "sentences/s", "one by one, documents/s", "the paper's times"]
    yield from table(head, (throughput(name, gold) for name in options.model))
    yield f"\nMedian and best of five runs. The paper: {PAPERS} documents/s, on another machine.\n"
    models = {name: sector.load(name) for name in options.model}
    yield "## Cost per sentence by length of the document, µs\n"
    rows = ([name, *(f"{cost(model, length):.0f}" for length in lengths)] for name, model in models.items())
    yield from table(["model", *(f"{length:,} sentences" for length in lengths)], rows)
    yield "\n## Resident memory of a new process, MB\n"
    head = ["model", "loaded", "after a page (examples/migraine.txt)", f"peak of {lengths[-1]:,} sentences"]
    yield from table(head, (memory(name, lengths[-1]) for name in options.model))
    yield "\n## Seconds from the start of the process to its first output\n"
    yield from table(["command", "seconds"], starts())
    for name, model in models.items():
        yield f"\n## Where the time goes: {name}\n"
        yield from table(["step", "µs per sentence", "share"], steps(model, gold))


def throughput(name: str, gold: Sequence[Document]) -> list[str]:
    texts, found = [document.text for document in gold], []
    loaded = seconds(lambda: found.append(sector.load(name)))
    model = found[0]
    together = times(lambda: list(model.segment_all(texts)))
    single = median(lambda: [model.segment(text) for text in texts], 3)
    rates = [len(texts) / together[len(together) // 2], len(texts) / together[0]]
    sentences = sum(map(len, gold)) / len(texts) * rates[0]
    parts = [*(f"{rate:,.1f}" for rate in rates), f"{sentences:,.0f}", f"{len(texts) / single:,.1f}"]
    return [name, f"{loaded:.2f}", *parts, f"{rates[0] / PAPERS:.1f}"]


def prose(sentences: int) -> str:
    """Return a text of about so many sentences."""
    parts = "".join(PROSE.format(n=number, year=1500 + number % 500) for number in range(sentences // 9 + 1))
    ends = [match.end() for match in re.finditer(r"\.\s", parts)]
    return parts[: ends[sentences - 1]]


def cost(model: Model, length: int) -> float:
    text, inner = prose(length), max(1, 1_000 // length)
    if length > 10_000:
        return seconds(lambda: model.segment(text)) / length * 1e6
    return median(lambda: [model.segment(text) for _ in range(inner)], 3) / inner / length * 1e6


def memory(name: str, sentences: int) -> list[str]:
    command = [sys.executable, "-c", MEMORY, name, EXAMPLE]
    done = subprocess.run(command, input=prose(sentences), capture_output=True, text=True, check=True)
    return [name, *(f"{float(size):,.0f}" for size in done.stdout.split())]


def starts() -> Iterator[list[str]]:
    with tempfile.TemporaryDirectory() as folder:  # compiled files as an installation has them
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        commands = {
            "python -c pass": ["-c", "pass"],
            "import sector": ["-c", "import sector"],
            "sector segment examples/migraine.txt": ["-c", "from sector.cli import main; main()", "segment", EXAMPLE],
        }
        for name, given in commands.items():
            taken = sorted(first_output([sys.executable, *given], environment) for _ in range(6))
            yield [f"`{name}`", f"{taken[2]:.2f}"]


def first_output(command: Sequence[str], environment: dict[str, str]) -> float:
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        taken = time.perf_counter() - start
        process.stdout.read()
    assert process.returncode == 0, command
    return taken


def steps(model: Model, gold: Sequence[Document]) -> Iterator[list[str]]:
    """Time each step alone, one after the other; `segment_all` runs the network beside the others."""
    fresh = [Document(document.text, language=document.language) for document in gold]
    readings: list[sector.segmentation.Reading] = []
    parts = {
        "sentences": seconds(lambda: [document.spans for document in fresh]),
        "words and network": seconds(lambda: readings.extend(model.read(fresh))),
    }
    pairs = list(zip(fresh, readings, strict=True))
    parts["segmentation and sections"] = seconds(lambda: [model.decode(*pair) for pair in pairs])
    for name, taken in parts.items():
        yield [name, f"{taken / sum(map(len, fresh)) * 1e6:.1f}", f"{taken / sum(parts.values()):.0%}"]
