"""Speed, memory and start of the embedded models, and where the time goes.

python benchmarks/speed.py [--model NAME …] [--output FILE]
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

import sector
from sector import datasets
from sector.document import Document
from sector.network.config import NetworkConfig
from sector.runtime import Model

Item = TypeVar("Item")
ROOT = Path(__file__).parents[1]
LENGTHS = (10, 100, 1_000, 10_000, 100_000)
REPEATS = 5
PROSE = (
    "The town of Port {n} lies on the north coast, {n} km from the border. Its first school was founded in {year}. "
    "Most people work in fishing, trade and tourism.\nThe railway came late, and route {n} was built in {year}. "
    "Buses run every hour to the harbour. A ferry crosses the bay twice a day.\nThe museum shows tools and boats. "
    "Every summer a choir sings in the old mill. Its club won {n} games and plays in the second league.\n"
)
"""Nine sentences."""
PAPER = "The paper: 0.36 s per document of en_city on a CPU, 2.8 documents/s (Arnold et al. 2019; another machine)."
INSTALLED = """193 MB, of which numpy 73, onnxruntime 68, sector with its four models 23; pip and setuptools are not
counted. By hand on 2026-11-16:

```
pip wheel --no-deps -w wheel . && python -m venv core && core/bin/pip install wheel/*.whl
du -sm core/lib/python3.11/site-packages
```"""
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
print(loaded, page, size("VmHWM"), len(document))
"""


def main() -> None:
    """Measure and print Markdown."""
    options = _options()
    documents = list(datasets.read(options.data, language="en"))
    report = "\n".join(_report(options.model, documents, options.data.name))
    if options.output:
        options.output.write_text(report + "\n", encoding="utf-8")
    print(report)


def _options() -> argparse.Namespace:
    folder = Path(os.environ.get("SECTOR_DATA", ROOT.parent / "shared" / "data"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=folder / "wikisection" / "en_city_test.json.xz")
    parser.add_argument("--model", nargs="*", default=["en_city", "en_wiki"], help="names or folders")
    parser.add_argument("--output", type=Path, help="write the report to this file too")
    return parser.parse_args()


def _report(names: Sequence[str], documents: Sequence[Document], data: str) -> Iterator[str]:
    models = {name: sector.load(name) for name in names}
    yield f"# Speed\n\n```\npython {' '.join(sys.argv)}\n```\n"
    yield f"{os.cpu_count()}-core x86_64 VM, Python {sys.version.split()[0]}, {date.today().isoformat()};"
    yield f"load of the machine (1 minute) before the run: {os.getloadavg()[0]:.1f}.\n"
    yield from _throughput(models, documents, data)
    yield from _growth(models)
    yield from _memory(names)
    yield from _start()
    for name, model in models.items():
        yield from _shares(name, model, documents)
    yield f"\n## Installed size of the core with its dependencies\n\n{INSTALLED}"


def _throughput(models: dict[str, Model], documents: Sequence[Document], data: str) -> Iterator[str]:
    texts = [document.text for document in documents]
    sentences = sum(len(document) for document in documents)
    yield f"## Text in, sections out: {data}, {len(texts)} documents, {sentences:,} sentences\n"
    yield f"Median and best of {REPEATS} runs of `segment_all`.\n"
    yield "| model | documents/s | best | sentences/s | one by one, documents/s | times the paper's 2.8 |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for name, model in models.items():
        times = _times(partial(_all, model, texts))
        single = _times(partial(_each, model, texts))[REPEATS // 2]
        middle = times[REPEATS // 2]
        cells = (len(texts) / middle, len(texts) / times[0], sentences / middle, len(texts) / single)
        yield f"| {name} | {' | '.join(f'{cell:,.0f}' for cell in cells)} | {cells[0] / 2.8:.0f} |"
    yield f"\n{PAPER}\n"


def _all(model: Model, texts: Sequence[str]) -> object:
    return list(model.segment_all(texts))


def _each(model: Model, texts: Sequence[str]) -> object:
    return [model.segment(text) for text in texts]


def _times(work: Callable[[], object], repeats: int = REPEATS) -> list[float]:
    """Return the times of the repeats, sorted; one more before them does not count."""
    found = []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return sorted(found[1:])


def prose(sentences: int) -> str:
    """Return a text of about so many sentences."""
    parts = "".join(PROSE.format(n=number, year=1500 + number % 500) for number in range(sentences // 9 + 1))
    ends = [match.end() for match in re.finditer(r"\.\s", parts)]
    return parts[: ends[sentences - 1]]


def _growth(models: dict[str, Model]) -> Iterator[str]:
    yield "## Cost per sentence by length of the document, µs\n"
    yield f"| model | {' | '.join(f'{length:,} sentences' for length in LENGTHS)} |"
    yield "| --- |" + " ---: |" * len(LENGTHS)
    for name, model in models.items():
        yield f"| {name} | {' | '.join(f'{_cost(model, length):.0f}' for length in LENGTHS)} |"
    yield "\nOf more than 2,048 sentences in windows; probabilities then in float16.\n"


def _cost(model: Model, length: int) -> float:
    text = prose(length)
    if length > 10_000:
        start = time.perf_counter()
        model.segment(text)
        return (time.perf_counter() - start) / length * 1e6
    inner = max(1, 1_000 // length)
    times = _times(lambda: [model.segment(text) for _ in range(inner)], 3)
    return times[1] / inner / length * 1e6


def _memory(names: Sequence[str]) -> Iterator[str]:
    yield "## Resident memory of a new process, MB\n"
    yield "| model | loaded | after a page (examples/migraine.txt) | peak of 100,000 sentences |"
    yield "| --- | ---: | ---: | ---: |"
    for name in names:
        command = [sys.executable, "-c", MEMORY, name, str(ROOT / "examples" / "migraine.txt")]
        done = subprocess.run(command, input=prose(100_000), capture_output=True, text=True, check=True)
        loaded, page, peak, sentences = map(float, done.stdout.split())
        assert abs(sentences - 100_000) < 1_000, sentences
        yield f"| {name} | {loaded:.0f} | {page:.0f} | {peak:,.0f} |"


def _start() -> Iterator[str]:
    example = str(ROOT / "examples" / "migraine.txt")
    with tempfile.TemporaryDirectory() as folder:  # compiled files as an installation has them
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        commands = {
            "python -c pass": ["-c", "pass"],
            "import sector": ["-c", "import sector"],
            "sector segment examples/migraine.txt": ["-c", "from sector.cli import main; main()", "segment", example],
        }
        yield "\n## Seconds from the start of the process\n"
        yield "| command | to its first output, or its end |\n| --- | ---: |"
        for name, arguments in commands.items():
            taken = sorted(_first_output([sys.executable, *arguments], environment) for _ in range(REPEATS + 1))
            yield f"| `{name}` | {taken[REPEATS // 2]:.2f} |"


def _first_output(command: Sequence[str], environment: dict[str, str]) -> float:
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        taken = time.perf_counter() - start
        process.stdout.read()
    assert process.returncode == 0, command
    return taken


def _shares(name: str, model: Model, documents: Sequence[Document]) -> Iterator[str]:
    """Time each step alone, one after the other; `segment_all` does the graph beside the others."""
    fresh = [Document(document.text, language="en") for document in documents]
    steps: dict[str, float] = {}

    def step(title: str, work: Callable[[], list[Item]]) -> list[Item]:
        start = time.perf_counter()
        found = work()
        steps[title] = time.perf_counter() - start
        return found

    step("sentences", lambda: [document.spans for document in fresh])
    found = step("words", lambda: [model._prepared(document)[1] for document in fresh])
    rows = step("sums of their rows", lambda: [each() for each in found])
    step("graph", lambda: model._network.read(rows))
    readings = model.read(fresh)
    method, label = model._segmentation, model._labeller.segmented
    pairs = list(zip(fresh, readings, strict=True))
    step("segmentation", lambda: [method.starts(reading) for reading in readings])
    step("sections", lambda: [label(document, reading, method) for document, reading in pairs])
    steps["sections"] -= steps["segmentation"]
    sentences = sum(len(document) for document in fresh)
    yield f"\n## Where the time goes: {name}\n\n| step | µs per sentence | share |\n| --- | ---: | ---: |"
    for title, seconds in steps.items():
        yield f"| {title} | {seconds / sentences * 1e6:.1f} | {seconds / sum(steps.values()):.0%} |"
    yield from _bound(model.config.network, steps["graph"] / sentences)


def _bound(config: NetworkConfig, seconds: float) -> Iterator[str]:
    count, rate = multiply_adds(config), _matrix_rate()
    least = count / rate
    yield f"\nThe graph has {count:,} multiply-adds per sentence. numpy multiplies float32 matrices of 1,024 × 1,024 at"
    yield f"{rate / 1e9:.0f} billion multiply-adds/s on all cores: at least {least * 1e6:.0f} µs per sentence."
    yield f"The graph, on one core, takes {seconds * 1e6:.0f} µs, {seconds / least:.1f} times as long."


def multiply_adds(config: NetworkConfig) -> int:
    """Count both LSTMs, both embeddings, the label and the boundary layer, for an encoder of word vectors."""
    lstm = 4 * config.hidden * ((config.projection or config.inputs) + config.hidden)
    heads = 2 if config.output == "mean" or not config.tied else 1
    labels = heads * config.embedding * config.labels + config.boundary * 2 * config.hidden * 4
    return 2 * lstm + 2 * config.hidden * config.embedding + labels


def _matrix_rate() -> float:
    size = 1024
    matrix = np.ones((size, size), np.float32)
    return size**3 / _times(lambda: matrix @ matrix, 10)[5]


if __name__ == "__main__":
    main()
