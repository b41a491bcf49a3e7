"""A small file that steers the clustering where a lexicon misleads it.

other = ["overview", "miscellaneous"]          # phrases with these nouns are never a topic

[topics]                                       # nouns that are one topic, whatever the clustering says
"international relations" = ["sister city", "twin town"]

[names]                                        # other names for topics that were found
medium = "media"
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sector.errors import ConfigError
from sector.files import read_options
from sector.wikipedia.labels.matching import Matcher
from sector.wikipedia.labels.topics import OTHER, Topic

KEYS = ("other", "topics", "names")


@dataclass(frozen=True)
class Overrides:
    """What a user knows better."""

    other: frozenset[str] = frozenset()
    topics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def steered(self) -> frozenset[str]:
        """The lemmas that are not clustered."""
        return self.other.union(*self.topics.values())

    def resolved(self, matcher: Matcher) -> Overrides:
        """Return the same with nouns as the lexicon writes them; it is taught those that it does not have."""
        topics = {name: tuple(map(matcher.teach, nouns)) for name, nouns in self.topics.items()}
        return replace(self, topics=topics, other=frozenset(map(matcher.teach, self.other)))

    def apply(self, topics: Sequence[Topic], matcher: Matcher) -> list[Topic]:
        """Put the given topics before the found ones, remove their senses from these, and rename."""
        unknown = sorted(self.names.keys() - {topic.name for topic in topics} - self.topics.keys())
        if unknown:
            raise ConfigError(f"[names] has '{unknown[0]}', but no topic is called that; see the report's names.")
        given = [Topic(name, lemmas, _first_senses(lemmas, matcher)) for name, lemmas in self.topics.items()]
        taken = frozenset[str]().union(*(topic.synsets for topic in given))
        found = [replace(topic, synsets=topic.synsets - taken) for topic in topics]
        renamed = [replace(topic, name=self.names.get(topic.name, topic.name)) for topic in (*given, *found)]
        return _merged(renamed)


def load_overrides(path: str | Path) -> Overrides:
    """Read an override file."""
    if not Path(path).exists():
        raise ConfigError(f"There is no override file {path}; check the path.")
    try:
        values = tomllib.loads(read_options(Path(path)))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path} is not TOML: {error}.") from error
    unknown = sorted(values.keys() - set(KEYS))
    if unknown:
        raise ConfigError(f"{path} has the key '{unknown[0]}'; an override file has {', '.join(KEYS)}.")
    topics = {name: _nouns(nouns, path, f"topics.{name}") for name, nouns in _table(values, "topics", path).items()}
    names = _table(values, "names", path)
    if not all(isinstance(name, str) and name for name in names.values()):
        raise ConfigError(f"{path} must give each topic in [names] another name, as a text.")
    return Overrides(frozenset(_nouns(values.get("other", []), path, "other")), topics, names)


def _table(values: Mapping[str, Any], key: str, path: str | Path) -> dict[str, Any]:
    table = values.get(key, {})
    if not isinstance(table, dict):
        raise ConfigError(f"{path} must have [{key}] as a table.")
    return table


def _nouns(values: Any, path: str | Path, key: str) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) and value.strip() for value in values):
        raise ConfigError(f"{path} must have '{key}' as a list of nouns.")
    return tuple(value.strip().lower() for value in values)


def _first_senses(lemmas: Sequence[str], matcher: Matcher) -> frozenset[str]:
    """Return the usual sense of each lemma: who steers means that one."""
    return frozenset(matcher.entries[lemma].synsets[0].id for lemma in lemmas)


def _merged(topics: Sequence[Topic]) -> list[Topic]:
    """Join topics of the same name; one that is called `other` is none."""
    merged: dict[str, Topic] = {}
    for topic in topics:
        before = merged.get(topic.name)
        merged[topic.name] = (
            topic if before is None else Topic(topic.name, before.lemmas + topic.lemmas, before.synsets | topic.synsets)
        )
    merged.pop(OTHER, None)
    return list(merged.values())
