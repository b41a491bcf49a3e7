"""Results that are never half there: a file per document, or one JSON Lines file that an interrupted run continues.

The lines of a results file stand in the order of the documents. A run that finds the file skips the documents that are
there, by comparing ids and texts in order, so that equal ids do no harm, and goes on behind them. What else the results
depend on, such as the model, stands in a hidden file beside them. One run at a time holds the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO, Self

from sector import atomic
from sector.corpus.base import Problem
from sector.document import Document
from sector.errors import ConfigError, DataError
from sector.locks import locked

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
        with ExitStack() as stack:
            self._file = stack.enter_context(self.path.open("ab"))
            stack.enter_context(locked(self.path))
            self._old = self._complete = 0 if self._overwrite else _end_of_lines(self.path)
            if self._old:
                self._check_options()
            self._file.truncate(self._complete)
            write_whole(self._about, json.dumps(self._options, indent=1) + "\n")
            self._held = stack.pop_all()
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        """Truncate the file to complete lines; after a failure, remove it if it has none."""
        with self._held:
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
        """Skip the documents that have a line already and yield the others."""
        written = self._written()
        expected = next(written, None)
        for document in documents:
            if isinstance(document, Problem) or expected is None:
                yield document
            elif document.id != expected.id:
                raise self._mismatch(f"its line {self.found + 1} is of '{expected.id}', not of '{document.id}'")
            elif document.text != expected.text:
                raise self._mismatch(f"the text of '{document.id}' was changed after line {self.found + 1} was written")
            else:
                self.found += 1
                expected = next(written, None)
        if expected is not None:
            raise self._mismatch(f"its line {self.found + 1} is of '{expected.id}', which is not in the input")

    def _written(self) -> Iterator[Document]:
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if file.tell() > self._old:
                    return
                try:
                    yield Document.from_json(line.decode())
                except (DataError, UnicodeDecodeError):
                    raise self._mismatch(f"its line {number} is not a document of ours") from None

    def _check_options(self) -> None:
        try:
            before = json.loads(self._about.read_bytes())
        except (OSError, ValueError, RecursionError):
            before = None
        if not isinstance(before, dict):
            raise self._mismatch(f"{self._about.name}, which says how it was begun, is missing or damaged")
        for name, value in self._options.items():
            if before.get(name) != value:
                raise self._mismatch(f"it was begun with {name} = {before.get(name)}, and now it is {value}")

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
