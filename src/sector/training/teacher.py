"""A teacher: another model of the same labels, whose probabilities a network learns beside, or instead of, gold labels.

What the teacher says of every training sentence is stored with the prepared data, so that it is read once and training
needs no other model. Documents that nobody labelled can be learned from as well (Hinton et al., 2015).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sector.document import Document
from sector.errors import DataError
from sector.evaluation.run import unlabelled
from sector.segmentation import Reading, make
from sector.segmentation.learned import sigmoid
from sector.tasks import TaskName
from sector.training.prepared import PreparedData

if TYPE_CHECKING:
    from sector.runtime import Model

BATCH = 32
"""Documents that the teacher reads at once."""
FULL = 255
"""What stands for a probability of 1."""
SHOWN = 5
"""Labels that an error names at most."""
BOUNDARIES = 2


def taught(
    data: PreparedData, documents: Sequence[Document], teacher: Model, advance: Callable[[int], None] | None = None
) -> PreparedData:
    """Return the data with what the teacher says of ``documents``, which are those of the train split, in order."""
    columns = label_columns(teacher, data.task, data.labels)
    rows = np.zeros((data.train.sentences, len(columns) + BOUNDARIES), np.uint8)
    open_vocabulary = data.task == "open"
    vectors = np.zeros((data.train.sentences, teacher.config.network.labels), np.float16) if open_vocabulary else None
    for begin in range(0, len(documents), BATCH):
        block = documents[begin : begin + BATCH]
        for number, reading in enumerate(teacher.read([unlabelled(document) for document in block]), start=begin):
            first, last = data.train.document_offsets[number : number + 2]
            rows[first:last] = soft_targets(reading, columns)
            if vectors is not None:
                vectors[first:last] = reading.vectors
        if advance:
            advance(len(block))
    learned = replace(data.train, teacher=rows, vectors=vectors)
    splits = {**data.splits, "train": learned}
    return replace(data, splits=splits).with_about(teacher=teacher.name)


def label_columns(teacher: Model, task: TaskName, labels: Sequence[str]) -> NDArray[np.int64]:
    """Return the teacher's column of each label, of which an open vocabulary has none.

    Raises DataError if the teacher's labels are others.
    """
    if teacher.task != task:
        raise DataError(f"The teacher '{teacher.name}' is a model of {teacher.task}, but the task is {task}.")
    if task == "open":
        return np.zeros(0, np.int64)
    places = {label: column for column, label in enumerate(teacher.labels)}
    missing, extra = [x for x in labels if x not in places], sorted(set(places) - set(labels))
    if missing or extra:
        raise DataError(
            f"The teacher '{teacher.name}' has other labels than the data: it lacks {_listed(missing)} and has "
            f"{_listed(extra)} beyond them. Take a teacher that was trained on the same labels."
        )
    return np.array([places[label] for label in labels], np.int64)


def soft_targets(reading: Reading, columns: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return [sentences, labels + 2] in 255ths: the labels, where they change, where a section begins."""
    labels = [reading.probabilities[:, columns].astype(np.float32)] if len(columns) else []
    parts = [*labels, _boundaries(reading)]
    return np.asarray(np.rint(np.concatenate(parts, axis=1) * FULL), np.uint8)


def _boundaries(reading: Reading) -> NDArray[np.float32]:
    """Return the learned probabilities; a teacher without a boundary layer is sure of the sections that bemd finds."""
    if reading.boundary is not None:
        return sigmoid(reading.boundary).astype(np.float32)
    starts = make("bemd").starts(reading)
    found = np.zeros((len(reading), BOUNDARIES), np.float32)
    found[starts, 1] = 1.0
    labels = np.add.reduceat(reading.probabilities, starts, axis=0, dtype=np.float64).argmax(axis=1)
    found[starts, 0] = np.diff(labels, prepend=-1) != 0
    return found


def _listed(labels: Sequence[Any]) -> str:
    if not labels:
        return "none"
    more = f" and {len(labels) - SHOWN} more" if len(labels) > SHOWN else ""
    return ", ".join(f"'{label}'" for label in labels[:SHOWN]) + more
