"""What a run has done, added up from its parts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

MOST_LABELS = 1000
"""Of a part, those that are counted; a model of open vocabulary has any number of them."""


@dataclass(slots=True)
class PartResult:
    """What was done with a part; it stands in the part's marker."""

    part: str
    documents: int = 0
    units: int = 0
    """Sections or chunks."""
    failures: int = 0
    labels: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    size: int = 0
    """Bytes that were read, about."""
    attempts: int = 1
    file: str = ""
    """Of the results; empty where there are none."""
    problem: str = ""
    """Why the part is not done."""

    def count(self, labels: Iterable[str]) -> None:
        """Add a document."""
        found = list(labels)
        self.documents += 1
        self.units += len(found)
        for label in found:
            if label in self.labels or len(self.labels) < MOST_LABELS:
                self.labels[label] = self.labels.get(label, 0) + 1

    def to_json(self) -> bytes:
        """Return what the marker holds."""
        return json.dumps(asdict(self), ensure_ascii=False).encode("utf-8", "replace")

    @staticmethod
    def from_json(content: bytes | str) -> PartResult:
        """Read a marker."""
        return PartResult(**json.loads(content))


@dataclass(slots=True)
class RunSummary:
    """What a run has done, earlier ones that it continues included."""

    unit: str
    parts: int = 0
    parts_done: int = 0
    parts_before: int = 0
    """Done by earlier runs."""
    documents: int = 0
    documents_before: int = 0
    units: int = 0
    failures: int = 0
    seconds: float = 0.0
    """Of this run."""
    worker_seconds: float = 0.0
    """Of all workers and runs."""
    labels: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    """Why parts are not done."""

    @property
    def rate(self) -> float:
        """Documents per second of this run."""
        return (self.documents - self.documents_before) / self.seconds if self.seconds else 0.0

    @property
    def is_done(self) -> bool:
        """Whether all parts are."""
        return self.parts_done == self.parts

    def add(self, result: PartResult, *, before: bool = False) -> None:
        """Add a part."""
        if result.problem:
            self.problems.append(f"{result.part}: {result.problem}")
            return
        self.parts_done += 1
        self.documents += result.documents
        self.units += result.units
        self.failures += result.failures
        self.worker_seconds += result.seconds
        self.labels.update(result.labels)
        if before:
            self.parts_before += 1
            self.documents_before += result.documents

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as JSON has it."""
        return {
            "parts": self.parts,
            "parts_done": self.parts_done,
            "documents": self.documents,
            self.unit: self.units,
            "failures": self.failures,
            "seconds": round(self.seconds, 3),
            "documents_per_second": round(self.rate, 2),
            "worker_seconds": round(self.worker_seconds, 3),
            "labels": dict(self.labels.most_common()),
        }
