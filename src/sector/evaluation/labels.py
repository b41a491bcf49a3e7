"""Labels as columns: the vocabulary of an evaluation, and the scores of predicted sections over it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Ints1d
from sector.distribution import Distribution
from sector.document import Document, Section
from sector.tasks import TaskName
from sector.text.headings import heading_phrases, heading_words

Relevant = Callable[[Section], Sequence[str]]
"""Returns the right labels of a gold section: its topic, or the words of its heading."""


class LabelSpace:
    """Numbers labels in the order in which they are met."""

    def __init__(self, labels: Iterable[str] = ()) -> None:
        self.index: dict[str, int] = {}
        self._last: tuple[tuple[str, ...], Ints1d] = ((), np.empty(0, np.int64))
        self.columns(tuple(labels))

    def __len__(self) -> int:
        return len(self.index)

    @property
    def labels(self) -> list[str]:
        """All labels, by column."""
        return list(self.index)

    def columns(self, labels: tuple[str, ...]) -> Ints1d:
        """Return the labels' columns; new labels get new columns."""
        if labels is not self._last[0]:
            found = [self.index.setdefault(label, len(self.index)) for label in labels]
            self._last = (labels, np.array(found, dtype=np.int64))
        return self._last[1]

    def known(self, labels: Iterable[str]) -> list[int]:
        """Return the columns of those labels that have one, each once."""
        return list(dict.fromkeys(self.index[label] for label in labels if label in self.index))


def distributions(sections: Sequence[Section], space: LabelSpace, task: TaskName) -> list[Distribution]:
    """Return the scores that each predicted section lists, and enter their labels into the space."""
    listed = [distribution_of(section, task) for section in sections]
    for distribution in listed:
        space.columns(distribution.labels)
    return listed


def section_scores(listed: Sequence[Distribution], space: LabelSpace) -> NDArray[np.float64]:
    """Return the scores [sections, labels] of predicted sections; −∞ where a section does not list a label."""
    scores = np.full((len(listed), len(space)), -np.inf)
    for row, distribution in zip(scores, listed, strict=True):
        columns = space.columns(distribution.labels)
        row[columns] = _comparable(distribution, columns)
    return scores


def distribution_of(section: Section, task: TaskName) -> Distribution:
    """Return a section's scores; without any, its label is the only one, or its heading's words in order."""
    if section.distribution is not None and section.distribution.labels:
        return section.distribution
    words = section.label.split("/") if task == "headings" else [section.label]
    labels = tuple(dict.fromkeys(word for word in words if word))
    return Distribution(labels, np.arange(len(labels), 0, -1, dtype=np.float64))


def _comparable(distribution: Distribution, columns: Ints1d) -> NDArray[np.float64]:
    """Return the values, or their order if columns are shuffled, so that ties keep the listing's order."""
    values = np.nan_to_num(distribution.values.astype(np.float64), nan=-np.inf, posinf=np.inf, neginf=-np.inf)
    if (columns[1:] > columns[:-1]).all():
        return values
    places = np.empty(len(values))
    places[np.argsort(-values, kind="stable")] = np.arange(len(values), 0, -1)
    return np.where(np.isneginf(values), -np.inf, places)


def vocabulary(documents: Iterable[Document], task: TaskName) -> list[str]:
    """Return every label that the predictions know: those of their documents and of their sections' scores."""
    space = LabelSpace()
    for document in documents:
        space.columns(document.labels)
        for section in document.sections:
            space.columns(distribution_of(section, task).labels)
    return space.labels


def topic_of(section: Section) -> tuple[str, ...]:
    """Return the one right label of a gold section."""
    return (section.label,)


def words_of(language: str) -> Relevant:
    """Make the function that returns the words of a gold section's heading, without stop words."""
    return lambda section: heading_words(section.heading, language)


def title_of(section: Section) -> tuple[str, ...]:
    """Return the one right title of a gold section: its own heading, with a capital as in an inventory."""
    return tuple(phrase[:1].upper() + phrase[1:] for phrase in heading_phrases(section.heading)[:1])
