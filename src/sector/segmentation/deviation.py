"""Vector space movement (section 4.4 of the paper): reduce by PCA, smooth, measure the distance of each step.

All in float64, so that rounding does not decide where a section begins; time and memory are linear in the
number of sentences.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Doubles1d, Doubles2d

BLOCK = 4096
NEGLIGIBLE = 1e-12
"""The share of all energy below which a component is rounding error: its direction means nothing."""
REACH = 6
"""How many standard deviations the Gaussian kernel is wide to each side; beyond, weights are below 2e-8."""
DECIMALS = 12
"""Distances are rounded to this, so that rounding errors on a plateau are no maxima."""


def reduce(
    embeddings: NDArray[np.floating[Any]], dimensions: int = 16, *, centred: bool = True, dropped: int = 0
) -> Doubles2d:
    """Project [sentences, dim] on its first principal components, without the ``dropped`` first ones.

    Centring shapes the components only: the embeddings are projected as they are, as in the authors' code. A
    component without variance is left out, for its direction is arbitrary.
    """
    axes = _principal_axes(embeddings, dimensions, centred)[:, dropped:]
    reduced = np.empty((len(embeddings), axes.shape[1]))
    for begin in range(0, len(embeddings), BLOCK):
        reduced[begin : begin + BLOCK] = embeddings[begin : begin + BLOCK] @ axes
    return reduced


def _principal_axes(embeddings: NDArray[np.floating[Any]], dimensions: int, centred: bool) -> Doubles2d:
    """Return [dim, ≤ dimensions] right singular vectors, from the smaller one of the two Gram matrices."""
    if len(embeddings) >= embeddings.shape[1]:
        gram, energy = _tall_gram(embeddings, centred)
        return _leading(gram, energy, dimensions)[0]
    rows = np.asarray(embeddings, np.float64)
    energy = float(np.einsum("ij,ij->", rows, rows))
    if centred and len(rows):
        rows = rows - rows.mean(axis=0)
    vectors, values = _leading(rows @ rows.T, energy, dimensions)
    return rows.T @ vectors / np.sqrt(values)


def _tall_gram(embeddings: NDArray[np.floating[Any]], centred: bool) -> tuple[Doubles2d, float]:
    """Return [dim, dim] and its trace before centring, block by block to save memory."""
    gram = np.zeros((embeddings.shape[1],) * 2)
    total = np.zeros(embeddings.shape[1])
    for begin in range(0, len(embeddings), BLOCK):
        block = np.asarray(embeddings[begin : begin + BLOCK], np.float64)
        gram += block.T @ block
        total += block.sum(axis=0)
    energy = float(np.trace(gram))
    if centred and len(embeddings):
        gram -= np.outer(total, total) / len(embeddings)
    return gram, energy


def _leading(gram: Doubles2d, energy: float, dimensions: int) -> tuple[Doubles2d, Doubles1d]:
    """Return the first eigenvectors, as columns, and their eigenvalues."""
    values, vectors = np.linalg.eigh(gram)
    order = np.argsort(-values, kind="stable")[:dimensions]
    order = order[values[order] > NEGLIGIBLE * energy]
    return vectors[:, order], values[order]


def smooth(rows: Doubles2d, sigma: float) -> Doubles2d:
    """Convolve each column with a Gaussian, with zeros beyond the ends, which no cosine can see."""
    if not sigma:
        return rows
    smoothed = rows.copy()
    for shift in range(1, min(len(rows), int(np.ceil(REACH * sigma)) + 1)):
        weight = np.exp(-0.5 * (shift / sigma) ** 2)
        smoothed[shift:] += weight * rows[:-shift]
        smoothed[:-shift] += weight * rows[shift:]
    return smoothed


def steps(rows: Doubles2d) -> Doubles1d:
    """Return the cosine distance of each row to the one before; 0 for the first and for zero vectors."""
    distances = np.zeros(len(rows))
    if len(rows) > 1:
        products = np.einsum("ij,ij->i", rows[1:], rows[:-1])
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        scales = lengths[1:] * lengths[:-1]
        cosines = np.divide(products, scales, out=np.ones_like(products), where=scales > 0)
        distances[1:] = np.round(np.clip(1.0 - cosines, 0.0, 2.0), DECIMALS)
    return distances


def movement(
    embeddings: NDArray[np.floating[Any]],
    dimensions: int | None,
    sigma: float,
    *,
    centred: bool = True,
    dropped: int = 0,
) -> Doubles1d:
    """Reduce, smooth and measure: float64 [sentences]; without ``dimensions`` nothing is reduced."""
    if dimensions is None:
        return steps(smooth(np.asarray(embeddings, np.float64), sigma))
    return steps(smooth(reduce(embeddings, dimensions, centred=centred, dropped=dropped), sigma))
