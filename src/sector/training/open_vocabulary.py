"""Learn an open vocabulary: each section lies next to its heading, among those of the batch and others (InfoNCE)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from sector.arrays import Bools1d, Floats1d
from sector.errors import ConfigError, DataError
from sector.network.config import NetworkConfig
from sector.network.model import SectorOutput
from sector.network.space import GivenHeadings, HeadingSpace, LearnedHeadings, OpenNetwork, TowerHeadings
from sector.training.batches import Batch, reading_batches
from sector.training.learner import OnDevice, SectorLearner, without_lines
from sector.training.prepare import UNKNOWN_MAIN
from sector.training.readers import SentenceTable
from sector.training.run_folder import HEADING_PIECES, TOWER

FREQUENT = 15
"""Training sections that have a heading which learns a part of its own."""
WHOLE_PATHS = 0.3
"""Share of draws in which a section is called by its heading with those that it lies below."""
SMOOTHING = 0.05
BACKWARD, SENTENCES = 0.3, 0.5
"""How much it counts that a heading finds its section, and that each sentence finds its heading."""
DISTANCE = 4.0
"""How much it counts how far a sentence lies from where a teacher puts it."""
SMOOTHED_COUNTS = 0.75
"""Power of the frequency with which headings of other documents are drawn."""
RANKED = 1500
"""Headings among which the right one is looked for on validation documents."""


class OpenLearner(SectorLearner):
    """A network of open vocabulary, its documents, and the loss between sections and headings."""

    network: OpenNetwork

    def _network(self, shape: NetworkConfig) -> OpenNetwork:
        split = self.data.train
        counts = np.bincount(split.labels, minlength=len(self.data.labels))
        drawn = np.cumsum(counts.astype(np.float64) ** SMOOTHED_COUNTS)
        self._drawn = torch.from_numpy(drawn / drawn[-1])
        self._frequent = np.argsort(-_leaf_counts(split.labels, split.label_offsets, len(counts)))[:RANKED]
        frequent = int((counts >= FREQUENT).sum())  # labels are sorted by their counts
        given = split.vectors
        self._taught = None if given is None else torch.from_numpy(given).to(self.device)
        return OpenNetwork(shape, self._headings(shape.labels, frequent))

    def _headings(self, dimensions: int, frequent: int) -> HeadingSpace | GivenHeadings:
        """Return where headings lie: in the space of another model, or where their texts and the training put them."""
        given = bool(self.data.about.get("space_of"))
        if not given and (self.data.folder / HEADING_PIECES).is_file():
            pieces = read_headings(self.data.folder / HEADING_PIECES, len(self.data.labels))
            reader, table = self.reader, heading_table(pieces, self.device)
            width = self.data.features.width
            return LearnedHeadings(lambda x: reader.vectors_of(table, x.cpu().numpy()), width, frequent, dimensions)
        tower = torch.from_numpy(read_headings(self.data.folder / TOWER, len(self.data.labels)).astype(np.float16))
        if not given:
            return TowerHeadings(tower, frequent, dimensions)
        if tower.shape[1] != dimensions:
            raise ConfigError(f"The space of headings has {tower.shape[1]} dimensions; give space = {tower.shape[1]}.")
        return GivenHeadings(tower)

    def loss(self, batch: Batch, progress: float = 0.0) -> Tensor:
        """Return what a step lowers."""
        output = self.read(self.split, batch)
        vectors = output.logits[0].float()
        sections, sizes, numbers = self._sections(batch)
        means = functional.normalize(_sums(vectors, sections, len(sizes)), dim=1)
        loss = self._naming_loss(means, vectors, sections, sizes, numbers)
        counted, targets = self._boundary_weights(batch), self.split.targets.boundaries(batch.sentences)
        soft = self.split.targets.soft(batch.sentences)
        if soft is not None:
            targets = torch.lerp(targets, soft[1], float(self.config.distil))
        loss = loss + self.config.boundary * boundary_loss_of(output, targets, counted)
        return loss if self._taught is None else loss + self._distance(vectors, sections, sizes, batch)

    def _distance(self, vectors: Tensor, sections: Tensor, sizes: Tensor, batch: Batch) -> Tensor:
        """Return how far sentences, those of a section together as one, are from where the teacher puts them."""
        assert self._taught is not None
        taught = self._taught[torch.from_numpy(batch.sentences).to(self.device)].float()
        apart = 1 - functional.cosine_similarity(vectors, taught, dim=1)
        weights = sizes[sections].float().rsqrt()
        return DISTANCE * (apart * weights).sum() / weights.sum()

    def _sections(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """Return each sentence's section in the batch, the sections' sizes and the numbers of their headings, or −1."""
        split = self.data.train
        found, own, sizes = np.unique(split.sections[batch.sentences], return_inverse=True, return_counts=True)
        begins, ends = split.label_offsets[found], split.label_offsets[found + 1]
        with_path = (ends - begins > 1) & (torch.rand(len(found)).numpy() < WHOLE_PATHS)
        places = np.minimum(begins + with_path, max(0, len(split.labels) - 1))
        numbers = np.where(ends > begins, split.labels[places], -1)
        parts = (own, sizes, numbers)
        first, second, third = (torch.from_numpy(part).to(self.device) for part in parts)
        return first, second, third

    def _naming_loss(self, means: Tensor, rows: Tensor, sections: Tensor, sizes: Tensor, numbers: Tensor) -> Tensor:
        """Compare sections and sentences with the headings of the batch and with drawn ones, and headings with them."""
        named = numbers >= 0
        if not bool(named.any()):
            return rows.sum() * 0.0
        wanted, target, counts = torch.unique(numbers[named], return_inverse=True, return_counts=True)
        drawn = self._draw(wanted)
        headings = self.network.headings(torch.cat([wanted, drawn]))
        # Headings of the batch are there because they are frequent: half of that is taken off again.
        usual = torch.cat([counts.float().log() / 2, torch.zeros(len(drawn), device=self.device)])
        scale = self.network.headings.scale.exp().clamp(max=100.0)
        logits = scale * means[named] @ headings.T - usual
        forward = functional.cross_entropy(logits, target, label_smoothing=SMOOTHING)
        backward = functional.cross_entropy(_by_heading(logits, target), torch.arange(len(target), device=self.device))
        place = torch.full((len(numbers),), -1, device=self.device)
        place[named] = target
        kept = place[sections] >= 0
        own = functional.normalize(rows[kept], dim=1)
        single = functional.cross_entropy(scale * own @ headings.T - usual, place[sections][kept], reduction="none")
        weights = sizes[sections][kept].float().rsqrt()
        return forward + BACKWARD * backward + SENTENCES * (single * weights).sum() / weights.sum()

    def _draw(self, wanted: Tensor) -> Tensor:
        """Return headings of other documents."""
        drawn = torch.searchsorted(self._drawn, torch.rand(self.config.sampled, dtype=torch.float64))
        drawn = torch.unique(drawn.clamp(max=len(self._drawn) - 1)).to(self.device)
        other: Tensor = drawn[~torch.isin(drawn, wanted)]
        return other

    def _boundary_weights(self, batch: Batch) -> Tensor:
        """Return [rows, 2]: 0 for the first sentence of a run, and where it is not known whether a section is main."""
        split = self.data.train
        assert split.mains is not None
        counted = np.repeat((batch.layout[2] >= batch.documents)[:, None], 2, axis=1)
        counted[:, 0] &= split.mains[split.sections[batch.sentences]] != UNKNOWN_MAIN
        return torch.from_numpy(counted).to(self.device).float()

    @torch.no_grad()
    def validate(self) -> dict[str, float]:
        """Return as ``map`` the mean F1 of section starts with line breaks and without, and both beside it.

        Each is that of the best threshold. ``p1`` is the share of sections whose heading is found at once among the
        most frequent ones.
        """
        assert self.validation is not None
        with_lines, p1 = self._scored(lines=True)
        without, _ = self._scored(lines=False)
        return {"map": (with_lines + without) / 2, "starts": with_lines, "starts_without_lines": without, "p1": p1}

    def _scored(self, lines: bool) -> tuple[float, float]:
        """Return the best F1 of starts, and the share of headings that are found."""
        assert self.data.validation is not None
        batches = reading_batches(self.data.validation, self.config.batch)
        headings = self.network.headings(torch.from_numpy(self._frequent).to(self.device))
        found = [self._compared(batch, lines, headings) for batch in batches]
        odds, gold, named = map(np.concatenate, zip(*found, strict=True))
        return best_f1(odds, gold), float(named.mean()) if len(named) else 0.0

    def _compared(self, batch: Batch, lines: bool, headings: Tensor) -> tuple[Floats1d, Bools1d, Bools1d]:
        """Return log-odds of starts, gold starts, and of the sections of frequent headings whether these are found."""
        assert self.validation is not None
        output = self._read_lines(self.validation, batch, lines)
        assert output.boundary is not None
        inner = batch.layout[2] >= batch.documents
        odds = output.boundary[:, 1].float().cpu().numpy()[inner]
        gold = self.validation.targets.boundaries(batch.sentences)[:, 1].cpu().numpy()[inner] > 0
        return odds, gold, self._named(output.logits[0].float(), batch, headings)

    def _read_lines(self, split: OnDevice, batch: Batch, lines: bool) -> SectorOutput:
        rows = self.reader(split.sentences, batch.sentences)
        if not lines and split.sentences.flags.shape[1]:
            rows = without_lines(rows, torch.ones(len(rows), dtype=torch.bool, device=self.device))
        return self.network_output(rows, batch)

    def _named(self, vectors: Tensor, batch: Batch, headings: Tensor) -> Bools1d:
        split = self.data.validation
        assert split is not None
        found, own = np.unique(split.sections[batch.sentences], return_inverse=True)
        means = functional.normalize(_sums(vectors, torch.from_numpy(own).to(self.device), len(found)), dim=1)
        best = self._frequent[(means @ headings.T).argmax(dim=1).cpu().numpy()]
        begins, ends = split.label_offsets[found], split.label_offsets[found + 1]
        gold = np.where(ends > begins, split.labels[np.minimum(begins, max(0, len(split.labels) - 1))], -1)
        return np.asarray((best == gold)[np.isin(gold, self._frequent)])


def boundary_loss_of(output: SectorOutput, targets: Tensor, counted: Tensor) -> Tensor:
    """Return the mean over the sentences of both boundaries' losses that are counted [sentences, 2]."""
    assert output.boundary is not None
    loss = functional.binary_cross_entropy_with_logits(output.boundary.float(), targets, reduction="none")
    return (loss * counted).sum() / counted[:, 1].sum().clamp(min=1.0)


def read_headings(path: Path, headings: int) -> NDArray[Any]:
    """Read the encoder's vectors, or the pieces, of the headings; raises DataError if they are those of other data."""
    try:
        found = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise DataError(f"What the encoder reads of the headings cannot be read ({error}).", file=path) from error
    if found.ndim != 2 or len(found) != headings:
        raise DataError(f"{len(found)} rows do not belong to {headings} headings.", file=path)
    return np.asarray(found)


def heading_table(pieces: NDArray[np.int32], device: torch.device) -> SentenceTable:
    """Return headings, given as rows of pieces that −1 fills up, as a reader reads them."""
    lengths = (pieces >= 0).sum(axis=1).astype(np.int64)
    return SentenceTable(
        offsets=torch.from_numpy(np.cumsum(lengths) - lengths).to(device),
        lengths=lengths,
        entries=torch.from_numpy(pieces[pieces >= 0].astype(np.int32)).to(device),
        values=None,
        flags=torch.zeros(len(pieces), 0, device=device),
    )


def best_f1(scores: Floats1d, gold: Bools1d) -> float:
    """Return the highest F1 that a threshold on the scores reaches."""
    right = np.cumsum(gold[np.argsort(-scores, kind="stable")])
    f1 = 2 * right / (np.arange(1, len(right) + 1) + max(1, int(gold.sum())))
    return float(f1.max(initial=0.0))


def _sums(rows: Tensor, sections: Tensor, count: int) -> Tensor:
    return rows.new_zeros(count, rows.shape[1]).index_add(0, sections, rows)


def _by_heading(logits: Tensor, target: Tensor) -> Tensor:
    """Return for each section's heading its logits [sections, sections], without other sections of the same heading."""
    same = (target[:, None] == target) & ~torch.eye(len(target), dtype=torch.bool, device=target.device)
    return logits[:, target].T.masked_fill(same, float("-inf"))


def _leaf_counts(labels: NDArray[np.int64], offsets: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return how many sections have each heading as their own, not with those that it lies below."""
    first = offsets[:-1][np.diff(offsets) > 0]
    return np.asarray(np.bincount(labels[first], minlength=count))
