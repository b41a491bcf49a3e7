"""Titles by Wikidata item or class from a dump of Wikidata's entities, without a network.

The dump (`latest-all.json.bz2`, `.gz` or plain; one entity a line) is read once. Whatever has an article is
noted in a file beside the cache with the classes it belongs to, and the edges between classes stay in
memory; then the subclasses are known and the notes are searched.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from sector.errors import DataError
from sector.wikipedia.unpacking import ByteSource, check_magic, open_source

INSTANCE_OF, SUBCLASS_OF = "P31", "P279"
_BLOCK = 1 << 20
ReadingProgress = Callable[[int], None]
"""Called with the bytes of the file that were read."""


@dataclass
class EntityFile:
    """A dump of Wikidata's entities."""

    path: Path
    language: str
    progress: ReadingProgress = field(default=lambda read: None)

    def titles(self, items: Iterable[str], classes: Iterable[str], members: str) -> dict[str, str]:
        """Return the item of each title that is one of the items or a member of one of the classes."""
        wanted = frozenset(items)
        with TemporaryFile("w+", encoding="utf-8") as notes:
            parents = self._note(notes)
            below = _descendants(frozenset(classes), parents)
            notes.seek(0)
            return dict(sorted(_matching(notes, wanted, below, frozenset(classes), members)))

    def _note(self, notes: IO[str]) -> dict[str, list[str]]:
        """Write the entities that have an article to the notes; return the superclasses of each class."""
        parents: dict[str, list[str]] = {}
        site = f"{self.language.replace('-', '_')}wiki"
        for line in self._lines():
            if b'"P279"' not in line and site.encode() not in line:
                continue
            entity = self._entity(line)
            above = _claims(entity, SUBCLASS_OF)
            if above:
                parents[entity["id"]] = above
            title = entity.get("sitelinks", {}).get(site, {}).get("title")
            if title:
                notes.write(json.dumps([entity["id"], title, _claims(entity, INSTANCE_OF)]) + "\n")
        return parents

    def _lines(self) -> Iterator[bytes]:
        check_magic(self.path)
        with open_source(self.path) as source:
            yield from _split(source, self.progress)
            if source.failure:
                raise DataError(f"The file is truncated or damaged ({source.failure}); fetch it again.", file=self.path)

    def _entity(self, line: bytes) -> dict[str, Any]:
        try:
            entity = json.loads(line)
        except ValueError as error:
            raise DataError(
                f"A line is no JSON object: {error}. Is this a dump of entities?", file=self.path
            ) from error
        if not isinstance(entity, dict) or not isinstance(entity.get("id"), str):
            raise DataError("A line is no Wikidata entity with an id.", file=self.path)
        return entity


def state_of(path: Path) -> str:
    """Return a file's name, size and time, to notice that it changed without reading it."""
    state = path.stat()
    return f"{path.name} {state.st_size} {state.st_mtime_ns}"


def _split(source: ByteSource, progress: ReadingProgress) -> Iterator[bytes]:
    rest = b""
    while block := source.read(_BLOCK):
        *lines, rest = (rest + block).split(b"\n")
        yield from filter(None, map(_bare, lines))
        progress(source.place())
    if last := _bare(rest):
        yield last


def _bare(line: bytes) -> bytes:
    """Remove what makes an array of the lines."""
    line = line.strip().rstrip(b",")
    return b"" if line in (b"[", b"]") else line


def _claims(entity: dict[str, Any], property: str) -> list[str]:
    claims = entity.get("claims", {})
    statements = claims.get(property, []) if isinstance(claims, dict) else []
    ranks = {"deprecated": 0, "normal": 1, "preferred": 2}
    # As in wdt: of SPARQL, preferred statements hide the others.
    best = max((ranks.get(each.get("rank"), 1) for each in statements), default=1)
    kept = (each for each in statements if ranks.get(each.get("rank"), 1) == best > 0)
    values = (each.get("mainsnak", {}).get("datavalue", {}).get("value", {}).get("id") for each in kept)
    return [value for value in values if value]


def _descendants(roots: frozenset[str], parents: dict[str, list[str]]) -> frozenset[str]:
    """Return the classes with all that is below them."""
    children: dict[str, list[str]] = {}
    for child, above in parents.items():
        for parent in above:
            children.setdefault(parent, []).append(child)
    found, waiting = set(roots), list(roots)
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return frozenset(found)


def _matching(
    notes: Iterable[str], wanted: frozenset[str], below: frozenset[str], roots: frozenset[str], members: str
) -> Iterator[tuple[str, str]]:
    for line in notes:
        item, title, kinds = json.loads(line)
        is_instance = members != "subclasses" and not below.isdisjoint(kinds)
        is_class = members != "instances" and item in below and item not in roots
        if item in wanted or is_instance or is_class:
            yield title, item
