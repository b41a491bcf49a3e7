"""The file behind ``--classes``: which articles belong to a set, and what of their text is kept.

    name = "disease"                       # the records' type, and part of the files' names

    [select]                               # an article is taken if any of these finds it
    titles = ["Measles", "Mumps"]          # titles
    titles_file = "titles.txt"             # one title a line
    items = ["Q12136"]                     # Wikidata ids of articles
    items_file = "items.txt"               # one id a line
    classes = ["Q12136"]                   # Wikidata classes, with their subclasses
    members = "instances"                  # of the classes: instances, subclasses or both
    entities = "latest-all.json.bz2"       # a Wikidata dump instead of the SPARQL endpoint
    categories = ["diseases$"]             # regular expressions that find a category of the article
    templates = ["^infobox disease$"]      # regular expressions that find a template of the article
    all = true                             # every article

    [exclude]                              # an article is left out if any of these finds it
    titles = ["^List of "]                 # regular expressions, here for titles too
    categories = ["^Lists "]
    templates = []

    [text]
    min_characters = 300                   # shorter articles are left out; the abstract does not count
    min_sections = 1
    stubs = false                          # keep articles that are marked as stubs
    list_marker = "- "                     # before each item of a list
    drop_headings = ["Filmography"]        # beside "See also", "References" and the like

File names are relative to the file. Regular expressions ignore upper and lower case.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from sector.errors import ConfigError
from sector.files import read_options

MEMBERS = ("instances", "subclasses", "both")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_ITEM = re.compile(r"Q[1-9]\d*")
_FILES = ("titles_file", "items_file", "entities")


@dataclass(frozen=True)
class Select:
    """Ways to find the articles of a set; one that applies is enough."""

    titles: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    members: str = "instances"
    entities: Path | None = None
    categories: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    all: bool = False

    @property
    def needs_wikidata(self) -> bool:
        """Whether titles must be looked up by item or class."""
        return bool(self.items or self.classes)


@dataclass(frozen=True)
class Exclude:
    """Regular expressions for what is not wanted after all."""

    titles: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()


@dataclass(frozen=True)
class TextRules:
    """What of an article is kept, and which articles are too short."""

    min_characters: int = 300
    min_sections: int = 1
    stubs: bool = False
    list_marker: str = "- "
    drop_headings: tuple[str, ...] = ()

    @property
    def dropped(self) -> frozenset[str]:
        """The further headings to drop, in lower case."""
        return frozenset(" ".join(heading.split()).casefold() for heading in self.drop_headings)


@dataclass(frozen=True)
class Classes:
    """A set of articles."""

    name: str
    select: Select
    exclude: Exclude = Exclude()
    text: TextRules = TextRules()


def load_classes(path: Path) -> Classes:
    """Read and check the file."""
    try:
        given = tomllib.loads(read_options(path))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path} is not a TOML file: {error}.") from error
    _only(given, ("name", "select", "exclude", "text"), path, "")
    name = given.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ConfigError(f'{path} needs a name of small letters, digits, - and _, e.g. name = "disease".')
    select = _select(_table(given, "select", path), path)
    exclude = Exclude(**_checked(Exclude, _table(given, "exclude", path), path, "exclude"))
    text = TextRules(**_checked(TextRules, _table(given, "text", path), path, "text"))
    for key in ("titles", "categories", "templates"):
        _check_patterns(getattr(exclude, key), path, f"exclude.{key}")
    return Classes(name, select, exclude, text)


def _select(table: Mapping[str, Any], path: Path) -> Select:
    plain = {key: value for key, value in table.items() if key not in _FILES}
    known = tuple(field.name for field in fields(Select)) + _FILES
    _only(table, known, path, "select.")
    values = _checked(Select, plain, path, "select")
    for key in ("titles", "items"):
        values[key] = (*values.get(key, ()), *_lines(table, f"{key}_file", path))
    entities = _file(table, "entities", path)
    select = Select(**values, entities=entities)
    _check_select(select, path)
    return select


def _check_select(select: Select, path: Path) -> None:
    if not (select.all or select.titles or select.needs_wikidata or select.categories or select.templates):
        raise ConfigError(f"{path} selects nothing; fill the table [select], with all = true for every article.")
    if select.members not in MEMBERS:
        raise ConfigError(f"{path}: select.members must be one of {', '.join(MEMBERS)}, not '{select.members}'.")
    for key in ("items", "classes"):
        wrong = [item for item in getattr(select, key) if not _ITEM.fullmatch(item)]
        if wrong:
            raise ConfigError(f"{path}: select.{key} has '{wrong[0]}', which is no Wikidata id such as Q12136.")
    for key in ("categories", "templates"):
        _check_patterns(getattr(select, key), path, f"select.{key}")


def _check_patterns(patterns: tuple[str, ...], path: Path, key: str) -> None:
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ConfigError(f"{path}: {key} has '{pattern}', which is no regular expression: {error}.") from error


def _checked(kind: type, table: Mapping[str, Any], path: Path, name: str) -> dict[str, Any]:
    """Return a table's values in the types of a dataclass's fields, whose defaults tell them."""
    _only(table, tuple(field.name for field in fields(kind)), path, f"{name}.")
    return {
        field.name: _typed(table[field.name], field.default, f"{path}: {name}.{field.name}")
        for field in fields(kind)
        if field.name in table
    }


def _typed(value: Any, default: Any, where: str) -> Any:
    if isinstance(default, tuple):
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise ConfigError(f"{where} must be a list of strings.")
        return tuple(value)
    if type(value) is not type(default) or (isinstance(value, int) and value < 0):
        kinds = {bool: "true or false", int: "a whole number of at least 0", str: "a string"}
        raise ConfigError(f"{where} must be {kinds[type(default)]}, not {value!r}.")
    return value


def _table(given: Mapping[str, Any], name: str, path: Path) -> Mapping[str, Any]:
    table = given.get(name, {})
    if not isinstance(table, dict):
        raise ConfigError(f"{path}: '{name}' must be a table, written [{name}].")
    return table


def _only(table: Mapping[str, Any], known: tuple[str, ...], path: Path, prefix: str) -> None:
    unknown = sorted(set(table) - set(known))
    if unknown:
        raise ConfigError(f"{path} has '{prefix}{unknown[0]}', which is unknown; there are {', '.join(known)}.")


def _file(table: Mapping[str, Any], key: str, path: Path) -> Path | None:
    if key not in table:
        return None
    if not isinstance(table[key], str):
        raise ConfigError(f"{path}: select.{key} must be the name of a file.")
    found: Path = path.parent / table[key]
    if not found.is_file():
        raise ConfigError(f"{path}: select.{key} names {found}, which does not exist.")
    return found


def _lines(table: Mapping[str, Any], key: str, path: Path) -> tuple[str, ...]:
    file = _file(table, key, path)
    if file is None:
        return ()
    return tuple(line.strip() for line in read_options(file).splitlines() if line.strip())
