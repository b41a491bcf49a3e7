"""The titles that a set asks for: those it names, and those that Wikidata has for its items and classes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from sector.atomic import write_text
from sector.digests import fingerprint
from sector.wikipedia.classes import Select
from sector.wikipedia.entities import EntityFile, state_of
from sector.wikipedia.selection import normal_title
from sector.wikipedia.sparql import Endpoint


def find_titles(
    select: Select, language: str, endpoint: Endpoint, progress: Callable[[int], None] = lambda read: None
) -> dict[str, str]:
    """Return the Wikidata id, empty where unknown, of each title."""
    titles = {normal_title(title): "" for title in select.titles}
    if not select.needs_wikidata:
        return titles
    found = _from_file(select, select.entities, language, endpoint.cache, progress) if select.entities else None
    if found is None:
        found = _from_endpoint(select, language, endpoint)
    return titles | {normal_title(title): item for title, item in found.items()}


def _from_endpoint(select: Select, language: str, endpoint: Endpoint) -> dict[str, str]:
    found = endpoint.titles_of_items(select.items, language) if select.items else {}
    for item in select.classes:
        found |= endpoint.titles_of_class(item, select.members, language)
    return found


def _from_file(
    select: Select, path: Path, language: str, cache: Path | None, progress: Callable[[int], None]
) -> dict[str, str]:
    """Search a dump of Wikidata, once: what was found is kept beside the endpoint's answers."""
    asked = [state_of(path), language, select.items, select.classes, select.members]
    kept = cache / f"{fingerprint(asked)}.titles.json" if cache else None
    if kept is not None and kept.exists():
        return {str(title): str(item) for title, item in json.loads(kept.read_text(encoding="utf-8")).items()}
    found = EntityFile(path, language, progress).titles(select.items, select.classes, select.members)
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_text(kept, json.dumps(found, ensure_ascii=False))
    return found
