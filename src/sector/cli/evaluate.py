"""`sector evaluate`: score a model, or a file of predictions, on a data set."""

from __future__ import annotations


def evaluate() -> None:
    """Score a model, or a file of predictions, on a data set."""
