"""From bytes to text: UTF-8, what a file says of itself, else Windows-1252 where that makes sense."""

from __future__ import annotations

import codecs
import re

from sector.errors import ConfigError, DataError
from sector.visible import brief

UTF8 = "utf-8"
HEAD = 8192
"""How many bytes are looked at to tell text from binary files."""
MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
DECLARED = re.compile(
    rb"<\?xml[^>]{0,100}encoding=[\"']([\w.:-]{1,40})|<meta[^>]{0,300}charset=[\"']?([\w.:-]{1,40})", re.IGNORECASE
)
CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1a\x7f-\x9f]")
LEGACY = "cp1252"
STRANGE = re.compile(r"[^\W\d_a-zA-Z]")
FOREIGN = re.compile(r"[\x80-\xff]{3}")
MOST_STRANGE = 0.2
"""Of the letters of a text in a language with Latin letters have accents."""
MOST_BROKEN = 0.01


def check_encoding(name: str) -> str:
    """Return Python's name of an encoding."""
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError, TypeError):
        raise ConfigError(f"There is no encoding {brief(name)}; try utf-8, utf-16, latin-1 or cp1252.") from None
    if not getattr(found, "_is_text_encoding", True) or found.name in ("undefined", "punycode", "idna"):
        raise ConfigError(f"{brief(name)} is no encoding of text; try utf-8, utf-16, latin-1 or cp1252.")
    return found.name


def decode(content: bytes, encoding: str | None = None) -> str:
    """Return the text without a byte order mark; raises DataError with the next step.

    ``encoding`` is taken at its word; without one UTF-8 is tried, then UTF-16 by its mark, then Windows-1252 if the
    text looks like one of a language with Latin letters.
    """
    if encoding is not None:
        return _strictly(content, encoding)
    for mark, name in MARKS:
        if content.startswith(mark):
            return content.decode(name, "replace").removeprefix("\ufeff")
    try:
        text = content.decode(UTF8)
    except UnicodeDecodeError as error:
        return _guessed(content, error)
    if "\0" in text[:HEAD]:
        raise DataError("This is a binary file, not a text; extract its text first.")
    return text


def decode_html(content: bytes, encoding: str | None = None) -> str:
    """Return the source of a page, in the encoding that it declares if it is not another one."""
    match = DECLARED.search(content[:4096])
    if encoding is None and match and not content.startswith(tuple(mark for mark, _ in MARKS)):
        name = (match[1] or match[2]).decode("ascii", "replace")
        try:
            name = LEGACY if name.lower() in ("iso-8859-1", "latin1", "latin-1") else check_encoding(name)
            return content.decode(name)
        except (ConfigError, UnicodeError, ValueError):
            pass
    return decode(content, encoding)


def _strictly(content: bytes, encoding: str) -> str:
    if encoding == UTF8:
        _check_is_text(content)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise _wrong(content, error, encoding) from error
    except (UnicodeError, ValueError) as error:
        raise DataError(f"This is not {encoding.upper()} ({error}); name another --encoding.") from error
    return text.removeprefix("\ufeff")


def _wrong(content: bytes, error: UnicodeDecodeError, encoding: str) -> DataError:
    byte, place = content[error.start], error.start
    return DataError(
        f"This is not {encoding.upper()} (byte 0x{byte:02x} at {place:,}); name its encoding, e.g. --encoding latin-1."
    )


def _guessed(content: bytes, error: UnicodeDecodeError) -> str:
    """Return the text where a few bytes are broken, or where it is plausible in Windows-1252."""
    if b"\0" in content[:HEAD]:
        raise DataError("This is a binary file, not a text; extract its text first.") from error
    sample = content[: 1 << 20]
    replaced = sample.decode(UTF8, "replace")
    broken = replaced.count("\ufffd")
    whole = sum(sign > "\x7f" for sign in replaced) - broken
    if broken <= MOST_BROKEN * len(replaced) and whole > 4 * broken:
        return content.decode(UTF8, "replace")
    try:
        text = content.decode(LEGACY)
    except UnicodeDecodeError:
        raise _wrong(content, error, UTF8) from error
    letters = sum(map(str.isalpha, text[: 1 << 20]))
    strange = len(STRANGE.findall(text[: 1 << 20])) + 3 * len(FOREIGN.findall(text[: 1 << 20]))
    if CONTROLS.search(text) or strange > max(1, MOST_STRANGE * letters):
        raise _wrong(content, error, UTF8) from error
    return text


def _check_is_text(content: bytes) -> None:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise DataError("This is UTF-16, not UTF-8; add --encoding utf-16.")
    if b"\0" in content[:HEAD]:
        raise DataError("This is a binary file, not a text; extract its text first.")
