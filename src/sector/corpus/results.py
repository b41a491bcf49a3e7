"""Results that are never half there: a file per document, or one JSON Lines file that an interrupted run continues.

The lines of a results file stand in the order of the documents. A run that finds the file skips the documents that are
there, by comparing ids in order, so that equal ids do no harm, and goes on behind them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Self

from sector import atomic
from sector.corpus.base import Problem
from sector.document import Document
from sector.errors import ConfigError

ID = re.compile(rb'\{"id": ("(?:[^"\\]|\\.)*")')
PIECE = 1 << 16


def write_whole(path: Path, text: str) -> None:
    """Write a file as a whole or not at all, with the folders it lies in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic.write_text(path, text)


class ResultsFile:
    """One JSON Lines file of results, to be used in a ``with`` statement."""

    def __init__(self, path: Path, options: Mapping[str, Any], *, overwrite: bool = False) -> None:
        """``options`` made the results; a file that was begun with others is refused unless ``overwrite``."""
        self.path = path
        self.found = 0
        """How many documents were there already, once they have been passed."""
        self._options, self._overwrite = dict(options), overwrite
        self._about = path.with_name(f".{path.name}.options")

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self._overwrite:
            self.path.unlink(missing_ok=True)
        elif self.path.exists():
            self._check_options()
        write_whole(self._about, json.dumps(self._options, indent=1) + "\n")
        self._file = self.path.open("ab")
        self._old = self._complete = _end_of_lines(self.path)
        self._file.truncate(self._complete)
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        """Leave complete lines only, and nothing where there is none yet."""
        try:
            self._file.close()
        finally:
            if self.path.stat().st_size > self._complete:
                os.truncate(self.path, self._complete)
            if failed and not self._complete:
                self.path.unlink()
                self._about.unlink(missing_ok=True)

    def append(self, line: str) -> None:
        """Add the line of one document, which ends in a line break."""
        content = line.encode()
        self._file.write(content)
        self._file.flush()
        self._complete += len(content)

    def remaining(self, documents: Iterable[Document | Problem]) -> Iterator[Document | Problem]:
        """Pass over the documents whose lines are there and give the others."""
        written = self._ids()
        expected = next(written, None)
        for document in documents:
            if isinstance(document, Problem) or expected is None:
                yield document
            elif document.id == expected:
                self.found += 1
                expected = next(written, None)
            else:
                raise self._mismatch(f"its line {self.found + 1} is of '{expected}', not of '{document.id}'")
        if expected is not None:
            raise self._mismatch(f"its line {self.found + 1} is of '{expected}', which is not in the input")

    def _ids(self) -> Iterator[str]:
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if file.tell() > self._old:
                    return
                match = ID.match(line)
                if match is None or not line.endswith(b"}\n"):
                    raise self._mismatch(f"its line {number} is not a document of ours")
                yield json.loads(match[1])

    def _check_options(self) -> None:
        try:
            before = json.loads(self._about.read_bytes())
        except (OSError, ValueError):
            return
        for name, value in self._options.items():
            if before.get(name, value) != value:
                raise self._mismatch(f"it was begun with {name} = {before[name]}, and now it is {value}")

    def _mismatch(self, why: str) -> ConfigError:
        return ConfigError(
            f"{self.path} cannot be continued: {why}. Give --overwrite to begin anew, or another --output."
        )


def _end_of_lines(path: Path) -> int:
    """Return the position after the last line break."""
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        while end:
            begin = max(0, end - PIECE)
            found = _last_break(file, begin, end)
            if found:
                return found
            end = begin
    return 0


def _last_break(file: BinaryIO, begin: int, end: int) -> int:
    file.seek(begin)
    place = file.read(end - begin).rfind(b"\n")
    return begin + place + 1 if place >= 0 else 0
