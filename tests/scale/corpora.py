"""Small corpora, and tasks that need no model, some of which are disturbed."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fsspec import register_implementation
from fsspec.implementations.local import LocalFileSystem

from sector.document import Document
from sector.scale.tasks import Finished

RAISES, ENDS = "this document raises", "this document ends the process"


@dataclass(frozen=True)
class WordTask:
    """A section for each word; certain words do harm."""

    pause: float = 0.0
    """Seconds for each document."""
    log: str = ""
    """A folder where each attempt at a document leaves a file."""

    @property
    def unit(self) -> str:
        return "sections"

    def settings(self) -> dict[str, Any]:
        return {"task": "words"}

    def prepare(self) -> None:
        pass

    def finish(self, documents: Sequence[Document]) -> list[Finished]:
        return [self._finished(document) for document in documents]

    def _finished(self, document: Document) -> Finished:
        if self.log:
            Path(self.log, f"{document.id}-{os.getpid()}-{time.monotonic_ns()}").touch()
        time.sleep(self.pause)
        if RAISES in document.text:
            raise ValueError("no such luck")
        if ENDS in document.text:
            os._exit(9)
        return Finished(document.id, [{"id": document.id, "text": document.text}], document.text.split())


class SlowFileSystem(LocalFileSystem):  # type: ignore[misc]
    """A disk behind a slow line: ``slow://`` before a path."""

    protocol = "slow"

    @classmethod
    def _strip_protocol(cls, path: Any) -> str:
        return str(LocalFileSystem._strip_protocol(str(path).removeprefix("slow://")))

    def unstrip_protocol(self, name: str) -> str:
        return f"slow://{self._strip_protocol(name)}"

    def _open(self, *given: Any, **options: Any) -> Any:
        time.sleep(0.01)
        return super()._open(*given, **options)


register_implementation("slow", SlowFileSystem, clobber=True)


def records(count: int, texts: dict[int, str] | None = None) -> list[dict[str, str]]:
    """Return records of which some have given texts."""
    given = texts or {}
    return [{"id": f"d{i}", "text": given.get(i, f"Text number {i} " + "word " * (i % 7))} for i in range(count)]


def lines(path: Path, rows: Iterable[dict[str, str]]) -> Path:
    """Write JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def written(folder: Path) -> list[str]:
    """Return the ids of all documents in the results, in the order of the parts."""
    files = sorted(folder.glob("*-*.jsonl"))
    return [json.loads(line)["id"] for file in files for line in file.read_bytes().splitlines()]


def dead(folder: Path) -> dict[str, str]:
    """Return the reason of each dead letter by its id."""
    file = folder / "failed.jsonl"
    found = [json.loads(line) for line in file.read_bytes().splitlines()] if file.exists() else []
    return {letter["id"] or letter["place"]: letter["reason"] for letter in found}
