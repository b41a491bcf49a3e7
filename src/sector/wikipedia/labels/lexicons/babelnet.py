"""BabelNet over HTTP, with a key of the user's: the lexicon of the paper.

Every answer is kept in a folder as soon as it arrives, so that a run which meets the day's limit of requests goes
on from there the next day. The key is never written anywhere.
"""

from __future__ import annotations

import contextlib
import json
import os
import urllib.parse
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sector.atomic import write_text
from sector.digests import fingerprint
from sector.http import RequestError, is_address, request, retried
from sector.wikipedia.labels.lexicons.base import LexicalEntry, LexiconError, Synset, distinct

VARIABLE = "BABELNET_KEY"
ENDPOINT = "https://babelnet.io/v9"
TIMEOUT = 30.0
TRIES = 3


@dataclass
class BabelNet:
    """The noun concepts of one language."""

    key: str = field(repr=False)
    language: str = "en"
    endpoint: str = ENDPOINT
    cache: Path = field(default_factory=lambda: default_cache())
    wait: float = 1.0
    """Seconds before the second try, twice as many before the third."""
    name: str = "babelnet"

    def find(self, expression: str) -> LexicalEntry | None:
        """Look up an expression; BabelNet itself finds the lemma of an inflected form."""
        question = {"lemma": expression, "searchLang": self.language.upper(), "pos": "NOUN"}
        found = (self.synset(str(hit.get("id"))) for hit in self._ask("getSynsetIds", question))
        synsets = distinct([synset for synset in found if synset is not None])
        return LexicalEntry(_lemma(expression, synsets), synsets) if synsets else None

    def synset(self, id: str) -> Synset | None:
        """Return a sense by its id; None for a named entity."""
        language = self.language.upper()
        answer = self._ask("getSynset", {"id": id, "targetLang": language})
        if not isinstance(answer, dict) or answer.get("synsetType", "CONCEPT") != "CONCEPT":
            return None
        senses = [sense.get("properties", {}) for sense in answer.get("senses", [])]
        lemmas = [str(sense.get("fullLemma", "")) for sense in senses if sense.get("language", language) == language]
        glosses = [str(gloss.get("gloss", "")) for gloss in answer.get("glosses", [])]
        names = tuple(dict.fromkeys(lemma.replace("_", " ").lower() for lemma in lemmas if lemma))
        return Synset(id, names, glosses[0] if glosses else "", self._broader(id)) if names else None

    def _broader(self, id: str) -> tuple[str, ...]:
        edges = self._ask("getOutgoingEdges", {"id": id})
        above = [edge for edge in edges if edge.get("pointer", {}).get("relationGroup") == "HYPERNYM"]
        return tuple(dict.fromkeys(str(edge["target"]) for edge in above if "target" in edge))

    def _ask(self, verb: str, question: dict[str, str]) -> Any:
        address = f"{self.endpoint.rstrip('/')}/{verb}?{urllib.parse.urlencode(question)}"
        kept = self.cache / f"{fingerprint(address)}.json"
        with contextlib.suppress(FileNotFoundError, ValueError):  # what is broken is asked again
            return json.loads(kept.read_text(encoding="utf-8"))
        answer = self._fetch(address)
        self.cache.mkdir(parents=True, exist_ok=True)
        write_text(kept, json.dumps(answer, ensure_ascii=False))
        return answer

    def _fetch(self, address: str) -> Any:
        try:
            return retried(lambda: self._answer(address), TRIES, self.wait)
        except RequestError as error:
            message = f"BabelNet did not answer {address} ({error}). What it answered so far is kept in {self.cache}"
            hint = "check the key and the day's limit of requests, and run this again"
            raise LexiconError(f"{message}; {hint}.") from error

    def _answer(self, address: str) -> Any:
        content = request(f"{address}&key={urllib.parse.quote(self.key)}", TIMEOUT)
        try:
            answer = json.loads(content)
        except ValueError as error:
            raise LexiconError(f"{address} did not answer with JSON; check --endpoint.") from error
        if isinstance(answer, dict) and "message" in answer:
            message = f"BabelNet refused {address}: {answer['message']} What it answered so far is kept in {self.cache}"
            raise LexiconError(f"{message}; check the key and the day's limit of requests, and run this again.")
        return answer


def load_babelnet(
    language: str = "en", key: str | None = None, endpoint: str = ENDPOINT, cache: Path | None = None
) -> BabelNet:
    """Make a lexicon of BabelNet with the given key or that of BABELNET_KEY."""
    found = key or os.environ.get(VARIABLE, "")
    if not found:
        message = f"BabelNet needs a key. Register at babelnet.org and give it with --key or in {VARIABLE}"
        raise LexiconError(f"{message}, or choose another lexicon.")
    if not is_address(endpoint):
        raise LexiconError(f"{endpoint} is not an address; it must begin with https:// or http://.")
    return BabelNet(found, language, endpoint, cache or default_cache())


def default_cache() -> Path:
    """Return the folder in which answers are kept."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "sector" / "babelnet"


def _lemma(expression: str, synsets: tuple[Synset, ...]) -> str:
    """Return the expression itself, or the first lemma it can be an inflected form of."""
    lemmas = [lemma for synset in synsets for lemma in synset.lemmas]
    if expression in lemmas:
        return expression
    return next((lemma for lemma in lemmas if lemma[:-1] and expression.startswith(lemma[:-1])), expression)
