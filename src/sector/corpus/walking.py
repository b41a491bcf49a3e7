"""The documents of a folder: what is read, and what is left out and why."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath

from sector.compression import bare_name
from sector.errors import DataError
from sector.files import read_file
from sector.reading import SUFFIXES
from sector.text.abbreviations import words

VENDORED = words(
    "node_modules __pycache__ venv env site-packages dist-packages build dist target vendor bower_components"
)
"""Folders of what tools fetched or made."""
BARE = re.compile(
    r"readme|license|licence|copying|changes|changelog|news|authors|contributing|install|todo|notice|faq", re.I
)
"""How files without an ending are called that are documents."""
IGNORE = ".gitignore"
MOST_RULES, MOST_BYTES = 10_000, 1 << 20
MOST_STARS = 6
"""Of a rule with ``**``; one with more could take time without an end."""


class Walk:
    """One walk through a folder; ``skipped`` counts what was left out, by its reason, as the walk goes on."""

    def __init__(self, folder: Path, without: Path | None = None, more: Sequence[str] = ()) -> None:
        """Prepare the walk; files that end in ``more`` are read, too."""
        self._folder, self._without, self._known = folder, without, {*SUFFIXES, *more}
        self.skipped: Counter[str] = Counter()

    def files(self) -> Iterator[Path]:
        """Return the documents in the folder and below, in no order."""
        rules: dict[Path, Sequence[_Rule]] = {}
        for root, folders, names in os.walk(self._folder):
            place = Path(root)
            rules[place] = (*rules.get(place.parent, ()), *_rules(place))
            folders[:] = [name for name in folders if self._goes_into(place / name, rules[place])]
            for name in names:
                reason = self._reason(place / name) or (
                    "ignored by .gitignore" if _ignored(place / name, rules[place]) else ""
                )
                if reason:
                    self.skipped[reason] += reason != "hidden"
                else:
                    yield place / name

    def _goes_into(self, folder: Path, rules: Sequence[_Rule]) -> bool:
        if folder.name.startswith(".") or folder.resolve() == self._without:
            return False
        if folder.name in VENDORED or _ignored(folder, rules, is_folder=True):
            self.skipped[f"in {folder.name}/"] += 1
            return False
        return True

    def _reason(self, path: Path) -> str:
        """Return why a file is left out by its name; empty if it is not."""
        if path.name.startswith("."):
            return "hidden"
        if not path.is_file():
            return "no regular files"
        bare = PurePath(bare_name(path.name))
        if bare.suffix.lower() in self._known or (not bare.suffix and BARE.match(bare.name)):
            return ""
        return f"{bare.suffix.lower()}" if bare.suffix else "without an ending"


class _Rule:
    """A line of a .gitignore."""

    def __init__(self, line: str, folder: Path) -> None:
        self.folder = folder
        self.negates = line.startswith("!")
        pattern = line.lstrip("!").removeprefix("\\")
        self.folders_only = pattern.endswith("/")
        pattern = pattern.rstrip("/")
        anchored = "/" in pattern
        self._match = re.compile(("" if anchored else "(?:.*/)?") + _translated(pattern.lstrip("/"))).fullmatch

    def matches(self, path: Path, is_folder: bool) -> bool:
        """Whether the rule says something of a path."""
        if self.folders_only and not is_folder:
            return False
        return self._match(path.relative_to(self.folder).as_posix()) is not None


def _translated(pattern: str) -> str:
    """Return a pattern of .gitignore as a regular expression, which takes no longer than a name is long.

    What follows a star is looked for once, from the left; only what follows the last one must reach the end.
    """
    pieces = re.findall(r"\*\*/|/\*\*|\*+|\?|\[[^\]]*\]|\\.|.", pattern)
    if "**" in pattern:
        return "".join(map(_piece, pieces))
    runs: list[list[str]] = [[]]
    for piece in pieces:
        runs.append([]) if piece == "*" else runs[-1].append(piece)
    first, *others = ("".join(map(_piece, run)) for run in runs)
    found = "".join(f"(?>[^/]*?{run})" for run in others[:-1])
    return first + found + (f"[^/]*{others[-1]}" if others else "")


def _piece(piece: str) -> str:
    if piece in ("**/", "/**"):
        return "(?:.*/)?" if piece == "**/" else "/.*"
    if piece[0] in "*?":
        return "[^/]*" if piece[0] == "*" else "[^/]"
    if piece[0] == "[" and len(piece) > 2:
        return "[" + piece[1:-1].replace("\\", "\\\\").replace("!", "^", 1) + "]"
    return re.escape(piece[-1])


def _rules(folder: Path) -> Iterator[_Rule]:
    try:
        lines = read_file(folder / IGNORE, MOST_BYTES).decode("utf-8", "replace").splitlines()
    except (OSError, DataError):
        return
    for line in lines[:MOST_RULES]:
        if line.strip() and not line.startswith("#") and ("**" not in line or line.count("*") <= MOST_STARS):
            try:
                yield _Rule(line.strip(), folder)
            except re.error:
                continue


def _ignored(path: Path, rules: Sequence[_Rule], *, is_folder: bool = False) -> bool:
    """Whether the last rule that says something of a path leaves it out."""
    last = next((rule for rule in reversed(rules) if rule.matches(path, is_folder)), None)
    return last is not None and not last.negates
