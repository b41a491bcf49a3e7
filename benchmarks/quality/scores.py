"""One line of a table of scores: what `sector evaluate` says of a model on a data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.page import spread

MEASURES = {
    "start_f1": "exact starts, F1",
    "start_ratio": "sections / gold",
    "pk": "Pk ↓",
    "wd": "WD ↓",
    "f1": "F1",
    "p1": "P@1",
    "map": "MAP",
    "gold_f1": "F1, gold sections",
    "gold_p1": "P@1, gold sections",
    "sentence_accuracy": "sentence accuracy",
    "section_ratio": "segments / gold",
    "boundary_f1": "boundary F1",
    "ece": "calibration error ↓",
}
RATIOS = ("section_ratio", "start_ratio")


def shown(task: str) -> dict[str, str]:
    """Return the measures of a task with their titles."""
    hidden = ("p1", "gold_p1") if task == "topics" else ("f1", "gold_f1")
    return {key: title for key, title in MEASURES.items() if key not in hidden}


def cells(reports: Sequence[Mapping[str, Any]], measures: Sequence[str]) -> list[str]:
    """Return each measure's mean over the reports, which differ in their seed, and its spread."""
    return [spread([report[key] for report in reports], 2 if key in RATIOS else 1) for key in measures]
