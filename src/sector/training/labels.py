"""What a network learns to say: the topics of a data set, the words of its headings, or whole headings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from sector.arrays import Ints1d
from sector.document import Document, Section
from sector.errors import DataError
from sector.tasks import TaskName, check_task
from sector.text.headings import heading_phrases, heading_words


@dataclass(frozen=True, slots=True)
class LabelVocabulary:
    """The labels of a task, most frequent first."""

    task: TaskName
    labels: tuple[str, ...]
    language: str = ""
    _places: dict[str, int] = field(init=False, repr=False, compare=False)
    """The number of each label."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_places", {label: number for number, label in enumerate(self.labels)})

    @classmethod
    def from_documents(
        cls, documents: Iterable[Document], task: TaskName, *, language: str = "", min_count: int = 1
    ) -> LabelVocabulary:
        """Count the labels of the training sections; ``min_count`` is for heading words only."""
        check_task(task)
        counted = Counter(
            label
            for document in documents
            for section in document.sections
            for label in section_labels(section, task, language)
        )
        least = min_count if task == "headings" else 1
        kept = sorted((label for label, count in counted.items() if count >= least), key=lambda x: (-counted[x], x))
        if not kept:
            wanted = "section labels" if task == "topics" else f"headings or heading words that occur {min_count} times"
            other = "headings" if task == "topics" else "topics"
            raise DataError(f"The training documents have no {wanted}; try --task {other}.")
        return cls(task, tuple(kept), language)

    def numbers(self, sections: Sequence[Section]) -> list[list[int]]:
        """Return the numbers of each section's known labels; none for one that is unknown."""
        places = self._places
        found = (section_labels(section, self.task, self.language) for section in sections)
        return [[places[label] for label in labels if label in places] for labels in found]


def section_labels(section: Section, task: TaskName, language: str = "") -> list[str]:
    """Return what a section should be called: its topic, the distinct words of its heading without stop words, or its
    heading, alone and with those that it lies below."""
    if task == "topics":
        return [section.label] if section.label else []
    if task == "open":
        return heading_phrases(section.heading)
    return heading_words(section.heading, language)


def section_of_sentences(document: Document) -> Ints1d:
    """Return each sentence's section: the last one that begins at or before the sentence, else the first."""
    begins = np.array([section.begin for section in document.sections], dtype=np.int64)
    return np.maximum(np.searchsorted(begins, document.spans.begin, side="right") - 1, 0)
