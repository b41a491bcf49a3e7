"""Typed access to one JSON record, and the rules that text and sections must keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from sector.document import Section
from sector.errors import DataError


@dataclass(frozen=True, slots=True)
class Record:
    """A JSON object that knows where it stands."""

    values: Mapping[str, Any]
    file: str
    number: int
    path: str = ""
    """The keys that lead to a nested object, e.g. ``annotations[3].``"""

    def error(self, message: str, key: str | None = None) -> DataError:
        """Make an error that names the file, the record and the field."""
        field = self.path + key if key else self.path.rstrip(".") or None
        return DataError(message, file=self.file, record=self.number, field=field)

    def text(self, key: str, default: str | None = None) -> str:
        """Return a string; one without ``default`` must be there."""
        value = self._value(key, default)
        if not isinstance(value, str):
            raise self.error(f"A string is expected, not {_kind(value)}.", key)
        if not value.isascii() and _has_lone_surrogate(value):
            raise self.error("The string has half a surrogate pair (\\ud800…), which is no character.", key)
        return value

    def integer(self, key: str) -> int:
        """Return a whole number."""
        value = self._value(key, None)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.error(f"A whole number is expected, not {_kind(value)}.", key)
        return value

    def identifier(self) -> str:
        """Return the id as a string: the one in the record, or else its number."""
        value = self.values.get("id")
        value = self.number if value is None else value
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else self.text("id")

    def children(self, key: str) -> Iterator[Record]:
        """Return the objects of a list."""
        for index, value in enumerate(self.items(key)):
            path = f"{self.path}{key}[{index}]"
            if not isinstance(value, dict):
                raise self.error(f"An object is expected, not {_kind(value)}.", f"{key}[{index}]")
            yield Record(value, self.file, self.number, f"{path}.")

    def items(self, key: str) -> list[Any]:
        """Return a list."""
        value = self._value(key, None)
        if not isinstance(value, list):
            raise self.error(f"A list is expected, not {_kind(value)}.", key)
        return value

    def filled_text(self, key: str) -> str:
        """Return a string that is not blank: a document without text cannot be segmented."""
        text = self.text(key)
        if not text.strip():
            raise self.error("The document is empty; remove it.", key)
        return text

    def _value(self, key: str, default: str | None) -> Any:
        value = self.values.get(key)
        if value is None and default is None:
            raise self.error("The field is missing.", key)
        return default if value is None else value


def check_sections(sections: Sequence[Section], record: Record, key: str) -> tuple[Section, ...]:
    """Return the sections in order without empty ones; overlaps and spans outside the text are errors."""
    ordered = sorted((section for section in sections if section.begin != section.end), key=lambda s: s.begin)
    for section in ordered:
        _check_span(section.begin, section.end, len(section.source), record, key)
    for before, after in pairwise(ordered):
        if after.begin < before.end:
            spans = f"[{before.begin}, {before.end}) and [{after.begin}, {after.end})"
            raise record.error(f"Two sections overlap: {spans}.", key)
    return tuple(ordered)


def _check_span(begin: int, end: int, length: int, record: Record, key: str) -> None:
    if not 0 <= begin < end <= length:
        raise record.error(f"The span [{begin}, {end}) is outside the text of {length} characters.", key)


def _has_lone_surrogate(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return True
    return False


def _kind(value: object) -> str:
    names = {bool: "true or false", int: "a number", float: "a number", str: "a string", list: "a list"}
    return names.get(type(value), "null" if value is None else "an object")
