"""ZIP archives that hold documents, such as DOCX: read without trust in the sizes that they state."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from xml.etree import ElementTree

from sector.errors import DataError

MOST_BYTES = 400_000_000
"""Of all parts of one document, unpacked."""
NUMBER = re.compile(r"[0-9]{1,18}")
MOST_RATIO = 500
"""Unpacked to packed bytes above which a part is a bomb, if it is large."""
LARGE = 10_000_000
MOST_PARTS = 20_000


class Archive:
    """The parts of a document, by name."""

    def __init__(self, content: bytes, format_name: str) -> None:
        self._format = format_name
        self._left = MOST_BYTES
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(content))
            self.names = dict.fromkeys(self._zip.namelist())
        except (zipfile.BadZipFile, ValueError, OSError, struct.error, NotImplementedError) as error:
            raise self._broken(str(error)) from error
        if len(self.names) > MOST_PARTS:
            raise DataError(f"This {format_name} file has {len(self.names):,} parts; at most {MOST_PARTS:,} are read.")

    def part(self, name: str) -> bytes:
        """Return the bytes of a part; raises DataError where it is missing, broken, encrypted or a bomb."""
        try:
            info = self._zip.getinfo(name)
            if info.flag_bits & 1:
                raise DataError(f"This {self._format} file is encrypted; save it without a password first.")
            limit = self._limit(info.compress_size)
            with self._zip.open(info) as stream:
                found = stream.read(limit + 1)
        except KeyError:
            raise self._broken(f"it has no part '{name}'") from None
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            NotImplementedError,
            RuntimeError,
            OSError,
            ValueError,
        ) as error:
            raise self._broken(str(error)) from error
        if len(found) > limit:
            raise DataError(
                f"The part '{name}' of this {self._format} file unpacks to more than {limit:,} bytes, "
                "like a bomb; it is not read."
            )
        self._left -= len(found)
        return found

    def _limit(self, packed: int) -> int:
        return min(self._left, max(LARGE, MOST_RATIO * packed))

    def xml(self, name: str) -> ElementTree.Element:
        """Return the root of a part that is XML."""
        return parse_xml(self.part(name), f"{self._format} file, part '{name}'")

    def events(self, name: str) -> Iterator[tuple[str, ElementTree.Element]]:
        """Return the beginnings and ends of the elements of a part, as they come."""
        content = self.part(name)
        refuse_entities(content, f"{self._format} file")
        try:
            yield from ElementTree.iterparse(io.BytesIO(content), events=("start", "end"))
        except (ElementTree.ParseError, ValueError, LookupError) as error:
            raise self._broken(f"'{name}' is no XML: {str(error)[:200]}") from error

    def _broken(self, reason: str) -> DataError:
        return DataError(f"This {self._format} file is broken ({reason}); save it anew, or as text.")


def refuse_entities(content: bytes, what: str) -> None:
    """Raise DataError for XML that declares entities, with which a small file can become a huge one."""
    if b"<!ENTITY" in content:
        raise DataError(f"The XML of this {what} declares entities, which no document needs; it is not read.")


def parse_xml(content: bytes, what: str) -> ElementTree.Element:
    """Return the root element; raises DataError for what is no XML."""
    refuse_entities(content, what)
    try:
        return ElementTree.fromstring(content)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise DataError(f"The XML of this {what} is broken ({error}); save the document anew.") from error


@contextmanager
def shallow(format_name: str) -> Iterator[None]:
    """Turn elements in elements without an end, which no editor writes, into a DataError."""
    try:
        yield
    except RecursionError:
        raise DataError(f"This {format_name} file nests its parts thousands deep; it is not read.") from None


def number_in(text: str | None, otherwise: int, most: int = 1000) -> int:
    """Return the whole number that an attribute holds, at most ``most``; ``otherwise`` where it holds none."""
    if text is None or not NUMBER.fullmatch(text):
        return otherwise
    return min(int(text), most)


def local(name: str) -> str:
    """Return the name of an element or an attribute without its namespace."""
    return name.rpartition("}")[2]
