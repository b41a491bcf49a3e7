"""How well found labels agree with given ones: coverage, purity, agreement and V-measure.

Purity maps each found topic to the given label that most of its sections have, and counts the sections that have
it. Four readings differ in what becomes of `other`:

- ``covered``: sections with a found topic; the given `other` is a label like any. This is "purity".
- ``all``: all sections; the found `other` is a cluster like any, right where it meets its majority.
- ``labelled``: sections whose given label is not `other`; the found `other` is always wrong.
- ``strict``: all sections; a topic can only stand for a label that is not `other`, and `other` only for `other`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sector.wikipedia.labels.topics import OTHER

Table = Mapping[str, Counter[str]]
"""Sections by found topic and given label."""


@dataclass(frozen=True, slots=True)
class TopicAgreement:
    """What a found topic is in terms of the given labels."""

    topic: str
    sections: int
    label: str
    """The given label that most of its sections have."""
    purity: float
    confused: tuple[tuple[str, int], ...]
    """The next labels, most frequent first."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Found labels against given ones; shares from 0 to 1."""

    sections: int
    given_topics: int
    purity: float
    purity_all: float
    purity_labelled: float
    purity_strict: float
    agreement: float
    """Share of all sections that are right when each topic may stand for one label and each label for one topic."""
    homogeneity: float
    completeness: float
    v_measure: float
    topics: tuple[TopicAgreement, ...]
    """Worst first: by the sections that do not have the topic's label."""


def compare(found: Sequence[str], given: Sequence[str]) -> Agreement:
    """Compare labels section by section; given labels may have a prefix like ``disease.``."""
    table = _table(found, (bare(label) for label in given))
    homogeneity, completeness = _homogeneity(table), _homogeneity(_transposed(table))
    both = homogeneity + completeness
    return Agreement(
        sections=len(found),
        given_topics=len(set(map(bare, given)) - {OTHER}),
        purity=_purity({topic: row for topic, row in table.items() if topic != OTHER}),
        purity_all=_purity(table),
        purity_labelled=_labelled_purity(table),
        purity_strict=_strict_purity(table),
        agreement=_one_to_one(table) / len(found) if found else 0.0,
        homogeneity=homogeneity,
        completeness=completeness,
        v_measure=2 * homogeneity * completeness / both if both else 0.0,
        topics=tuple(sorted(_rows(table), key=lambda row: (row.sections * (row.purity - 1), row.topic))),
    )


def bare(label: str) -> str:
    """Return a label without its prefix: ``disease.symptom`` → ``symptom``."""
    return label.rpartition(".")[2]


def _table(found: Iterable[str], given: Iterable[str]) -> dict[str, Counter[str]]:
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for topic, label in zip(found, given, strict=True):
        table[topic][label] += 1
    return dict(table)


def _transposed(table: Table) -> dict[str, Counter[str]]:
    turned: dict[str, Counter[str]] = defaultdict(Counter)
    for topic, row in table.items():
        for label, number in row.items():
            turned[label][topic] += number
    return dict(turned)


def _purity(table: Table) -> float:
    total = sum(row.total() for row in table.values())
    return sum(max(row.values()) for row in table.values()) / total if total else 0.0


def _without_other(row: Counter[str]) -> Counter[str]:
    return Counter({label: number for label, number in row.items() if label != OTHER})


def _labelled_purity(table: Table) -> float:
    rows = {topic: _without_other(row) for topic, row in table.items()}
    total = sum(row.total() for row in rows.values())
    right = sum(max(row.values(), default=0) for topic, row in rows.items() if topic != OTHER)
    return right / total if total else 0.0


def _strict_purity(table: Table) -> float:
    total = sum(row.total() for row in table.values())
    right = sum(max(_without_other(row).values(), default=0) for topic, row in table.items() if topic != OTHER)
    return (right + table.get(OTHER, Counter())[OTHER]) / total if total else 0.0


def _one_to_one(table: Table) -> int:
    """Pair topics with labels greedily, the largest meeting first, and count the sections of the pairs."""
    cells = [(number, topic, label) for topic, row in table.items() for label, number in row.items()]
    topics, labels, right = set[str](), set[str](), 0
    for number, topic, label in sorted(cells, key=lambda cell: (-cell[0], cell[1:])):
        if topic not in topics and label not in labels and (topic == OTHER) == (label == OTHER):
            topics.add(topic)
            labels.add(label)
            right += number
    return right


def _homogeneity(table: Table) -> float:
    """Return 1 − H(label | topic) / H(label)."""
    total = sum(row.total() for row in table.values())
    labels = sum(table.values(), Counter[str]())
    entropy = -sum(n / total * math.log(n / total) for n in labels.values())
    if entropy == 0:
        return 1.0
    rest = -sum(n / total * math.log(n / row.total()) for row in table.values() for n in row.values())
    return 1 - rest / entropy


def _rows(table: Table) -> Iterable[TopicAgreement]:
    for topic, row in table.items():
        if topic != OTHER:
            (label, number), *rest = sorted(row.items(), key=lambda item: (-item[1], item[0]))
            yield TopicAgreement(topic, row.total(), label, number / row.total(), tuple(rest[:3]))
