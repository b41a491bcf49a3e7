"""How the sentences of a training batch are grouped for a pretrained encoder: groups and padding.

python benchmarks/transformer_groups.py PREPARED.npz [--batch 8] [--window 250]

PREPARED.npz is in the work folder of `sector train DATA --encoder transformer … --prepare-only`.
"""

from __future__ import annotations

import argparse
from itertools import islice
from pathlib import Path

import numpy as np

from sector.training.batches import training_batches
from sector.training.prepared import PreparedData
from sector.training.transformer import _groups

BATCHES = 200


def main() -> None:
    """Print one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("prepared", type=Path)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--window", type=int, default=250)
    options = parser.parse_args()
    split = PreparedData.load(options.prepared).train
    lengths = np.diff(split.word_offsets)
    sentences, pieces, padded, groups, batches = 0, 0, 0, 0, 0
    random = np.random.default_rng(1)
    for batch in islice(training_batches(split, options.batch, options.window, random, 0.0), BATCHES):
        own = lengths[batch.sentences]
        found = list(_groups(np.argsort(own, kind="stable"), own))
        sentences, pieces, batches = sentences + len(own), pieces + int((own + 2).sum()), batches + 1
        padded += sum(len(group) * int(own[group].max() + 2) for group in found)
        groups += len(found)
    per_batch = (
        f"{sentences / batches:.0f} sentences and {pieces / batches:.0f} pieces in {groups / batches:.1f} groups"
    )
    print(f"{batches} batches: {per_batch} each, {padded / pieces - 1:.1%} padding")


if __name__ == "__main__":
    main()
