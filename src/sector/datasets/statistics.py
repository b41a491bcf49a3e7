"""What a data set is like: the paper's Table 1, and the frequencies and entropies of headings of its Table 2.

A heading is one part of a heading's path: ``Causes | Genetics`` counts for ``Causes`` and for ``Genetics``;
upper and lower case are the same. Its frequency is the number of sections under it. Its entropy is ``H = -p
ln p - (1 - p) ln (1 - p)``, in nats, with p the share of documents that have the heading. The paper gives
no formula; this one fits its figures (0.69 is the largest value possible, at half of the documents).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from sector.document import Document, Section
from sector.documents import documents_among

OTHER = ("other", "sonstiges", "outro")
"""What the class of all remaining headings is called, after the label's prefix."""


@dataclass(frozen=True, slots=True)
class HeadingRow:
    """One line of Table 2."""

    rank: int
    heading: str
    label: str
    entropy: float
    frequency: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """One column of Table 1, and Table 2 in full."""

    documents: int
    sentences: int
    sections: int
    topics: int
    covered_sections: float | None
    """Share of sections whose label is not `other`; None without labels."""
    covered_headings: float | None
    """Share of distinct headings whose most frequent label is not `other`; None without any."""
    headings: tuple[HeadingRow, ...]

    @property
    def sentences_per_document(self) -> float:
        """The mean number of sentences."""
        return self.sentences / self.documents if self.documents else 0.0

    @property
    def sections_per_document(self) -> float:
        """The mean number of sections."""
        return self.sections / self.documents if self.documents else 0.0

    def excerpt(self, rows: int) -> tuple[HeadingRow, ...]:
        """Return ``rows`` headings each of the head, the torso and the tail.

        The torso begins at the geometric middle of the ranks: the tail alone has most of them.
        """
        count = len(self.headings)
        middle = math.isqrt(count)
        wanted = {*range(rows), *range(middle, middle + rows), *range(count - rows, count)}
        return tuple(self.headings[rank] for rank in sorted(wanted) if 0 <= rank < count)


class DatasetCounts:
    """The counts while documents stream by; they need not fit into memory."""

    def __init__(self) -> None:
        self.documents = self.sentences = self.sections = self.others = 0
        self.labels: Counter[str] = Counter()
        self.spread: Counter[str] = Counter()
        self.spellings: dict[str, Counter[str]] = defaultdict(Counter)
        self.heading_labels: dict[str, Counter[str]] = defaultdict(Counter)

    def add(self, document: Document) -> None:
        """Count a document."""
        self.documents += 1
        self.sentences += len(document)
        self.sections += len(document.sections)
        self.labels.update(section.label for section in document.sections if section.label)
        found = [heading for section in document.sections for heading in self._headings(section)]
        self.spread.update(set(found))

    def _headings(self, section: Section) -> set[str]:
        parts = {part.strip() for part in section.heading.split(" | ")} - {""}
        for part in parts:
            self.spellings[part.casefold()][part] += 1
            self.heading_labels[part.casefold()][section.label] += 1
        return {part.casefold() for part in parts}

    def statistics(self) -> Statistics:
        """Return the figures of all that was counted so far."""
        rows, labels = self._rows(), self.labels
        other = sum(count for label, count in labels.items() if is_other(label))
        covered = sum(not is_other(row.label) for row in rows)
        return Statistics(
            documents=self.documents,
            sentences=self.sentences,
            sections=self.sections,
            topics=len(labels),
            covered_sections=(self.sections - other) / self.sections if labels else None,
            covered_headings=covered / len(rows) if labels and rows else None,
            headings=rows,
        )

    def _rows(self) -> tuple[HeadingRow, ...]:
        frequencies = {heading: counts.total() for heading, counts in self.heading_labels.items()}
        ranked = sorted(frequencies.items(), key=lambda item: (-item[1], item[0]))
        return tuple(self._row(rank, heading, count) for rank, (heading, count) in enumerate(ranked))

    def _row(self, rank: int, heading: str, frequency: int) -> HeadingRow:
        spelling = self.spellings[heading].most_common(1)[0][0]
        label = self.heading_labels[heading].most_common(1)[0][0]
        return HeadingRow(rank, spelling, label, entropy_of(self.spread[heading] / self.documents), frequency)


def describe(documents: Iterable[Document]) -> Statistics:
    """Count documents one by one."""
    tally = DatasetCounts()
    for document in documents_among(documents):
        tally.add(document)
    return tally.statistics()


def is_other(label: str) -> bool:
    """Whether a label is that of what has no topic; a section without label has none either."""
    return not label or label.rpartition(".")[2].lower() in OTHER


def entropy_of(share: float) -> float:
    """Return the entropy of a yes-or-no event in nats."""
    return sum(-p * math.log(p) for p in (share, 1 - share) if p > 0)
