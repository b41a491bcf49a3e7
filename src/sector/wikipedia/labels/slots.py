"""Which headings fill the same slot: they shun each other in one article, but stand between the same neighbours.

"Transport" and "Transportation", or "Signs and symptoms" and "Presentation", hardly ever stand in one article,
though each is common; what precedes, follows and is below them is alike. A lexicon knows some such pairs; an
encyclopaedia's authors show the others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from sector.arrays import Floats2d
from sector.wikipedia.labels.counts import Pair
from sector.wikipedia.labels.matching import MatchedHeading

MIN_SIMILARITY = 0.25
"""Least cosine of the neighbours, weighted by pointwise mutual information."""
MAX_COOCCURRENCE = 0.4
"""Most co-occurrence in one article, as a multiple of what chance would give."""
LEAST_EXPECTED = 4.0
"""Least number of articles in which chance would put both; below it, their absence says nothing."""


def same_slots(outlines: Sequence[Sequence[MatchedHeading]], lemmas: Iterable[str]) -> dict[Pair, float]:
    """Return the pairs of lemmas that fill one slot, with a weight up to 1."""
    outer = [_outer(outline) for outline in outlines]
    articles = Counter(lemma for tops in outer for lemma in set(tops))
    together = _together(outer, frozenset(lemmas))
    chosen = sorted(lemma for lemma in set(lemmas) if articles[lemma] > 0)
    similarity = _similarity(_contexts(outlines, outer), chosen)
    found: dict[Pair, float] = {}
    for (i, first), (j, second) in combinations(enumerate(chosen), 2):
        expected = articles[first] * articles[second] / len(outlines)
        lift = together[first, second] / expected
        if expected >= LEAST_EXPECTED and lift < MAX_COOCCURRENCE and similarity[i, j] >= MIN_SIMILARITY:
            found[first, second] = float(similarity[i, j]) * (1 - lift)
    return found


def _outer(outline: Sequence[MatchedHeading]) -> list[str]:
    """Return the leading lemmas of the outermost headings in order; sections below one heading count once."""
    tops: list[str] = []
    for matched in outline:
        lemma = matched[0][0][0] if matched and matched[0] else "?"
        if not tops or tops[-1] != lemma:
            tops.append(lemma)
    return tops


def _together(outer: Iterable[Sequence[str]], lemmas: frozenset[str]) -> Counter[Pair]:
    counts: Counter[Pair] = Counter()
    for tops in outer:
        counts.update(combinations(sorted(lemmas.intersection(tops)), 2))
    return counts


def _contexts(
    outlines: Iterable[Sequence[MatchedHeading]], outer: Iterable[Sequence[str]]
) -> dict[str, Counter[tuple[str, str]]]:
    """Count for each lemma what stands before it, after it and below it."""
    contexts: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for tops in outer:
        for before, lemma, after in zip(["^", *tops], tops, [*tops[1:], "$"], strict=False):
            contexts[lemma].update((("before", before), ("after", after)))
    for outline in outlines:
        for matched in outline:
            if len(matched) > 1 and matched[0] and matched[1]:
                contexts[matched[0][0][0]]["below", matched[1][0][0]] += 1
    return contexts


def _similarity(contexts: dict[str, Counter[tuple[str, str]]], lemmas: Sequence[str]) -> Floats2d:
    """Return the cosines of the lemmas' contexts, weighted by positive pointwise mutual information."""
    columns = {name: i for i, name in enumerate(sorted({name for lemma in lemmas for name in contexts[lemma]}))}
    table = np.zeros((len(lemmas), len(columns)))
    for row, lemma in enumerate(lemmas):
        for name, number in contexts[lemma].items():
            table[row, columns[name]] = number
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0, keepdims=True) / max(table.sum(), 1.0)
    # What occurs once with a lemma is chance, and would weigh most.
    weights = np.where(table > 1, np.log(np.maximum(table / np.maximum(expected, 1e-12), 1.0)), 0.0)
    weights /= np.maximum(np.linalg.norm(weights, axis=1, keepdims=True), 1e-12)
    product: Floats2d = (weights @ weights.T).astype(np.float32)
    return product
