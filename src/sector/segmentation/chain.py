"""Forward–backward over a hidden Markov chain of labels that change with a probability of their own at every step."""

from __future__ import annotations

import numpy as np

from sector.arrays import Doubles, Doubles1d

TINY = 1e-6
LEAST_EVIDENCE = 1e-30
"""No label is impossible: a chain that was sure of another one can still come back."""
BLOCK, VALUES, SCALED = 64, 2**22, 4
"""Steps whose matrices are in memory at once, fewer where these have more values; steps after which a row is scaled."""


def forward_backward(evidence: Doubles, change: Doubles, matrix: Doubles) -> tuple[Doubles, Doubles1d]:
    """Return the posterior [steps, labels] of a chain that moves by ``matrix`` with probability ``change``, or stays.

    Beside it: the probability [steps] that the label of the step before stays, 1 for the first. ``matrix`` is
    P(next label | label), or P(next label) alone.
    """
    evidence = np.maximum(evidence, LEAST_EVIDENCE)
    change = np.clip(change, TINY, 1 - TINY)
    passes = _by_matrix if matrix.ndim == 2 else _by_row
    forward, backward = passes(evidence, change, matrix)
    posterior = forward * backward
    stays = np.ones(len(evidence))
    before, after = forward[:-1], (evidence * backward)[1:]
    moves = before @ matrix if matrix.ndim == 2 else before.sum(axis=1, keepdims=True) * matrix
    same = (before * after).sum(axis=1) * (1 - change[1:])
    stays[1:] = same / np.maximum(same + (moves * after).sum(axis=1) * change[1:], LEAST_EVIDENCE)
    return np.asarray(posterior / posterior.sum(axis=1, keepdims=True)), stays


def _by_matrix(evidence: Doubles, change: Doubles, matrix: Doubles) -> tuple[Doubles, Doubles]:
    """Return both passes, each row up to a factor; a row is scaled now and then, before it becomes too small."""
    forward, backward = np.empty_like(evidence), np.ones_like(evidence)
    forward[0] = row = evidence[0]
    size = min(BLOCK, max(1, VALUES // matrix.size))
    for begin in range(1, len(evidence), size):
        for k, move in enumerate(_moves(evidence, change, matrix, slice(begin, begin + size)), start=begin):
            row = np.dot(row, move)
            if k % SCALED == 0:
                row /= row.max()
            forward[k] = row
    row = backward[-1]
    for begin in reversed(range(1, len(evidence), size)):
        moves = _moves(evidence, change, matrix, slice(begin, begin + size))
        for k in range(begin + len(moves) - 1, begin - 1, -1):
            row = np.dot(moves[k - begin], row)
            if k % SCALED == 0:
                row /= row.max()
            backward[k - 1] = row
    return forward, backward


def _moves(evidence: Doubles, change: Doubles, matrix: Doubles, steps: slice) -> Doubles:
    """Return P(label and evidence of a step | label of the step before) for a block, [steps, labels, labels]."""
    evidence, change = evidence[steps], change[steps]
    moves = change[:, None, None] * matrix
    moves.reshape(len(moves), -1)[:, :: len(matrix) + 1] += (1 - change)[:, None]
    moves *= evidence[:, None, :]
    return np.asarray(moves)


def _by_row(evidence: Doubles, change: Doubles, likely: Doubles) -> tuple[Doubles, Doubles]:
    """Return both passes for a chain that moves to a label whatever the label before."""
    forward, backward = np.empty_like(evidence), np.ones_like(evidence)
    stay, move = (1 - change).tolist(), change.tolist()
    forward[0] = row = evidence[0] / evidence[0].sum()
    for k in range(1, len(evidence)):  # rows sum up to 1
        row = (stay[k] * row + move[k] * likely) * evidence[k]
        row /= row.sum()
        forward[k] = row
    row = backward[-1]
    for k in range(len(evidence) - 1, 0, -1):
        row = row * evidence[k]
        row = stay[k] * row + move[k] * float(likely @ row)
        row /= row.max()
        backward[k - 1] = row
    return forward, backward
