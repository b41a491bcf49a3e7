"""From a file, bytes or a string to a document with blocks: the first step of a document's way."""

from __future__ import annotations

import io
import os
from pathlib import Path

from sector.compression import bare_name, damage_explained, is_packed, unpacked
from sector.document import Document
from sector.errors import DataError
from sector.files import read_file, read_stream
from sector.reading import plain
from sector.reading.base import Content
from sector.reading.decoding import check_encoding
from sector.reading.registry import read_content
from sector.reading.texts import parsed
from sector.text.language import detect_language

MOST_BYTES = 500_000_000
"""Of a file, unpacked if it is compressed."""
LONG_TEXT = 5_000_000
"""Characters of a document whose language is looked for in its text and not in its blocks."""


def read(source: str | os.PathLike[str] | bytes, format: str | None = None, *, encoding: str | None = None) -> Document:
    """Read a document: plain text, Markdown, HTML, PDF, Word, e-mail and others.

    Args:
        source: the path of a file, which may be compressed, or the content of one.
        format: its name, e.g. "pdf"; None finds it by content and ending. `sector.reading.formats()` lists them.
        encoding: of a text; None finds it.

    Returns: a document with blocks. Of text formats ``text`` has the file's own characters; of others, such as PDF,
    it is extracted.

    Raises: DataError for a file that is missing, broken, encrypted, a bomb, or no document; MissingExtraError where a
    package for its format is not installed; ConfigError for a format or an encoding that there is not.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        return document_of(bytes(source), format=format, encoding=encoding)
    if not isinstance(source, str | os.PathLike):
        raise DataError(f"A path or bytes are expected, not {type(source).__name__}.")
    path = Path(source)
    content = file_bytes(path)
    try:
        return document_of(content, str(path), format, encoding)
    except DataError as error:
        raise error if error.file is not None else DataError(str(error), file=path) from error


def file_bytes(path: Path) -> bytes:
    """Return the content of a file of a sensible size."""
    try:
        if path.is_dir():
            raise DataError("This is a folder; name a file in it, or give it to `sector segment`.", file=path)
        return read_file(path, MOST_BYTES)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"{reason}; check the path.", file=path) from error


def unpack(content: bytes, name: str) -> bytes:
    """Return the bytes of a compressed file, as far as a document may be long; those of another as they are."""
    raw = io.BytesIO(content)
    if not is_packed(raw):
        return content
    with damage_explained(name or None):
        return read_stream(unpacked(raw), name or None, MOST_BYTES)


def document_of(content: bytes, name: str = "", format: str | None = None, encoding: str | None = None) -> Document:
    """Return the document that a file's bytes hold; ``name`` is the file's, for its ending and the document's id."""
    known = None if encoding is None else check_encoding(encoding)
    found_format, found = read_content(unpack(content, name), bare_name(name), format, known)
    return _document(found, found_format, name)


def read_text(text: str, language: str = "") -> Document:
    """Return a string as a document, with blocks if its layout says anything; any string works."""
    if plain.is_bare(text) and text.lstrip()[:1] != "<":
        return Document(text, language=language)
    found = parsed(text)
    return Document(text, language=language or found.language, blocks=found.blocks)


def _document(found: Content, format: str, name: str) -> Document:
    language = detect_language(_prose(found)) or found.language
    return Document(
        found.text,
        id=name,
        title=found.title,
        language=language,
        blocks=found.blocks,
        format=format,
        metadata=dict(found.metadata),
    )


def _prose(found: Content) -> str:
    """Return text to tell the language by: that of paragraphs, from several places."""
    if len(found.text) > LONG_TEXT:
        return found.text
    return (
        "\n".join(block.content for block in found.blocks if block.is_prose and block.kind != "heading") or found.text
    )
