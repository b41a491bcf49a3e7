"""A thesaurus in MyThes files (`.dat` and `.idx`), such as OpenThesaurus for German in Debian's `mythes-de`.

An entry lists meanings; a meaning lists its words, some marked as broader ("Oberbegriff", "generic term"). The
same meaning stands under each of its words, so the list itself is its identity. Parts of speech are hardly ever
given: in German a noun is what is written with a capital.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from sector.wikipedia.labels.lexicons.base import LexicalEntry, LexiconError, Synset, distinct

FOLDERS = ("/usr/share/mythes", "/usr/share/myspell/dicts", "/usr/share/hunspell")
_NOTE = re.compile(r"\s*\([^)]*\)")
_BROADER = ("(oberbegriff)", "(generic term)")
_PLURALS = ("n", "en", "e", "s", "er", "nen")
"""Endings of plurals, tried when a word is not listed as it is written."""


@dataclass(frozen=True)
class Meaning:
    """One line of an entry."""

    words: tuple[str, ...]
    broader: tuple[str, ...]


@dataclass(frozen=True)
class Thesaurus:
    """The entries of a thesaurus, parsed when they are asked for."""

    offsets: Mapping[str, int]
    data: bytes = field(repr=False)
    encoding: str = "utf-8"
    capital_nouns: bool = True
    """Whether nouns are told by their capital; otherwise every meaning counts."""
    name: str = "thesaurus"

    def find(self, expression: str) -> LexicalEntry | None:
        """Look up a word or its singular; a noun without a noun's meaning still is a sense of its own."""
        forms = [expression, *(expression.removesuffix(end) for end in _PLURALS if expression.endswith(end))]
        listed = (form for form in dict.fromkeys(forms) if len(form) > 2 and form in self.offsets)
        return next((entry for entry in map(self._entry, listed) if entry is not None), None)

    def synset(self, id: str) -> Synset | None:
        """Return the usual sense of a broader term, whose id is the term itself."""
        entry = self.find(id.removeprefix(_TERM)) if id.startswith(_TERM) else None
        return entry.synsets[0] if entry else self._known.get(id)

    @cached_property
    def _known(self) -> dict[str, Synset]:
        return {}

    def _entry(self, word: str) -> LexicalEntry | None:
        meanings = list(self._meanings(word))
        written = [text for meaning in meanings for text in meaning.words if text.lower() == word]
        if self.capital_nouns and not any(text[:1].isupper() for text in written):
            return None
        synsets = [_synset(meaning, word) for meaning in meanings if self._is_noun(meaning)]
        synsets = synsets or [Synset(f"{_TERM}{word}", (word,))]
        self._known.update((synset.id, synset) for synset in synsets)
        return LexicalEntry(word, distinct(synsets))

    def _is_noun(self, meaning: Meaning) -> bool:
        """Whether most words of a meaning are nouns: a few verbs and phrases slip in everywhere."""
        capitals = sum(word[:1].isupper() for word in meaning.words)
        return not self.capital_nouns or 2 * capitals > len(meaning.words)

    def _meanings(self, word: str) -> Iterator[Meaning]:
        start = self.offsets[word]
        head, position = self._line(start)
        count = head.rpartition("|")[2]
        if not count.isdigit():
            raise LexiconError(f"The thesaurus's .idx and .dat files do not belong together (at '{word}').")
        for _ in range(int(count)):
            line, position = self._line(position)
            yield _meaning(line)

    def _line(self, start: int) -> tuple[str, int]:
        end = self.data.find(b"\n", start)
        end = end if end >= 0 else len(self.data)
        return self.data[start:end].decode(self.encoding, "replace").rstrip("\r"), end + 1


def load_thesaurus(path: str | Path | None = None, language: str = "de") -> Thesaurus:
    """Read a thesaurus: a `.dat` file, a folder with one, or the first of the language in the usual places."""
    data_file = _data_file(path, language)
    index_file = data_file.with_suffix(".idx")
    if not index_file.is_file():
        raise LexiconError(f"{data_file} has no index beside it; {index_file.name} belongs to it.")
    data = data_file.read_bytes()
    encoding = data.partition(b"\n")[0].decode("ascii", "replace").strip() or "utf-8"
    try:
        offsets = dict(_offsets(index_file.read_text(encoding=encoding, errors="replace")))
    except (LookupError, ValueError) as error:
        raise LexiconError(f"{index_file} is not the index of a thesaurus ({error}).") from error
    return Thesaurus(offsets, data, encoding, capital_nouns=language == "de")


def _data_file(path: str | Path | None, language: str) -> Path:
    folders = [Path(path)] if path else [Path(folder) for folder in FOLDERS]
    for folder in folders:
        if folder.is_file():
            return folder.with_suffix(".dat")
        found = sorted(folder.glob(f"th_{language}_*.dat")) or (sorted(folder.glob("*.dat")) if path else [])
        if found:
            return found[0]
    where = path or ", ".join(FOLDERS)
    message = (
        f"There is no thesaurus (th_{language}_*.dat) in {where}. Install one, e.g. with 'apt-get install mythes-de'"
    )
    raise LexiconError(f"{message} for German, and name its folder or .dat file with --path.")


def _offsets(index: str) -> Iterator[tuple[str, int]]:
    for line in index.splitlines()[2:]:
        word, separator, offset = line.rpartition("|")
        if separator and word:
            yield word.lower(), int(offset)


def _meaning(line: str) -> Meaning:
    """Parse ``-|word|word (note)|word (Oberbegriff)``; the first field is the part of speech, mostly empty."""
    words: list[str] = []
    broader: list[str] = []
    for text in line.split("|")[1:]:
        bare = _NOTE.sub("", text).strip()
        if bare:
            (broader if any(mark in text.lower() for mark in _BROADER) else words).append(bare)
    return Meaning(tuple(words), tuple(broader))


def _synset(meaning: Meaning, word: str) -> Synset:
    lemmas = tuple(text.lower() for text in meaning.words) or (word,)
    identity = "|".join(sorted(set(lemmas)))
    return Synset(identity, lemmas, "", tuple(f"{_TERM}{text.lower()}" for text in meaning.broader))


_TERM = "term:"
