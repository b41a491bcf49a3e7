"""Which pages belong to a set: by title, or by the categories and templates in their wikitext."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sector.wikipedia.classes import Classes
from sector.wikipedia.links import Namespaces
from sector.wikipedia.tags import without_comments

_TEMPLATE = re.compile(r"\{\{\s*([^|{}<>\n\[\]]+)")


@dataclass(frozen=True)
class Selector:
    """Decides about pages before their text is converted."""

    classes: Classes
    titles: Mapping[str, str] = field(default_factory=dict)
    """The Wikidata id, if known, of each title that was asked for."""
    namespaces: Namespaces = field(default_factory=Namespaces)

    def is_asked_for(self, title: str) -> bool:
        """Whether a title was named, directly or by Wikidata."""
        return title in self.titles

    def takes(self, title: str, source: str) -> bool:
        """Whether a page with this wikitext belongs to the set."""
        select, exclude = self.classes.select, self.classes.exclude
        if _finds(exclude.titles, (title,)):
            return False
        categories, templates = self._names(source)
        if _finds(exclude.categories, categories) or _finds(exclude.templates, templates):
            return False
        if select.all or title in self.titles:
            return True
        return _finds(select.categories, categories) or _finds(select.templates, templates)

    def _names(self, source: str) -> tuple[list[str], list[str]]:
        """Return the categories and the templates, where any expression asks for them."""
        select, exclude = self.classes.select, self.classes.exclude
        wants_categories = select.categories or exclude.categories
        wants_templates = select.templates or exclude.templates
        visible = without_comments(source) if wants_categories or wants_templates else ""
        categories = category_pattern(self.namespaces).findall(visible) if wants_categories else []
        return [_clean(name) for name in categories], [_clean(name) for name in _templates(visible, wants_templates)]


def category_pattern(namespaces: Namespaces) -> re.Pattern[str]:
    """Return what finds the names of a page's categories."""
    names = "|".join(re.escape(name) for name in sorted(namespaces.categories))
    return re.compile(rf"\[\[[ _]*(?:{names})[ _]*:([^\[\]|\n]+)", re.IGNORECASE)


def normal_title(title: str) -> str:
    """Write a title as dumps do: spaces, and a capital at the beginning."""
    bare = " ".join(title.replace("_", " ").split())
    capital = bare[:1].upper()
    return capital + bare[1:] if len(capital) == 1 else bare


def _templates(visible: str, wanted: object) -> list[str]:
    return _TEMPLATE.findall(visible) if wanted else []


def _clean(name: str) -> str:
    return " ".join(name.replace("_", " ").split())


def _finds(patterns: Iterable[str], names: Iterable[str]) -> bool:
    """Whether any expression finds something in any name; `re` keeps compiled expressions itself."""
    names = list(names)
    return any(re.search(pattern, name, re.IGNORECASE) for pattern in patterns for name in names)
