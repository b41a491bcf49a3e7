"""A finished run as a teacher, on the machine where it was trained: no model folder is needed for it.

Its documents are those of the data that is taught, prepared for another encoder: sentence by sentence the same.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from sector.encoders.files import write_array
from sector.errors import DataError
from sector.training.batches import Batch, reading_batches
from sector.training.checkpoint import read_arrays
from sector.training.config import TrainingConfig
from sector.training.device import choose_device
from sector.training.learner import SectorLearner
from sector.training.open_vocabulary import OpenLearner
from sector.training.predict import set_weights
from sector.training.prepared import PreparedData, SplitData
from sector.training.run_folder import BLOCK, PREPARED, TOWER, TRAINED
from sector.training.teacher import BOUNDARIES, FULL
from sector.training.trainer import learner_of, make_reader


@torch.no_grad()
def taught_by_run(data: PreparedData, run: Path, device: str = "auto") -> PreparedData:
    """Return the data with what the network of a finished run says of the same sentences.

    Of an open vocabulary the vectors of the headings are written beside the data too, so that what is taught lies in
    the space of its teacher. Raises DataError for a run that is not finished or that read other documents.
    """
    learner = _finished(run, device)
    _check_same(data, learner.data, run)
    teacher = _Spoken(learner)
    with torch.autocast(learner.device.type, dtype=torch.float16, enabled=learner.device.type == "cuda"):
        for batch in reading_batches(learner.data.train, learner.config.batch):
            teacher.hear(batch)
        if isinstance(learner, OpenLearner):
            write_array(data.folder / TOWER, _headings(learner))
            data = data.with_about(space_of=run.name)
    taught = replace(data.train, teacher=teacher.rows, vectors=teacher.vectors)
    return replace(data, splits={**data.splits, "train": taught}).with_about(teacher=run.name)


def _finished(run: Path, device: str) -> SectorLearner:
    """Return the learner of a run with the weights that it left."""
    for name in (PREPARED, TRAINED):
        if not (run / name).is_file():
            raise DataError(f"This is not the folder of a finished training: it has no {name}.", file=run)
    weights, about = read_arrays(run / TRAINED)
    data, config = PreparedData.load(run / PREPARED), TrainingConfig.from_dict(about["training"])
    chosen = choose_device(device)
    reader = make_reader(data, config).to(chosen).eval()
    learner = learner_of(data)(data, config, reader, chosen)
    set_weights(learner.network, reader, {name: torch.from_numpy(value) for name, value in weights.items()})
    learner.network.eval()
    return learner


def _check_same(data: PreparedData, other: PreparedData, run: Path) -> None:
    """Raise DataError unless both were prepared of the same documents and for the same labels."""
    one, two = data.train, other.train
    same = (data.task, data.labels) == (other.task, other.labels) and _shape(one) == _shape(two)
    if not same or not all(np.array_equal(getattr(one, x), getattr(two, x)) for x in ("document_offsets", "sections")):
        raise DataError("The teacher was trained on other documents than these; prepare both of the same.", file=run)


def _shape(split: SplitData) -> tuple[int, int]:
    return split.sentences, split.documents


class _Spoken:
    """What a network says of the training sentences, filled batch by batch."""

    def __init__(self, learner: SectorLearner) -> None:
        self.learner = learner
        sentences, open_vocabulary = learner.data.train.sentences, learner.data.task == "open"
        labels = 0 if open_vocabulary else len(learner.data.labels)
        self.rows = np.zeros((sentences, labels + BOUNDARIES), np.uint8)
        dimensions = learner.network.config.labels
        self.vectors = np.zeros((sentences, dimensions), np.float16) if open_vocabulary else None

    def hear(self, batch: Batch) -> None:
        """Read a batch as text with its line breaks."""
        learner = self.learner
        output = learner.read(learner.split, batch)
        if output.boundary is not None:
            self.rows[batch.sentences, -BOUNDARIES:] = _in_bytes(torch.sigmoid(output.boundary.float()))
        if self.vectors is None:
            self.rows[batch.sentences, :-BOUNDARIES] = _in_bytes(learner.network.probabilities(output))
        else:
            found = functional.normalize(output.logits[0].float(), dim=1)
            self.vectors[batch.sentences] = found.half().cpu().numpy()


def _headings(learner: OpenLearner) -> NDArray[np.float16]:
    """Return where the headings of the training lie."""
    count = len(learner.data.labels)
    numbers = torch.arange(count, device=learner.device)
    blocks = (numbers[first : first + BLOCK] for first in range(0, count, BLOCK))
    return np.concatenate([learner.network.headings(block).half().cpu().numpy() for block in blocks])


def _in_bytes(probabilities: torch.Tensor) -> NDArray[Any]:
    return (probabilities * FULL).round().byte().cpu().numpy()
