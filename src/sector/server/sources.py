"""Where a document comes from: a text of a request, or a file that was uploaded and has to be parsed."""

from __future__ import annotations

import asyncio
import hashlib
import io
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

from sector.compression import bare_name, damage_explained, is_packed, unpacked
from sector.document import Document
from sector.files import read_stream
from sector.reading import document_of, read_text
from sector.server.cache import ByteCache
from sector.server.errors import DeadlineError, OverloadedError
from sector.server.settings import Settings

BYTES_PER_CHARACTER = 4
"""Most bytes of a compressed text, unpacked, for each character that a request may have."""


@dataclass(frozen=True, slots=True)
class RequestDocument:
    """A document of a request, which is made when a model reads it."""

    key: bytes
    """Tells contents apart."""
    characters: int
    load: Callable[[], Document]


def text_source(text: str, id: str = "", title: str = "", language: str = "") -> RequestDocument:
    """Return a document whose structure is what the text's layout shows."""

    def load() -> Document:
        return replace(read_text(text, language), id=id, title=title)

    return RequestDocument(digest(text, id, title, language), len(text), load)


class Uploads:
    """Parses files, one after the other: not every parser may run in two threads."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="sector-parse")
        self._waiting = 0
        self._cache: ByteCache[Document] = ByteCache(settings.cache_bytes // 2, _size)

    async def source(self, content: bytes, name: str, keep: bool) -> RequestDocument:
        """Return a file's document.

        Raises OverloadedError or DeadlineError; DataError or MissingExtraError for a file that cannot be read.
        """
        key = digest(content, name)
        document = self._cache.get(key) if keep else None
        if document is None:
            document = await self._parsed(content, name)
        if keep:
            self._cache.put(key, document)
        return RequestDocument(key, len(document.text), lambda: document)

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _parsed(self, content: bytes, name: str) -> Document:
        if self._waiting >= self._settings.queue_documents:
            raise OverloadedError(f"{self._waiting} files wait to be read already; try again later.", 1)
        self._waiting += 1
        try:
            most = BYTES_PER_CHARACTER * self._settings.max_characters
            running = asyncio.get_running_loop().run_in_executor(self._thread, partial(_parse, content, name, most))
            return await asyncio.wait_for(running, self._settings.deadline)
        except TimeoutError:
            raise DeadlineError(f"The file was not read within {self._settings.deadline:g} seconds.") from None
        finally:
            self._waiting -= 1


def _parse(content: bytes, name: str, most: int) -> Document:
    raw = io.BytesIO(content)
    if is_packed(raw):
        with damage_explained(name or None):
            content, name = read_stream(unpacked(raw), name or None, most), bare_name(name)
    return document_of(content, name)


def digest(*parts: str | bytes) -> bytes:
    """Return a hash of all parts."""
    found = hashlib.sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        found.update(len(content).to_bytes(8, "big") + content)
    return found.digest()


def _size(document: Document) -> int:
    return 4 * len(document.text) + 200 * len(document.blocks)
