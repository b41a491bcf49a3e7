"""The chain of ``joint`` against the sum over all label paths."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from numpy.typing import NDArray

from sector.segmentation.chain import forward_backward

Doubles = NDArray[np.float64]


def by_all_paths(evidence: Doubles, change: Doubles, matrix: Doubles) -> tuple[Doubles, Doubles]:
    """Add up the weight of every sequence of labels at every label that it passes, and where its label stays."""
    steps, labels = evidence.shape
    table = matrix if matrix.ndim == 2 else np.tile(matrix, (labels, 1))
    posterior = np.zeros_like(evidence)
    kept = np.zeros((steps, 2))
    for path in product(range(labels), repeat=steps):
        weight = np.prod([evidence[step, label] for step, label in enumerate(path)])
        shares = np.ones(steps)
        for step, (left, right) in enumerate(pairwise(path), start=1):
            stay, move = (1 - change[step]) * (left == right), change[step] * table[left, right]
            weight *= stay + move
            shares[step] = stay / (stay + move)
        posterior[np.arange(steps), path] += weight
        kept += np.stack([weight * shares, np.full(steps, weight)], axis=1)
    stays = kept[:, 0] / kept[:, 1]
    return np.asarray(posterior / posterior.sum(axis=1, keepdims=True)), stays


@pytest.mark.parametrize("rows", ["matrix", "vector"])
@pytest.mark.parametrize(("steps", "labels"), [(1, 1), (1, 4), (2, 2), (3, 1), (4, 3), (6, 2), (5, 4)])
def test_posterior_is_the_sum_over_all_paths(steps: int, labels: int, rows: str) -> None:
    random = np.random.default_rng(100 * steps + labels)
    evidence, change = random.random((steps, labels)) ** 3, random.random(steps)
    matrix = random.random((labels, labels)) if rows == "matrix" else random.random(labels)
    matrix /= matrix.sum(axis=-1, keepdims=True)
    found = forward_backward(evidence, change, matrix)
    for one, other in zip(found, by_all_paths(evidence, change, matrix), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9)


def test_the_first_step_has_no_change_before_it() -> None:
    evidence, matrix = np.array([[0.8, 0.2], [0.5, 0.5]]), np.array([[0.0, 1.0], [1.0, 0.0]])
    for first in (0.0, 1.0):
        posterior, stays = forward_backward(evidence, np.array([first, 0.0]), matrix)
        assert posterior[0].tolist() == pytest.approx([0.8, 0.2]) and stays[0] == 1


def test_a_likely_change_turns_the_label_and_an_unlikely_one_keeps_it() -> None:
    evidence, matrix = np.array([[0.9, 0.1], [0.4, 0.6]]), np.array([[0.0, 1.0], [1.0, 0.0]])
    turned, _ = forward_backward(evidence, np.array([0.0, 0.9]), matrix)
    kept, _ = forward_backward(evidence, np.array([0.0, 0.1]), matrix)
    assert turned.argmax(axis=1).tolist() == [0, 1]
    assert kept.argmax(axis=1).tolist() == [0, 0]
