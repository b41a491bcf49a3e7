"""The corpus of `scale/engines`: documents of data sets, repeated and shuffled until there are enough."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from harness.data import documents


def write_corpus(path: Path, names: Sequence[str], count: int, seed: int = 1) -> int:
    """Write so many documents with ids of their own as JSON Lines; return the bytes of their texts."""
    found = [document.text for name in names for document in documents(name)]
    chosen = random.Random(seed)
    size = 0
    with path.open("w", encoding="utf-8") as file:
        for number, text in enumerate(islice(_repeated(found, chosen), count)):
            size += len(text.encode())
            file.write(json.dumps({"id": f"d{number:07d}", "text": text}, ensure_ascii=False) + "\n")
    return size


def _repeated(texts: list[str], chosen: random.Random) -> Iterator[str]:
    while True:
        chosen.shuffle(texts)
        yield from texts
