"""What a dump says about its wiki before the first page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import urlsplit

from sector.errors import ConfigError, DataError
from sector.wikipedia.links import Namespaces

_FILE, _CATEGORY = 6, 14
_NAMESPACE = re.compile(r'<namespace key="(-?\d+)"[^>]*?(?:/>|>([^<]*)</namespace>)')


@dataclass(frozen=True, slots=True)
class Site:
    """A wiki's address and the names of its namespaces."""

    base: str = ""
    """The address of its articles, e.g. ``https://de.wikipedia.org/wiki/``; empty if the dump does not say it."""
    generator: str = ""
    names: Mapping[str, int] = field(default_factory=dict)
    """The number of each namespace by its name in lower case."""

    @property
    def namespaces(self) -> Namespaces:
        """What links of this wiki may begin with."""
        by_number = [[name for name, key in self.names.items() if key == wanted] for wanted in (_FILE, _CATEGORY)]
        return Namespaces().with_names(*by_number)

    def namespace_of(self, title: str) -> int:
        """Return the namespace that a title's prefix names; dumps before 2012 do not say it otherwise."""
        prefix, colon, _ = title.partition(":")
        return self.names.get(prefix.casefold(), 0) if colon else 0

    def id_of(self, title: str, language: str) -> str:
        """Return the address of an article."""
        base = self.base or f"https://{language}.wikipedia.org/wiki/"
        return base + title.replace(" ", "_")

    def check_language(self, language: str) -> None:
        """Raise where the dump is plainly of another language: its conventions would not fit."""
        host = urlsplit(self.base).hostname or ""
        found, _, rest = host.partition(".")
        if rest == "wikipedia.org" and found not in (language, "simple", "www"):
            raise ConfigError(f"The dump is of {host}, not in '{language}'; say --language {found}.")


def read_site(header: bytes, file: object) -> Site:
    """Read what stands before the first page."""
    text = header.decode("utf-8", "replace")
    if "<mediawiki" not in text:
        raise DataError(
            "This is no dump of a wiki: <mediawiki> is missing. Give a file pages-articles*.xml or .xml.bz2.", file=file
        )
    names = {unescape(name).casefold(): int(key) for key, name in _NAMESPACE.findall(text) if name}
    return Site(_base(_element(text, "base")), _element(text, "generator"), names)


def _element(text: str, name: str) -> str:
    found = re.search(f"<{name}>([^<]*)</{name}>", text)
    return unescape(found[1]).strip() if found else ""


def _base(address: str) -> str:
    folder = address.rpartition("/")[0]
    return re.sub("^http:", "https:", f"{folder}/") if folder else ""
