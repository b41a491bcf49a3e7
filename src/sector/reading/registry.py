"""All formats, and which one a file is in: by its content where that is sure, else by its name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from sector.errors import ConfigError, DataError
from sector.reading.base import Content, FileFormat
from sector.reading.decoding import decode
from sector.reading.docx import DocxFormat
from sector.reading.epub import EpubFormat
from sector.reading.mail import MailFormat, is_surely_mail
from sector.reading.odt import OdtFormat
from sector.reading.pdf import PdfFormat
from sector.reading.sniffing import known_binary, markup, named_text
from sector.reading.texts import TEXTS, parsed
from sector.visible import brief

EXTRACTED: tuple[FileFormat, ...] = (PdfFormat(), DocxFormat(), OdtFormat(), EpubFormat(), MailFormat())
"""Formats whose text is extracted: offsets are those of the extracted text."""
FORMATS: dict[str, FileFormat] = {format.name: format for format in (*TEXTS, *EXTRACTED)}
SUFFIXES: dict[str, FileFormat] = {suffix: format for format in FORMATS.values() for suffix in format.suffixes}
ALIASES = {"text": "txt", "plain": "txt", "markdown": "md", "htm": "html", "vtt": "srt", "mail": "eml", "email": "eml"}


def formats() -> Sequence[str]:
    """Return the names of the formats."""
    return list(FORMATS)


def find_format(name: str) -> FileFormat:
    """Return a format by its name; raises ConfigError for one that there is not."""
    if not isinstance(name, str):
        raise ConfigError(f"The format is {brief(name)}; give a name, or None to find it.")
    bare = name.lower().lstrip(".")
    key = ALIASES.get(bare, bare)
    if key not in FORMATS:
        raise ConfigError(f"There is no format '{name}'; choose one of: {', '.join(FORMATS)}.")
    return FORMATS[key]


def read_content(
    content: bytes, name: str = "", format_name: str | None = None, encoding: str | None = None
) -> tuple[str, Content]:
    """Return the name of the format and what is in the file."""
    if format_name is not None:
        found = find_format(format_name)
        return found.name, found.read(content, encoding)
    suffix = PurePath(name).suffix.lower()
    for format in EXTRACTED:
        if format.recognises(content) and (format.name != "eml" or _is_mail(content, suffix)):
            return format.name, format.read(content, encoding)
    named = SUFFIXES.get(suffix)
    if what := known_binary(content):
        if named in EXTRACTED:
            return named.name, named.read(content, encoding)
        raise DataError(f"This is {what}.")
    if named is not None and named.name not in ("txt", "man"):
        return named.name, named.read(content, encoding)
    text = decode(content, encoding)
    sure = markup(text) if named is None else _named(named.name, text, PurePath(name))
    return sure, FORMATS[sure].read(content, encoding) if sure == "html" else parsed(text, sure)


def _is_mail(content: bytes, suffix: str) -> bool:
    """Whether what begins as a message does is one: other texts may begin with a few fields, too."""
    named = SUFFIXES.get(suffix)
    return named is None or named.name == "eml" or (named.name == "txt" and is_surely_mail(content))


def _named(format: str, text: str, path: PurePath) -> str:
    """Return the format of a text file by its name, ``notes.rst.txt`` too, unless what stands in it says otherwise."""
    if format == "man":
        return "man" if markup(text) == "man" else "txt"
    inner = SUFFIXES.get(PurePath(path.stem).suffix.lower())
    return inner.name if inner is not None and inner.name in ("md", "rst") else named_text(text)
