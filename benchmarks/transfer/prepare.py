"""Prepare de_wiki for `train.py`: German documents on both kinds of word vectors.

python benchmarks/transfer/prepare.py --vectors whole=vectors/de fast=vectors/de_sub --output DIR
"""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path

from harness.data import documents
from sector import encoders
from sector.training.prepare import TaskOptions, number_tokens, prepare

RECIPE = Path(__file__).parents[2] / "recipes" / "de_wiki.toml"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vectors", nargs="+", required=True, metavar="NAME=FOLDER")
    parser.add_argument("--output", type=Path, required=True)
    given = parser.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    recipe = tomllib.loads(RECIPE.read_text(encoding="utf-8"))
    splits = {part: documents(f"de_wiki_{part}") for part in ("train", "validation", "test")}
    wanted = TaskOptions("headings", "de", recipe["min_count"])
    for name, _, vectors in (entry.partition("=") for entry in given.vectors):
        encoder = encoders.make("emb", **recipe["encoder_options"] | {"vectors": vectors})
        prepare(number_tokens(splits, encoder), encoder, wanted).save(given.output / f"{name}.npz")


if __name__ == "__main__":
    main()
