"""The equations of "emd" and "bemd" against a plain reading of them, and boundaries that all must find."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from noisy_sections import noisy_sections
from numpy.typing import NDArray

from sector.arrays import Floats2d
from sector.segmentation import Reading, make
from sector.segmentation.deviation import reduce, smooth, steps


def document(seed: int, sizes: tuple[int, ...] = (8, 10, 9), noise: float = 0.2, width: int = 24) -> Floats2d:
    """Make embeddings of a document with sections of these sizes."""
    return np.tanh(noisy_sections(sizes, noise, seed, width)).astype(np.float32)


def reference(rows: Floats2d, sigma: float, *, centred: bool = True, zeroed: int = 0) -> list[list[float]]:
    """Reduce with numpy's SVD and smooth with the dense matrix of Gaussian densities."""
    matrix = rows.astype(np.float64)
    axes = np.linalg.svd(matrix - matrix.mean(axis=0) if centred else matrix)[2][:16]
    reduced = matrix @ axes.T
    reduced[:, :zeroed] = 0
    places = np.arange(len(rows))
    kernel = np.exp(-((places[:, None] - places) ** 2) / (2 * sigma**2)) / (sigma * np.sqrt(2 * np.pi))
    smoothed: list[list[float]] = (kernel @ reduced).tolist()
    return smoothed


def distance(a: list[float], b: list[float]) -> float:
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    return 1 - dot / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))


def local_maxima(d: list[float]) -> list[int]:
    return [0] + [t for t in range(1, len(d) - 1) if d[t - 1] < d[t] > d[t + 1]]


FORWARD, BACKWARD = document(1), document(2)
T = len(FORWARD)
READING = Reading(np.zeros((T, 2), np.float32), FORWARD, BACKWARD)


@pytest.mark.parametrize("join", ["concatenate", "mean"])
def test_emd_is_its_equation(join: str) -> None:
    both: Floats2d = np.hstack([FORWARD, BACKWARD]) if join == "concatenate" else np.mean([FORWARD, BACKWARD], axis=0)
    rows = reference(both, 2.5)
    expected = [0.0] + [distance(rows[t], rows[t - 1]) for t in range(1, T)]
    method = make("emd", join=join)
    np.testing.assert_allclose(method.deviation(READING), expected, atol=1e-6)
    assert method.starts(READING).tolist() == local_maxima(expected)


def expected_bemd(variant: str) -> list[float]:
    sigma = 2.5 if variant == "paper" else 1.5
    head = variant == "head"
    f = reference(FORWARD, sigma, centred=not head, zeroed=2 if head else 0)
    b = reference(BACKWARD, sigma, centred=not head, zeroed=2 if head else 0)
    d = [0.0] * T
    for t in range(1, T - 1):
        if variant == "paper":
            d[t] = (distance(f[t - 1], f[t]) * distance(b[t], b[t + 1])) ** 0.5
        elif variant == "2018":
            d[t] = (distance(f[t], f[t + 1]) * distance(b[t], b[t - 1])) ** 0.5
        elif t > 2:
            d[t] = (distance(f[t], f[t + 1]) * distance(b[t - 1], b[t - 2])) ** 0.5
    return d


@pytest.mark.parametrize("variant", ["paper", "2018", "head"])
def test_bemd_is_its_equation(variant: str) -> None:
    expected = expected_bemd(variant)
    method = make("bemd", variant=variant)
    np.testing.assert_allclose(method.deviation(READING), expected, atol=1e-6)
    assert method.starts(READING).tolist() == local_maxima(expected)


def lagged(rows: Floats2d, by: int) -> Floats2d:
    """Move rows as an LSTM does that needs ``by`` more sentences to notice a change."""
    places = np.clip(np.arange(len(rows)) - by, 0, len(rows) - 1)
    return rows[places]


@pytest.mark.parametrize(
    ("name", "options", "forward_lag", "backward_lag"),
    [
        ("emd", {}, 0, 0),
        ("bemd", {"variant": "2018"}, 1, 0),
        ("bemd", {"variant": "aligned"}, 0, 0),
        ("bemd", {"variant": "paper"}, 0, 1),
        ("bemd", {"variant": "head", "sigma": 1.0}, 1, -1),
    ],
)
def test_known_boundaries_are_found(name: str, options: dict[str, Any], forward_lag: int, backward_lag: int) -> None:
    sizes = (12, 11, 13, 12, 14, 11, 12, 13, 12, 11)
    rows = document(5, sizes, noise=0.02, width=64)
    read = Reading(np.zeros((len(rows), 1), np.float32), lagged(rows, forward_lag), lagged(rows, backward_lag))
    method = make(name, **options)
    starts = method.starts(read)
    highest = starts[np.argsort(-method.deviation(read)[starts])][: len(sizes) - 1]
    assert sorted(highest.tolist()) == np.cumsum(sizes)[:-1].tolist()


def test_both_gram_matrices_give_the_same_reduction() -> None:
    tall = document(3, (30, 30), width=20)
    wide = np.hstack([tall, np.zeros((60, 50), np.float32)])
    for centred in (True, False):
        one, two = steps(reduce(tall, centred=centred)), steps(reduce(wide, centred=centred))
        np.testing.assert_allclose(one, two, atol=1e-9)


def test_components_without_variance_are_left_out() -> None:
    rows: NDArray[np.float32] = np.repeat(document(4, (1, 1)), 5, axis=0)
    assert reduce(rows).shape == (10, 1)
    assert reduce(rows, centred=False).shape == (10, 2)


def test_smoothing_keeps_an_impulse_in_its_place() -> None:
    impulse = np.zeros((21, 1))
    impulse[10] = 1
    smoothed = smooth(impulse, 2.0)[:, 0]
    np.testing.assert_allclose(smoothed, np.exp(-((np.arange(21) - 10) ** 2) / 8), atol=1e-7)
