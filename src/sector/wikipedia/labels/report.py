"""What a labelling did: its topics with examples, how much it covers and what fell into `other`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sector.wikipedia.labels.agreement import Agreement
from sector.wikipedia.labels.counts import Counts, ranked
from sector.wikipedia.labels.labelling import Labelling
from sector.wikipedia.labels.topics import OTHER

EXAMPLES = 5
"""Headings that are shown per topic."""
LEFT_OVER = 50
"""Headings of `other` that a report lists."""


@dataclass(frozen=True, slots=True)
class TopicReport:
    """One topic of the report."""

    topic: str
    sections: int
    headings: int
    lemmas: tuple[str, ...]
    """The clustered lemmas; headings of the tail are added to them."""
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LabelReport:
    """A labelling in figures; shares from 0 to 1, percent in `to_dict`."""

    lexicon: str
    language: str
    documents: int
    sections: int
    headings: int
    covered_sections: float
    covered_headings: float
    topics: tuple[TopicReport, ...]
    """Largest first."""
    other: tuple[tuple[str, int], ...]
    """The most frequent headings without a topic."""
    agreement: Agreement | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return what ``--json`` prints: shares in percent; ``agreement`` is null where nothing was compared."""
        record: dict[str, Any] = _percent(asdict(self))
        return record


def describe(labelling: Labelling, counts: Counts, language: str, agreement: Agreement | None = None) -> LabelReport:
    """Describe a labelling of the headings that were counted."""
    by_topic: dict[str, Counter[str]] = {topic.name: Counter() for topic in labelling.topics}
    by_topic[OTHER] = Counter()
    for heading, number in counts.headings.items():
        by_topic[labelling.label(heading)][heading] += number
    left = by_topic.pop(OTHER)
    return LabelReport(
        lexicon=labelling.matcher.lexicon.name,
        language=language,
        documents=len(counts.outlines),
        sections=counts.headings.total(),
        headings=len(counts.headings),
        covered_sections=1 - left.total() / counts.headings.total(),
        covered_headings=1 - len(left) / len(counts.headings),
        topics=_topics(labelling, by_topic),
        other=tuple(ranked(left)[:LEFT_OVER]),
        agreement=agreement,
    )


def _topics(labelling: Labelling, by_topic: Mapping[str, Counter[str]]) -> tuple[TopicReport, ...]:
    reports = [
        TopicReport(
            topic.name,
            by_topic[topic.name].total(),
            len(by_topic[topic.name]),
            topic.lemmas,
            tuple(heading for heading, _ in ranked(by_topic[topic.name])[:EXAMPLES]),
        )
        for topic in labelling.topics
    ]
    return tuple(sorted(reports, key=lambda report: (-report.sections, report.topic)))


def _percent(value: Any) -> Any:
    """Turn the shares of a record, which are its only floats, into percent."""
    if isinstance(value, dict):
        return {key: _percent(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_percent(entry) for entry in value]
    return round(100 * value, 4) if isinstance(value, float) else value
