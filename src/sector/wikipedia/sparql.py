"""Titles by Wikidata item or class, asked from a SPARQL endpoint; answers are kept on disk."""

from __future__ import annotations

import json
import os
import urllib.parse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sector.atomic import replacing
from sector.digests import fingerprint
from sector.errors import DownloadError
from sector.http import AGENT, RequestError, is_address, request, retried

ENDPOINT = "https://query.wikidata.org/sparql"
TIMEOUT = 120.0
"""Seconds; the official endpoint gives up on a query after 60."""
ITEMS_AT_ONCE = 500
_PATHS = {"instances": "wdt:P31/wdt:P279*", "subclasses": "wdt:P279+", "both": "(wdt:P31|wdt:P279)/wdt:P279*"}


def default_cache() -> Path:
    """Return the folder where answers are kept."""
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "sector" / "wikidata"


@dataclass(frozen=True)
class Endpoint:
    """A SPARQL endpoint with Wikidata's vocabulary."""

    url: str = ENDPOINT
    cache: Path | None = None
    tries: int = 4
    wait: float = 5.0
    """Seconds before the second try, twice as many before each further one."""

    def titles_of_items(self, items: Sequence[str], language: str) -> dict[str, str]:
        """Return the item of each title that a Wikipedia has for the items."""
        found: dict[str, str] = {}
        for start in range(0, len(items), ITEMS_AT_ONCE):
            values = " ".join(f"wd:{item}" for item in items[start : start + ITEMS_AT_ONCE])
            found |= self._titles(f"VALUES ?item {{ {values} }}", language)
        return found

    def titles_of_class(self, item: str, members: str, language: str) -> dict[str, str]:
        """Return the item of each title that a Wikipedia has for the members of a class and its subclasses."""
        return self._titles(f"?item {_PATHS[members]} wd:{item} .", language)

    def _titles(self, condition: str, language: str) -> dict[str, str]:
        article = (
            f"?article schema:about ?item ; schema:isPartOf <https://{language}.wikipedia.org/> ; schema:name ?title ."
        )
        prefixes = (
            "PREFIX wd: <http://www.wikidata.org/entity/>\nPREFIX wdt: <http://www.wikidata.org/prop/direct/>\n"
            "PREFIX schema: <http://schema.org/>\n"
        )
        rows = self.ask(f"{prefixes}SELECT DISTINCT ?item ?title WHERE {{\n  {condition}\n  {article}\n}}")
        return dict(sorted((row["title"], row["item"].rpartition("/")[2]) for row in rows))

    def ask(self, query: str) -> list[dict[str, str]]:
        """Return the rows of an answer, from the disk if the same was asked before."""
        kept = self._kept(query)
        if kept is not None and kept.exists():
            return _rows(kept.read_bytes(), f"{kept}")
        answer = self._request(query)
        rows = _rows(answer, self.url)
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
            with replacing(kept) as draft:
                draft.write_bytes(answer)
        return rows

    def _kept(self, query: str) -> Path | None:
        return self.cache / f"{fingerprint([self.url, query])}.json" if self.cache else None

    def _request(self, query: str) -> bytes:
        if not is_address(self.url):
            raise DownloadError(f"{self.url} is not an address; it must begin with https:// or http://.")
        try:
            return retried(lambda: self._send(query), self.tries, self.wait)
        except RequestError as error:
            hint = "Try again later, name another one with --endpoint, or give a Wikidata dump as 'entities'"
            raise DownloadError(f"The SPARQL endpoint {self.url} gave no answer: {error}. {hint}.") from error

    def _send(self, query: str) -> bytes:
        body = urllib.parse.urlencode({"query": query, "format": "json"}).encode()
        # Wikidata asks for an agent that says what it does.
        agent = f"{AGENT} (builds data sets from Wikipedia dumps)"
        headers = {"User-Agent": agent, "Accept": "application/sparql-results+json"}
        return request(self.url, TIMEOUT, data=body, headers=headers)


def _rows(answer: bytes, place: str) -> list[dict[str, str]]:
    """Read SPARQL's JSON; the official endpoint reports a timeout by breaking off in the middle of it."""
    try:
        bindings: list[dict[str, Any]] = json.loads(answer)["results"]["bindings"]
        return [{name: str(cell["value"]) for name, cell in row.items()} for row in bindings]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        message = f"{place} did not answer in SPARQL's JSON; the query may have taken too long"
        raise DownloadError(f"{message}. Try again, or give a Wikidata dump as 'entities'.") from error
