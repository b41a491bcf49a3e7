"""What a pretrained encoder keeps in memory for the backward pass, per piece, with and without checkpointing.

python benchmarks/transformer_memory.py ENCODER

ENCODER is a Hugging Face folder or name. Counted in float32 on a CPU; half precision on a GPU keeps about half.
"""

from __future__ import annotations

import argparse

import numpy as np
import torch
from torch.autograd.graph import saved_tensors_hooks

from sector.encoders import TransformerEncoder
from sector.export.pretrained import load_weights
from sector.training.readers import SentenceTable
from sector.training.transformer import TransformerReader

SENTENCES, LENGTH = 32, 24


def main() -> None:
    """Print one line per form."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("encoder")
    source = parser.parse_args().encoder
    encoder, model = TransformerEncoder(source), load_weights(source)
    weights = sum(value.numel() for value in model.parameters())
    print(f"{weights / 1e6:.1f} million weights: {16 * weights / 1e6:.0f} MB with their gradients and AdamW's state")
    for checkpointing in (False, True):
        reader = TransformerReader(model, begin=encoder.begin, end=encoder.end, checkpointing=checkpointing).train()
        kept = kept_bytes(reader) / (SENTENCES * (LENGTH + 2))
        print(f"checkpointing {str(checkpointing).lower()}: {kept / 1e3:.1f} kB per piece beside the weights")


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


if __name__ == "__main__":
    main()
