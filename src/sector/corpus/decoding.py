"""From bytes to text: UTF-8 unless another encoding is named, and never a guess."""

from __future__ import annotations

import codecs

from sector.errors import ConfigError, DataError

UTF8 = "utf-8"
HEAD = 8192
"""How many bytes are looked at to tell text from binary files."""


def check_encoding(name: str) -> str:
    """Return Python's name of an encoding."""
    try:
        found = codecs.lookup(name)
    except LookupError:
        raise ConfigError(f"There is no encoding '{name}'; try utf-8, utf-16, latin-1 or cp1252.") from None
    if not getattr(found, "_is_text_encoding", True):
        raise ConfigError(f"'{name}' is no encoding of text; try utf-8, utf-16, latin-1 or cp1252.")
    return found.name


def decode(content: bytes, encoding: str = UTF8) -> str:
    """Return the text without a byte order mark; raises DataError with the next step."""
    if encoding == UTF8:
        _check_is_text(content)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        byte, place = content[error.start], error.start
        raise DataError(
            f"This is not {encoding.upper()} (byte 0x{byte:02x} at {place:,}); name its encoding, "
            "e.g. --encoding latin-1."
        ) from error
    return text.removeprefix("\ufeff")


def _check_is_text(content: bytes) -> None:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise DataError("This is UTF-16, not UTF-8; add --encoding utf-16.")
    if b"\0" in content[:HEAD]:
        raise DataError("This is a binary file, not a text; extract its text first.")
