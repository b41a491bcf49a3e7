"""How time and memory of ours grow with the length of a document."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence

from sector.document import Document
from splitters.peer import SplitAll

LENGTHS = (10, 100, 1_000, 10_000)
MEMORY = """
import re, sys
from pathlib import Path
import sector
model = sector.load(sys.argv[1])
text = sys.stdin.read()
for _ in model.segment_all([text] * 3):
    pass
print(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
"""
"""The kernel's own peak of the new process: ``getrusage`` would count what its parent had before."""


def text_of(documents: Sequence[Document], sentences: int) -> str:
    """Put sentences of the documents together, again from the first where they do not suffice."""
    parts: list[str] = []
    while sentences > 0:
        for document in documents:
            last = min(sentences, len(document.spans)) - 1
            if last >= 0:
                parts.append(document.text[: int(document.spans.end[last])])
                sentences -= last + 1
    return "\n".join(parts)


def cost_per_sentence(split: SplitAll, documents: Sequence[Document]) -> list[tuple[int, float]]:
    """Return (sentences, µs per sentence) for documents of growing length."""
    found = []
    for sentences in LENGTHS:
        text = text_of(documents, sentences)
        split([text])
        repeats = max(1, 2_000 // sentences)
        start = time.perf_counter()
        for _ in range(repeats):
            split([text])
        found.append((sentences, (time.perf_counter() - start) / repeats / sentences * 1e6))
    return found


def resident(model: str, documents: Sequence[Document], sentences: int) -> float:
    """Return the peak resident memory, in MB, of a new process that segments such a document."""
    command = [sys.executable, "-c", MEMORY, model]
    done = subprocess.run(command, input=text_of(documents, sentences), capture_output=True, text=True, check=True)
    return int(done.stdout) / 1024
