"""The result of an evaluation, and the table of sums that each of its figures is a ratio of."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any

from sector.evaluation.per_label import LabelScore
from sector.tasks import TaskName

RATIOS: dict[str, tuple[str, str]] = {
    "start_precision": ("start_matches", "predicted_starts"),
    "start_recall": ("start_matches", "gold_starts"),
    "start_f1": ("twice_start_matches", "all_starts"),
    "start_ratio": ("predicted_sections", "gold_sections"),
    "start_pk": ("start_pk", "documents"),
    "start_wd": ("start_wd", "documents"),
    "pk": ("pk", "documents"),
    "wd": ("wd", "documents"),
    "f1": ("hits", "examples"),
    "map": ("average_precision", "examples"),
    "p1": ("hits", "examples"),
    "p3": ("precision_at_3", "examples"),
    "r1": ("recall_at_1", "examples"),
    "r3": ("recall_at_3", "examples"),
    "a3": ("hits_at_3", "examples"),
    "boundary_precision": ("boundary_matches", "predicted_boundaries"),
    "boundary_recall": ("boundary_matches", "gold_boundaries"),
    "boundary_f1": ("twice_boundary_matches", "all_boundaries"),
    "boundary_similarity": ("boundary_similarity", "documents"),
    "gold_f1": ("gold_hits", "gold_examples"),
    "gold_p1": ("gold_hits", "gold_examples"),
    "gold_map": ("gold_average_precision", "gold_examples"),
    "sentence_accuracy": ("sentence_hits", "labelled_sentences"),
    "character_accuracy": ("character_hits", "labelled_characters"),
    "section_ratio": ("predicted_segments", "gold_segments"),
}
"""Figure → (numerator, denominator), both summed over documents."""

SINGLE_LABEL = {"f1", "gold_f1", "macro_f1"}
"""Figures that mean nothing where a section has several right words."""
PLAIN = {"section_ratio", "start_ratio"}
"""Figures that are no percentages."""


@dataclass(frozen=True, slots=True)
class Report:
    """Scores as fractions from 0 to 1 (``to_dict`` gives percent); None where the data defines none."""

    documents: int
    sentences: int
    k: int | None
    """The window of Pk and WindowDiff; None where each document has its own."""
    segmentation: str
    protocol: str
    task: TaskName
    pk: float
    wd: float
    start_precision: float | None = None
    """How many of the section starts that were drawn are the author's, exact to the sentence;"""
    start_recall: float | None = None
    """how many of the author's were drawn;"""
    start_f1: float | None = None
    """and both in one. Nothing is merged, and the first sentence does not count."""
    start_ratio: float | None = None
    """Sections drawn per section of the author."""
    start_pk: float | None = None
    """Pk over all section starts, with each document's own k."""
    start_wd: float | None = None
    f1: float | None = None
    """Micro-F1 = accuracy over all examples; None for headings."""
    map: float | None = None
    p1: float | None = None
    p3: float | None = None
    r1: float | None = None
    r3: float | None = None
    a3: float | None = None
    """How often a right label is among the three best."""
    macro_f1: float | None = None
    boundary_precision: float | None = None
    boundary_recall: float | None = None
    boundary_f1: float | None = None
    boundary_similarity: float | None = None
    gold_f1: float | None = None
    """F1 over gold sections only, without the extra predicted sections."""
    gold_p1: float | None = None
    gold_map: float | None = None
    sentence_accuracy: float | None = None
    character_accuracy: float | None = None
    """How much of the text in gold sections got the right label."""
    ece: float | None = None
    """Expected calibration error of the sections' confidences; None without probabilities."""
    section_ratio: float | None = None
    """Predicted segments per gold segment."""
    examples: int = 0
    """How many pairs of sections ``f1`` and ``map`` are means over."""
    common_labels: int | None = None
    """Labels of the gold documents that the model knows: at 0 no label can be right. None where one side has none."""
    per_label: tuple[LabelScore, ...] = field(default=(), repr=False)
    intervals: dict[str, tuple[float, float]] = field(default_factory=dict, repr=False)
    """95 % bootstrap intervals over documents, where they were asked for."""

    def to_dict(self) -> dict[str, Any]:
        """Return the report for JSON: percent values, except for counts and ratios of sections."""
        plain = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        record = {name: percent(name, value) for name, value in plain.items()}
        record["per_label"] = [_label_row(score) for score in self.per_label]
        record["intervals"] = {
            name: [percent(name, bound) for bound in bounds] for name, bounds in self.intervals.items()
        }
        return record


def percent(name: str, value: Any) -> Any:
    """Return a figure as ``to_dict`` shows it."""
    if not isinstance(value, float):
        return value
    return round(value if name in PLAIN else 100 * value, 4)


def _label_row(score: LabelScore) -> dict[str, Any]:
    return {name: percent(name, value) for name, value in asdict(score).items()}
