"""One task of a training run: its documents, the network that learns to label them, and the loss between the two."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from sector.encoders.structure import FLAGS
from sector.errors import DataError
from sector.network.config import NetworkConfig
from sector.network.losses import boundary_loss, label_loss, teacher_loss
from sector.network.model import Layout, SectorNetwork, SectorOutput
from sector.training.batches import Batch, reading_batches, training_batches
from sector.training.config import TrainingConfig
from sector.training.prepared import PreparedData, SplitData
from sector.training.readers import SentenceReader
from sector.training.targets import TargetTable, average_precision


class SectorLearner:
    """A network, its data on a device and its loss; several of them may share a reader of sentences."""

    def __init__(
        self,
        data: PreparedData,
        config: TrainingConfig,
        reader: SentenceReader,
        device: torch.device,
        weight: float = 1.0,
        share: float = 1.0,
    ) -> None:
        """Move the data to the device and make a network for it.

        ``weight`` multiplies the loss; ``share`` is the part of the training documents that an epoch reads. Raises
        DataError for data without sentences or without labels.
        """
        if data.train.sentences == 0:
            raise DataError("There is nothing to train on: the training documents have no sentences.")
        if not data.labels:
            raise DataError("There is nothing to learn: no training document has a label for this task.")
        self.data, self.config, self.reader, self.device = data, config, reader, device
        self.network = self._network(network_config(data, config)).to(device)
        self.split = OnDevice(data, data.train, reader, device, config.balance)
        self.validation = None
        if data.validation is not None:
            self.validation = OnDevice(data, data.validation, reader, device)
        self._share = share
        mean_window = np.minimum(np.diff(data.train.document_offsets), config.window).mean()
        # A constant, not the batch's own count: else bucketing by length would weigh short documents more.
        self._scale = weight / (float(mean_window) * min(config.batch, data.train.documents))

    def _network(self, shape: NetworkConfig) -> SectorNetwork:
        network = SectorNetwork(shape)
        if self.config.loss != "rank":
            network.set_prior(label_frequencies(self.data.train, len(self.data.labels)))
        return network

    @property
    def has_validation(self) -> bool:
        """Whether there are validation documents."""
        return self.validation is not None

    def batches(self, random: np.random.Generator) -> list[Batch]:
        """Return one epoch of batches, of the share of documents that is read."""
        config = self.config
        found = list(training_batches(self.data.train, config.batch, config.window, random, config.crop))
        return found[: max(1, round(self._share * len(found)))]

    def fingerprint(self) -> str:
        """Return a name that changes with the data."""
        return self.data.fingerprint()

    def read(self, split: OnDevice, batch: Batch) -> SectorOutput:
        """Run reader and network over a batch."""
        rows = self.reader(split.sentences, batch.sentences)
        if self.network.training and self.config.flag_dropout and split.sentences.flags.shape[1]:
            rows = without_lines(rows, torch.from_numpy(self._unseen_lines(batch)).to(self.device))
        return self.network_output(rows, batch)

    def network_output(self, rows: Tensor, batch: Batch) -> SectorOutput:
        """Run the network over the rows of a batch."""
        output: SectorOutput = self.network(rows, layout_on(batch, self.device))
        return output

    def _unseen_lines(self, batch: Batch) -> NDArray[np.bool_]:
        """Return of each sentence whether its document loses its line breaks."""
        lost = torch.rand(batch.documents).numpy() < self.config.flag_dropout
        return np.asarray(lost[batch.layout[2] % batch.documents])

    def loss(self, batch: Batch, progress: float = 0.0) -> Tensor:
        """Return what a step lowers: gold labels and boundaries, mixed with a teacher's where there is one."""
        output, targets = self.read(self.split, batch), self.split.targets
        gold, soft = targets.rows(batch.sentences), targets.soft(batch.sentences)
        loss = self._gold_loss(output, batch, gold)
        if soft is not None:  # alone where there is no gold label: text that nobody labelled
            share = torch.where(gold.sum(dim=1) > 0, float(self.config.distil), 1.0)
            loss = torch.lerp(loss, self._soft_loss(output, batch, *soft), share)
        return (loss * targets.weights(batch.sentences)).sum() * self._scale

    def _gold_loss(self, output: SectorOutput, batch: Batch, gold: Tensor) -> Tensor:
        loss = label_loss(output.logits, gold, task=self.data.task, loss=self.config.loss)
        return loss + self._boundary_loss(output, batch, self.split.targets.boundaries(batch.sentences))

    def _soft_loss(self, output: SectorOutput, batch: Batch, labels: Tensor, boundaries: Tensor) -> Tensor:
        loss = teacher_loss(output.logits, labels, exclusive=self.network.config.exclusive)
        return loss + self._boundary_loss(output, batch, boundaries)

    def _boundary_loss(self, output: SectorOutput, batch: Batch, targets: Tensor) -> Tensor:
        """Leave out the first sentence of each run: nothing is known of what stood before it."""
        if output.boundary is None:
            return torch.zeros((), device=self.device)
        counted = torch.from_numpy(batch.layout[2] >= batch.documents).to(self.device)
        return boundary_loss(output.boundary, targets) * counted * self.config.boundary

    @torch.no_grad()
    def validate(self) -> dict[str, float]:
        """Return the mean average precision over the validation sentences that have a label, as ``map``."""
        assert self.validation is not None and self.data.validation is not None
        total, count = torch.zeros((), device=self.device), torch.zeros((), device=self.device)
        for batch in reading_batches(self.data.validation, self.config.batch):
            targets = self.validation.targets.rows(batch.sentences)
            scores = self.network.probabilities(self.read(self.validation, batch))
            total += average_precision(scores, targets).sum()
            count += (targets.sum(dim=1) > 0).sum()
        return {"map": float(total / count.clamp(min=1))}


class OnDevice:
    """A split's inputs and targets on the device."""

    def __init__(
        self, data: PreparedData, split: SplitData, reader: SentenceReader, device: torch.device, balance: float = 0.0
    ) -> None:
        self.sentences = reader.table(split, device)
        self.targets = TargetTable(split, len(data.labels), device, balance)


def without_lines(rows: Tensor, lost: Tensor) -> Tensor:
    """Return rows, flags last, as they are of text without line breaks where ``lost`` [rows] is true."""
    begin, end = (rows[:, FLAGS.index(f"document_{edge}") - len(FLAGS)] for edge in ("begin", "end"))
    bare = torch.stack([begin, end, torch.zeros_like(begin), begin, end], dim=1)
    flags = torch.where(lost[:, None], bare, rows[:, -len(FLAGS) :])
    return torch.cat([rows[:, : -len(FLAGS)], flags], dim=1)


def label_frequencies(split: SplitData, labels: int) -> Tensor:
    """Return the share of sentences that have each label [labels]."""
    sentences = np.bincount(split.sections, minlength=len(split.label_offsets) - 1)
    weights = np.repeat(sentences, np.diff(split.label_offsets))
    counts = np.bincount(split.labels, weights, minlength=labels)
    return torch.from_numpy((counts / max(1, split.sentences)).astype(np.float32))


def network_config(data: PreparedData, config: TrainingConfig) -> NetworkConfig:
    """Combine the data's widths with the run's options."""
    return NetworkConfig(
        inputs=data.inputs,
        labels=config.space if data.task == "open" else len(data.labels),
        task=data.task,
        softmax=config.loss == "softmax" and data.task == "headings",
        hidden=config.hidden,
        embedding=config.embedding,
        projection=config.projection,
        tied=config.tied,
        output=config.output,
        boundary=config.boundary > 0,
        dropout=config.dropout,
        dropout_place=config.dropout_place,
    )


def layout_on(batch: Batch, device: torch.device) -> Layout:
    """Copy a batch's layout to the device."""
    forward, backward, forward_place, backward_place = (torch.from_numpy(part).to(device) for part in batch.layout)
    return Layout(forward, backward, forward_place, backward_place, batch.documents)
