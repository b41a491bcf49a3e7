"""What a budget of characters buys: the best pieces until it is spent, and how much of the answers is in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Found:
    """Of one question."""

    recall: float
    """Share of the answers' characters that were retrieved,"""
    precision: float
    """share of the retrieved ones that are answers',"""
    iou: float
    """and share of both in all that were retrieved or should have been; what is retrieved twice counts twice."""


def within(pieces: Iterable[Span], budget: int) -> list[Span]:
    """Return the first pieces until the budget is spent; the last is cut off there."""
    bought: list[Span] = []
    for begin, end in pieces:
        if budget <= 0:
            break
        bought.append((begin, min(end, begin + budget)))
        budget -= end - begin
    return bought


def found(answers: Sequence[Span], retrieved: Sequence[Span], length: int) -> Found:
    """Compare what was retrieved of a text of a length with the spans that answer a question."""
    wanted, bought = _marked(answers, length), _marked(retrieved, length)
    both = int((wanted & bought).sum())
    spent = sum(end - begin for begin, end in retrieved)
    missed = int((wanted & ~bought).sum())
    return Found(both / max(int(wanted.sum()), 1), both / max(spent, 1), both / max(spent + missed, 1))


def _marked(spans: Iterable[Span], length: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    marks = np.zeros(length, np.bool_)
    for begin, end in spans:
        marks[begin:end] = True
    return marks
