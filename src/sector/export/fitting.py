"""Statistics of a domain: weights of runs of letters, regions of embeddings, how both vary among known sections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Doubles1d, Floats1d, Floats2d, Ints1d
from sector.runtime.domain import CERTAIN, Spread
from sector.runtime.letters import BUCKETS, LETTERS, Letters
from sector.runtime.regions import Regions

COMPONENTS = 24
RAREST = 1e-4
"""Share of a letter that is of the alphabet."""
NOISE = 0.2
"""Share of what is in no domain among all that is not in this one."""
UNSEEN = 0.02
"""Occurrences of a run that was not met."""
LARGEST = 6.0
"""Of a weight."""
STEPS = 127
TAIL = 0.98
"""Squared deviations above this quantile are cut: a few odd sections must not make all others look alike."""
ROUNDS = 8
LOW, MIDDLE = (0.05, CERTAIN), (0.5, 0.995)
"""Quantiles of known sections and their places on the curve."""


def alphabet_of(texts: Sequence[str]) -> str:
    """Return the letters of texts, the most frequent first."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(text.lower())
    letters = {letter: count for letter, count in counts.items() if letter.isalpha() and ord(letter) < 0xFFFF}
    least = RAREST * sum(letters.values())
    ordered = sorted(letters, key=lambda letter: (-letters[letter], letter))
    return "".join(letter for letter in ordered if letters[letter] >= least)[:LETTERS]


def weights_of(
    letters: Letters, known: Sequence[str], noise: Sequence[Sequence[str]], others: Sequence[Sequence[str]]
) -> tuple[NDArray[np.int8], float]:
    """Return int8 [BUCKETS] and its scale: how much more often known texts have a run than noise and others do."""
    own = letters.counts(known) + UNSEEN
    noises = [_shares(letters.counts(texts)) for texts in noise] + [np.full(BUCKETS, 1 / BUCKETS)]
    background = np.mean(noises, axis=0)
    if others:
        shares = np.mean([_shares(letters.counts(texts)) for texts in others], axis=0)
        background = NOISE * background + (1 - NOISE) * shares
    found = np.clip(np.log(own / own.sum() / background), -LARGEST, LARGEST)
    scale = LARGEST / STEPS
    return np.rint(found / scale).astype(np.int8), scale


def _shares(counts: Ints1d) -> Doubles1d:
    return np.asarray(counts / max(1, counts.sum()), np.float64)


def regions_of(groups: Sequence[Floats2d]) -> Regions:
    """Return a normal distribution for each group of embeddings, the first those of known sections."""
    rows = np.concatenate([group - group.mean(axis=0) for group in groups]).astype(np.float64)
    means = np.stack([group.mean(axis=0) for group in groups]).astype(np.float64)
    apart = (means - means.mean(axis=0)) * np.sqrt(len(rows) / len(groups))
    _, axes = np.linalg.eigh(rows.T @ rows + apart.T @ apart)
    projection = axes[:, ::-1][:, :COMPONENTS].astype(np.float16).astype(np.float32)
    maps, offsets = zip(*(_standardised(group @ projection) for group in groups), strict=True)
    return Regions(projection, np.stack(maps).astype(np.float32), offsets)


def _standardised(rows: Floats2d) -> tuple[NDArray[Any], float]:
    """Return [components + 1, components], which makes rows standard normal, and the log density at their mean."""
    size = rows.shape[1]
    mean = rows.mean(axis=0, dtype=np.float64)
    covariance = np.atleast_2d(np.cov(rows.T.astype(np.float64)))
    share = size / (size + len(rows))
    covariance = (1 - share) * covariance + np.eye(size) * (share * np.trace(covariance) / size + 1e-6)
    transform = np.linalg.cholesky(np.linalg.inv(covariance))
    offset = float(np.log(np.diag(transform)).sum() - 0.5 * size * np.log(2 * np.pi))
    return np.concatenate([transform, -(mean @ transform)[None]]), offset


def spread_of(values: Doubles1d, lengths: Ints1d) -> Spread:
    """Fit mean and variance, the variance by the length of sections, by reweighted least squares."""
    mean = float(np.median(values))
    squares = np.square(values - mean)
    squares = np.minimum(squares, np.quantile(squares, TAIL))
    columns = np.stack([np.ones(len(values)), 1 / np.maximum(lengths, 1)], axis=1)
    floor = 1e-3 * float(squares.mean()) + 1e-9
    found = np.array([max(float(squares.mean()), floor), 0.0])
    for _ in range(ROUNDS):
        scales = 1 / (columns @ found)
        solved = np.linalg.lstsq(columns * scales[:, None], squares * scales, rcond=None)[0]
        found = np.array([max(solved[0], floor), max(solved[1], 0.0)])
    return Spread(mean, *found.tolist())


def curve_of(deviations: Floats1d | Doubles1d) -> tuple[float, float]:
    """Return centre and width of the logistic curve that gives `LOW` and `MIDDLE` of known sections their shares."""
    low, middle = np.quantile(deviations, [LOW[0], MIDDLE[0]]).tolist()
    wanted = [float(np.log(share / (1 - share))) for _, share in (LOW, MIDDLE)]
    width = max((middle - low) / (wanted[1] - wanted[0]), 1e-3)
    return low - wanted[0] * width, width
