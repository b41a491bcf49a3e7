"""What a pretrained encoder keeps in memory for the backward pass, per piece, with and without checkpointing.

Counted in float32 on a CPU; half precision on a GPU keeps about half.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
import torch
from torch.autograd.graph import saved_tensors_hooks

from harness.page import table
from sector.encoders import HuggingFaceEncoder
from sector.export.pretrained import load_weights
from sector.training.readers import SentenceTable
from sector.training.transformer import TransformerReader

TITLE = "Memory of a pretrained encoder in training"
SENTENCES, LENGTH = 32, 24


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("encoder", help="a Hugging Face folder or name")


def report(options: argparse.Namespace) -> Iterator[str]:
    shape, model = HuggingFaceEncoder.of(options.encoder, tokens=48).shape, load_weights(options.encoder)
    weights = sum(value.numel() for value in model.parameters()) / 1e6
    yield f"{weights:.1f} million weights: {16 * weights:.0f} MB with their gradients and AdamW's state.\n"
    rows = []
    for checkpointing in (False, True):
        reader = TransformerReader(model, begin=shape.begin, end=shape.end, checkpointing=checkpointing).train()
        kept = kept_bytes(reader) / (SENTENCES * (LENGTH + 2))
        rows.append([str(checkpointing).lower(), f"{kept / 1e3:.1f}"])
    yield from table(["checkpointing", "kB per piece beside the weights"], rows)


def kept_bytes(reader: TransformerReader) -> int:
    """Count the memory behind all tensors that wait for the backward pass, each once, without the weights."""
    own = {value.untyped_storage().data_ptr() for value in reader.parameters()}
    found: dict[int, torch.UntypedStorage] = {}

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            found[storage.data_ptr()] = storage
        return tensor

    with saved_tensors_hooks(keep, lambda tensor: tensor):
        reader(_table(), np.arange(SENTENCES)).sum()
    return sum(storage.nbytes() for storage in found.values())


def _table() -> SentenceTable:
    entries = torch.randint(1000, 2000, (SENTENCES * LENGTH,), dtype=torch.int32)
    offsets = torch.arange(SENTENCES) * LENGTH
    return SentenceTable(offsets, np.full(SENTENCES, LENGTH), entries, None, torch.zeros(SENTENCES, 0))
