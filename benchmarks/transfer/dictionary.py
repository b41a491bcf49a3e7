"""German and English words: the entries of a Ding dictionary, and both languages' word vectors in one space."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sector.encoders.vectors import WordVectors

Translations = Mapping[str, Mapping[str, float]]
"""A word's translations and how near the beginning of their entry they stand, at most 1."""

REMARKS = re.compile(r"\{[^}]*\}|\[[^\]]*\]|\([^)]*\)|/[^/]*/|<[^>]*>|\"[^\"]*\"")
ARTICLES = {"de": re.compile(r"^(sich|der|die|das|etw\.|jdn\.|jdm\.) "), "en": re.compile(r"^(to|the|a|an) ")}
FREQUENT = {"en": 50, "de": 20}
"""How often a word must occur for its vector to be trusted in the alignment."""
ROUNDS, DROPPED = 4, 0.1
"""The alignment is fitted so often; each time this share of the pairs, those that fit worst, is left out."""
NEAREST = 40_000
"""Words among which the nearest one is looked for."""


def entries(path: Path) -> Iterator[tuple[str, str, float]]:
    """Return German and English expressions that translate one another; parts of an entry stand in the same order."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            german, found, english = line.partition("::")
            sides = german.split("|"), english.split("|")
            if not found or line.startswith("#") or len(sides[0]) != len(sides[1]):
                continue
            for parts in zip(*sides, strict=True):
                left, right = (part.split(";") for part in parts)
                for i, one in enumerate(left):
                    for j, other in enumerate(right):
                        pair = _plain(one, "de"), _plain(other, "en")
                        if all(pair):
                            yield (*pair, 1 / (1 + 0.5 * (i + j)))


def _plain(text: str, language: str) -> str:
    return ARTICLES[language].sub("", " ".join(REMARKS.sub(" ", text).split()).lower())


def translations(path: Path, *, to: str, words: int) -> Translations:
    """Return what each single word becomes in the language ``to``: expressions of at most so many words."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for german, english, weight in entries(path):
        source, target = (english, german) if to == "de" else (german, english)
        if " " not in source and len(target.split()) <= words:
            found[source][target] = max(found[source].get(target, 0.0), weight)
    return found


class BilingualSpace:
    """Unit vectors of both languages; the English ones are turned so that translations lie near one another."""

    def __init__(self, german: WordVectors, english: WordVectors, into_german: Translations) -> None:
        self.words = {"de": list(german.words), "en": list(english.words)}
        self.places = {side: {word: i for i, word in enumerate(words)} for side, words in self.words.items()}
        self.counts = {"de": _counts(german), "en": _counts(english)}
        self.vectors = {"de": _centred(german.matrix), "en": _centred(english.matrix)}
        self.vectors["en"] = _unit(self.vectors["en"] @ self._rotation(into_german))

    def _rotation(self, into_german: Translations) -> NDArray[np.float32]:
        """Fit an orthogonal map to the best translations of frequent words (Procrustes; Smith et al. 2017)."""
        pairs = np.array(sorted(self._pairs(into_german)))
        print(f"{len(pairs)} pairs of translations")
        for _ in range(ROUNDS):
            sides = self.vectors["en"][pairs[:, 0]], self.vectors["de"][pairs[:, 1]]
            left, _, right = np.linalg.svd(sides[0].T @ sides[1])
            rotation = left @ right
            fit = np.einsum("ij,ij->i", _unit(sides[0] @ rotation), sides[1])
            pairs = pairs[fit > np.quantile(fit, DROPPED)]
        return np.asarray(rotation, np.float32)

    def _pairs(self, into_german: Translations) -> Iterator[tuple[int, int]]:
        english, german = self.places["en"], self.places["de"]
        for word, i in english.items():
            if self.counts["en"][i] < FREQUENT["en"]:
                continue
            known = {other: weight for other, weight in into_german.get(word, {}).items() if other in german}
            if known:
                best = max(known, key=lambda other: known[other] * np.log1p(self.counts["de"][german[other]]))
                if self.counts["de"][german[best]] >= FREQUENT["de"]:
                    yield i, german[best]
            elif len(word) > 5 and word in german and self.counts["de"][german[word]] >= FREQUENT["de"]:
                yield i, german[word]

    def likeness(self, german: str, english: str) -> float:
        """Return the cosine of two words, 0 where one is not known."""
        places = self.places["de"].get(german), self.places["en"].get(english)
        if places[0] is None or places[1] is None:
            return 0.0
        return float(self.vectors["de"][places[0]] @ self.vectors["en"][places[1]])

    def frequency(self, word: str, side: str) -> float:
        """Return log(1 + count)."""
        place = self.places[side].get(word)
        return 0.0 if place is None else float(np.log1p(self.counts[side][place]))

    def nearest(self, words: list[str], *, of: str, among: NDArray[np.bool_] | None = None) -> list[tuple[str, float]]:
        """Return the nearest word of the other language to each word, and its cosine."""
        other = "en" if of == "de" else "de"
        rows = np.flatnonzero(among) if among is not None else np.arange(min(NEAREST, len(self.words[other])))
        table, found = self.vectors[other][rows], []
        for begin in range(0, len(words), 4000):
            chosen = [self.places[of][word] for word in words[begin : begin + 4000]]
            likeness = self.vectors[of][chosen] @ table.T
            best = likeness.argmax(axis=1)
            values = likeness[np.arange(len(best)), best]
            found += [(self.words[other][rows[i]], float(value)) for i, value in zip(best, values, strict=True)]
        return found


def _counts(vectors: WordVectors) -> NDArray[np.int64]:
    return np.zeros(len(vectors), np.int64) if vectors.counts is None else vectors.counts


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9), np.float32)


def _centred(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    units = _unit(rows)
    return _unit(units - units.mean(axis=0))
