"""Read a prepared split with trained weights on the training device: what each sentence's labels and embeddings are."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor

from sector.network.config import NetworkConfig
from sector.network.model import SectorNetwork
from sector.segmentation import Reading
from sector.training.batches import reading_batches
from sector.training.features import SentenceTable
from sector.training.loop import choose_device, layout_on
from sector.training.prepared import SplitData, WordFeatures


@torch.no_grad()
def read_split(
    config: NetworkConfig,
    weights: Mapping[str, Tensor],
    features: WordFeatures,
    split: SplitData,
    device: str = "auto",
) -> list[Reading]:
    """Give one reading per document of the split, in float32."""
    chosen = choose_device(device)
    network = SectorNetwork(config).to(chosen).eval()
    network.load_state_dict(dict(weights))
    table = SentenceTable(features, split, chosen)
    probabilities = np.zeros((split.sentences, config.labels), np.float32)
    forward = np.zeros((split.sentences, config.embedding), np.float32)
    backward = np.zeros_like(forward)
    for batch in reading_batches(split, size=16):
        output = network(table.rows(batch.sentences), layout_on(batch, chosen))
        probabilities[batch.sentences] = network.probabilities(output).cpu().numpy()
        forward[batch.sentences] = output.forward.cpu().numpy()
        backward[batch.sentences] = output.backward.cpu().numpy()
    edges = split.document_offsets
    return [
        Reading(probabilities[begin:end], forward[begin:end], backward[begin:end]) for begin, end in pairwise(edges)
    ]
