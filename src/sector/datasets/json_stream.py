"""JSON objects one by one from an array, from JSON Lines or from objects in a row, without holding the file.

Files have hundreds of megabytes: text is read in pieces and each object is decoded as soon as it is
complete.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TextIO

from sector.datasets.source import LARGEST, DatasetFile
from sector.errors import DataError

PIECE = 1 << 20
"""Characters read at once."""
_LONGEST_TOKEN = 32
"""An error this close to the end of what was read may only mean that the rest is still to come."""
_SPACE = re.compile(r"[ \t\r\n]*")
_decode = json.JSONDecoder().raw_decode


@dataclass
class _Buffer:
    """The part of the text that is neither decoded nor unread, and how much lies before it."""

    stream: TextIO
    place: str
    text: str = ""
    at: int = 0
    characters: int = 0
    lines: int = 0
    piece: int = field(default_factory=lambda: PIECE)
    ended: bool = False

    def more(self) -> None:
        """Drop what is decoded and read on, twice as much each time that one object needs it."""
        self.characters += self.at
        self.lines += self.text.count("\n", 0, self.at)
        self.piece = PIECE if self.at else self.piece * 2
        if len(self.text) - self.at > LARGEST:
            raise self.error(f"A record has more than {LARGEST:,} characters")
        fresh = self.stream.read(self.piece)
        self.ended = len(fresh) < self.piece
        self.text, self.at = self.text[self.at :] + fresh, 0

    def peek(self) -> str:
        """Skip white space and return the next character; empty at the end."""
        while True:
            found = _SPACE.match(self.text, self.at)
            self.at = found.end() if found else self.at
            if self.at < len(self.text) or self.ended:
                return self.text[self.at : self.at + 1]
            self.more()

    def value(self, record: int) -> Any:
        """Decode the value that begins here."""
        while True:
            try:
                value, self.at = _decode(self.text, self.at)
            except json.JSONDecodeError as error:
                if self.ended or not self._is_cut(error):
                    raise self.error(error.msg, record, error.pos) from error
                self.more()
            except (ValueError, RecursionError) as error:
                raise self.error(f"{error}", record) from error
            else:
                return value

    def _is_cut(self, error: json.JSONDecodeError) -> bool:
        return error.msg.startswith("Unterminated string") or error.pos >= len(self.text) - _LONGEST_TOKEN

    def error(self, what: str, record: int | None = None, position: int | None = None) -> DataError:
        """Return an error with its position in the file."""
        position = self.at if position is None else position
        line = self.lines + self.text.count("\n", 0, position) + 1
        where = f"line {line}, character {self.characters + position}"
        return DataError(f"This is not JSON at {where}: {what}.", file=self.place, record=record)


def objects(entry: DatasetFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """Return the JSON objects of an entry, numbered from 1."""
    with entry.text() as stream:
        buffer = _Buffer(stream, entry.place)
        yield from _array(buffer) if buffer.peek() == "[" else _row(buffer)


def _row(buffer: _Buffer) -> Iterator[tuple[int, dict[str, Any]]]:
    for record in count(1):
        if not buffer.peek():
            return
        yield record, _object(buffer, record)


def _array(buffer: _Buffer) -> Iterator[tuple[int, dict[str, Any]]]:
    buffer.at += 1
    if buffer.peek() != "]":
        for record in count(1):
            buffer.peek()
            yield record, _object(buffer, record)
            if buffer.peek() != ",":
                break
            buffer.at += 1
    _close(buffer)


def _close(buffer: _Buffer) -> None:
    found = buffer.peek()
    if found != "]":
        what = "',' or ']' is expected" if found else "The file ends inside the array; it is truncated"
        raise buffer.error(what)
    buffer.at += 1
    if buffer.peek():
        raise buffer.error("Nothing may follow the array")


def _object(buffer: _Buffer, record: int) -> dict[str, Any]:
    begin = buffer.peek()
    if begin and begin != "{":
        raise buffer.error(f"An object is expected, but a value begins with '{begin}'", record)
    value = buffer.value(record)
    assert isinstance(value, dict)
    return value
