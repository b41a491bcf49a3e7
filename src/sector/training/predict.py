"""Read a prepared split with trained weights on the training device: what each sentence's labels and embeddings are."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from sector.network.config import NetworkConfig
from sector.network.model import SectorNetwork, SectorOutput
from sector.segmentation import Reading
from sector.training.batches import reading_batches
from sector.training.device import choose_device
from sector.training.learner import layout_on
from sector.training.prepared import SplitData
from sector.training.readers import SentenceReader

READER = "reader."
"""How the names of a reader's weights begin."""


@torch.no_grad()
def read_split(
    config: NetworkConfig,
    weights: Mapping[str, Tensor],
    reader: SentenceReader,
    split: SplitData,
    device: str = "auto",
) -> list[Reading]:
    """Return one reading per document of the split, in float32; ``weights`` may hold the reader's own too."""
    chosen = choose_device(device)
    network = SectorNetwork(config).to(chosen).eval()
    reader = reader.to(chosen).eval()
    set_weights(network, reader, weights)
    table = reader.table(split, chosen)
    found = _Blank(split.sentences, config)
    for batch in reading_batches(split, size=16):
        found.fill(batch.sentences, network, network(reader(table, batch.sentences), layout_on(batch, chosen)))
    return [found.reading(begin, end) for begin, end in pairwise(split.document_offsets)]


def set_weights(network: SectorNetwork, reader: SentenceReader, weights: Mapping[str, Tensor]) -> None:
    """Give a network its weights and, where something was learned of it, its reader."""
    network.load_state_dict({name: value for name, value in weights.items() if not name.startswith(READER)})
    learned = {name.removeprefix(READER): value for name, value in weights.items() if name.startswith(READER)}
    reader.load_state_dict(learned, strict=False)


class _Blank:
    """Readings of all documents, to be filled batch by batch."""

    def __init__(self, sentences: int, config: NetworkConfig) -> None:
        self.task = config.task
        self.probabilities = np.zeros((sentences, config.labels), np.float32)
        self.forward = np.zeros((sentences, config.embedding), np.float32)
        self.backward = np.zeros_like(self.forward)
        self.boundary = np.zeros((sentences, 2), np.float32) if config.boundary else None

    def fill(self, numbers: NDArray[np.int64], network: SectorNetwork, output: SectorOutput) -> None:
        self.probabilities[numbers] = network.probabilities(output).cpu().numpy()
        self.forward[numbers] = output.forward.float().cpu().numpy()
        self.backward[numbers] = output.backward.float().cpu().numpy()
        if self.boundary is not None and output.boundary is not None:
            self.boundary[numbers] = output.boundary.float().cpu().numpy()

    def reading(self, begin: int, end: int) -> Reading:
        parts = (self.probabilities, self.forward, self.backward)
        probabilities, forward, backward = (part[begin:end] for part in parts)
        boundary = None if self.boundary is None else self.boundary[begin:end]
        return Reading(probabilities, forward, backward, boundary=boundary, task=self.task)
