"""What a store of chunks is; a new engine is a file with such a class."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sector.arrays import Floats1d
from sector.chunks import Chunk
from sector.retrieval.hit import Snippet

Ranked = list[tuple[int, float]]
"""Numbers of chunks with their scores, best first."""
ESCAPE = "!"
"""In patterns, before a character that stands for itself."""
SEPARATORS = re.compile(r"\s*[./|›]\s*")


@dataclass(frozen=True, slots=True)
class IndexedDocument:
    """A document as a store keeps it."""

    id: str
    digest: str
    """Of all that the chunks depend on: an unchanged document is not read again."""
    chunks: Sequence[Chunk]


class Store(Protocol):
    """Keeps documents' chunks; each call is done as a whole or not at all."""

    @property
    def name(self) -> str:
        """What messages call it; without passwords."""
        ...

    def settings(self) -> dict[str, Any]:
        """Return how the index was made; nothing in a new one."""
        ...

    def begin(self, settings: Mapping[str, Any], *, overwrite: bool) -> None:
        """Make an empty index with these settings; without ``overwrite`` one that is there by now stays."""
        ...

    def digests(self, ids: Sequence[str]) -> dict[str, str]:
        """Return the digests of the documents that are there."""
        ...

    def ids(self) -> Iterator[str]:
        """Return the ids of all documents."""
        ...

    def replace(self, documents: Sequence[IndexedDocument]) -> None:
        """Write documents; all chunks of an older version of them are removed."""
        ...

    def remove(self, ids: Iterable[str]) -> int:
        """Remove documents and return how many were there."""
        ...

    def by_words(self, words: Sequence[str], labels: Sequence[str], limit: int) -> Ranked:
        """Return the chunks that have any of these words, within the labels."""
        ...

    def by_vector(self, vector: Floats1d, labels: Sequence[str], limit: int) -> Ranked:
        """Return the chunks whose vectors are nearest, within the labels."""
        ...

    def chunks(self, numbers: Sequence[int]) -> dict[int, Chunk]:
        """Return chunks by number, as far as they are still there: another process may have removed some."""
        ...

    def snippets(self, words: Sequence[str], numbers: Sequence[int]) -> dict[int, Snippet]:
        """Return of each of the chunks that have any of the words the piece that shows it best."""
        ...

    def labels(self) -> list[tuple[str, int]]:
        """Return all labels and how many chunks have them, the most frequent first."""
        ...

    def count(self) -> tuple[int, int]:
        """Return the number of documents and of chunks."""
        ...

    def close(self) -> None:
        """Close the files or the connection."""
        ...


def label_key(label: str) -> str:
    """Return what labels are compared by: "disease.treatment" becomes "/disease/treatment/", which has two parts."""
    parts = SEPARATORS.sub("/", label.casefold().strip())
    return f"/{parts}/"


def label_pattern(label: str) -> str:
    """Return the LIKE pattern for labels that have a label's parts next to one another; ``*`` stands for anything."""
    key = label_key(label)
    for special in f"{ESCAPE}%_":
        key = key.replace(special, ESCAPE + special)
    return f"%{key.replace('*', '%')}%"


def label_condition(labels: Sequence[str], mark: str) -> tuple[str, list[str]]:
    """Return what SQL says of chunks with these labels, any label where there are none, and the values of its marks."""
    each = f"label_key LIKE {mark} ESCAPE '{ESCAPE}'"
    patterns = [label_pattern(label) for label in labels]
    return f"({' OR '.join([each] * len(patterns)) or '1 = 1'})", patterns


def storable(text: str) -> str:
    """Return a text of the same length that a database can hold: no lone surrogates, no NUL."""
    return text.encode("utf-8", "replace").decode().replace("\0", "�")
