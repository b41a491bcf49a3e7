"""What becomes of ``[[…]]``: words, a category, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

_LANGUAGE = re.compile(r"(?:[a-z]{2,3}|simple)(?:-[a-z-]+)?")
"""The prefix of a link to the same article in another language."""
_QUALIFIED = re.compile(r"\([^()]*\)$|,[^,]*$")


@dataclass(frozen=True, slots=True)
class Namespaces:
    """How a wiki calls its files and categories, in lower case."""

    files: frozenset[str] = frozenset(("file", "image", "media"))
    categories: frozenset[str] = frozenset(("category",))

    def with_names(self, files: Iterable[str], categories: Iterable[str]) -> Namespaces:
        """Add a wiki's own names to the English ones, which work everywhere."""
        return Namespaces(
            self.files | {name.casefold() for name in files},
            self.categories | {name.casefold() for name in categories},
        )


@dataclass(slots=True)
class Links:
    """Resolves links and remembers the categories among them."""

    namespaces: Namespaces
    categories: list[str] = field(default_factory=list)

    def shown(self, content: str) -> str:
        """Return the words that stand for a link."""
        target, bar, label = content.partition("|")
        prefix, colon, name = target.partition(":")
        kind = prefix.strip().replace("_", " ").casefold() if colon else ""
        if kind in self.namespaces.files:
            return ""
        if kind in self.namespaces.categories:
            self.categories.append(" ".join(name.replace("_", " ").split()))
            return ""
        if "\n" in content:
            return content  # brackets that were never closed, up to those of a later link
        if colon and _LANGUAGE.fullmatch(prefix.strip()):
            return ""
        return _label(label) or _bare(target) if bar else target.lstrip(":")


def _label(label: str) -> str:
    return label if label.strip() else ""


def _bare(target: str) -> str:
    """Return what the wiki shows for ``[[Moss (plant)|]]``: the title without prefix and qualification."""
    return _QUALIFIED.sub("", target.lstrip(":").rpartition(":")[2]).rstrip()
