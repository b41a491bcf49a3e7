"""German networks that learned from English documents too; needs numpy, torch and transformers alone.

    python benchmarks/transfer/train.py DIR words d1 --seed 1                  # a network on word vectors
    python benchmarks/transfer/train.py DIR encoder m1 --encoder ENCODER       # one on an English encoder, glossed
    python benchmarks/transfer/train.py DIR teach all --words d1,d2,q1 --encoders m1,m2
    python benchmarks/transfer/train.py DIR words e --seed 7 --teacher all     # learns what all of them say
    python benchmarks/transfer/train.py DIR score e d1 d1+e

DIR has what `prepare.py` and `gloss.py` wrote and, for an encoder, the prepared English data sets. Networks see both
languages first, then German alone. Scores need the German documents, all else DIR alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from harness.data import documents
from sector.encoders.features import WordFeatures
from sector.evaluation import score as scores
from sector.export.pretrained import describe, load_weights
from sector.network.config import NetworkConfig
from sector.runtime.sections import Labeller
from sector.segmentation import Reading, make
from sector.training.average import WeightAverage
from sector.training.checkpoint import read_arrays
from sector.training.config import TrainingConfig
from sector.training.device import choose_device
from sector.training.predict import read_split
from sector.training.prepared import PreparedData, SplitData
from sector.training.readers import SentenceReader, SentenceTable
from sector.training.sequences import joint_options
from sector.training.targets import TargetTable, average_precision
from sector.training.teacher import soft_targets
from sector.training.trainer import Trained, Trainer, make_reader
from sector.training.transformer import TransformerReader
from sector.training.weights import save_weights

ENGLISH = ("en_wiki", "en_city", "en_disease")
READ = ("validation", "test")
SHARES = (0.0, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0)
"""How much the encoder's networks may count among the teachers; the best on validation sentences is taken."""


def base_of(folder: Path, features: str) -> PreparedData:
    return PreparedData.load(folder / f"{features}.npz")


def english(folder: Path, base: PreparedData) -> SplitData:
    """Return the English documents; their words are rows of ``whole`` and of features with the same words."""
    if not np.array_equal(base.train.words, base_of(folder, "whole").train.words):
        raise SystemExit("The features have other words than 'whole'; give both the same most frequent ones.")
    with np.load(folder / "english.npz", allow_pickle=False) as found:
        arrays: dict[str, Any] = {name: found[name].astype(np.int64) for name in found.files}
    arrays["words"], arrays["mains"] = arrays["words"].astype(np.uint32), arrays["mains"].astype(np.uint8)
    flags = np.zeros((len(arrays["sections"]), base.train.flags.shape[1]), np.uint8)
    return SplitData(flags=flags, **arrays)


def joined(one: SplitData, other: SplitData) -> SplitData:
    """Put the documents of two splits one after the other."""

    def offsets(name: str) -> NDArray[np.int64]:
        first, second = getattr(one, name), getattr(other, name)
        return np.concatenate([first, second[1:] + first[-1]])

    def both(name: str) -> Any:
        parts = getattr(one, name), getattr(other, name)
        return None if parts[0] is None else np.concatenate(parts)

    plain = {name: both(name) for name in ("words", "labels", "flags", "mains", "teacher")}
    ends: dict[str, Any] = {name: offsets(name) for name in ("word_offsets", "document_offsets", "label_offsets")}
    sections = np.concatenate([one.sections, other.sections + len(one.label_offsets) - 1])
    return SplitData(sections=sections, **plain, **ends)


def options(seed: int, hidden: int, dropout: float = 0.3) -> TrainingConfig:
    return TrainingConfig(
        loss="softmax",
        hidden=hidden,
        boundary=1.0,
        balance=0.5,
        averaging=0.998,
        dropout=dropout,
        word_dropout=0.3,
        weight_decay=0.01,
        learn_vectors=True,
        distil=0.8,
        seed=seed,
    )


def train(
    base: PreparedData,
    more: SplitData,
    config: TrainingConfig,
    passes: tuple[int, int],
    reader: SentenceReader | None = None,
) -> tuple[Trained, Trainer]:
    """Train on both languages, then on German alone with half the rate."""

    def show(entry: dict[str, float]) -> None:
        print(json.dumps({name: round(value, 4) for name, value in entry.items()}), file=sys.stderr, flush=True)

    splits = dict(base.splits) | {"train": joined(base.train, more)}
    first = Trainer(replace(base, splits=splits), replace(config, epochs=passes[0]), reader=reader).run(report=show)
    trainer = Trainer(base, replace(config, epochs=passes[1], learning_rate=config.learning_rate / 2), reader=reader)
    learned = {name.removeprefix("reader."): w for name, w in first.weights.items() if name.startswith("reader.")}
    own = {name: w for name, w in first.weights.items() if not name.startswith("reader.")}
    trainer.tasks[0].network.load_state_dict(own)
    trainer.reader.load_state_dict(learned, strict=False)
    trainer.average = WeightAverage(trainer.modules, config.averaging)
    return trainer.run(report=show), trainer


@dataclass(frozen=True, slots=True)
class Kept:
    """The files of one network."""

    folder: Path
    name: str

    def path(self, kind: str) -> Path:
        return self.folder / f"{self.name}.{kind}.npz"

    def write(self, base: PreparedData, trained: Trained, trainer: Trainer, features: str) -> None:
        save_weights(self.path("weights"), trained, trainer.config)
        (self.folder / f"{self.name}.txt").write_text(features)
        for split in READ:
            readings = read_split(trained.network, trained.weights, trainer.reader, base.splits[split])
            parts = {
                part: np.concatenate([getattr(reading, part) for reading in readings]).astype(np.float16)
                for part in ("probabilities", "forward", "backward", "boundary")
            }
            np.savez(self.path(split), **parts)  # type: ignore[arg-type]

    def probabilities(self, split: str) -> NDArray[np.float32]:
        with np.load(self.path(split)) as found:
            return np.asarray(found["probabilities"], np.float32)


def said(trained: Trained, reader: SentenceReader, split: SplitData) -> NDArray[np.uint8]:
    """Return what a network says of every sentence, as a student reads it."""
    columns = np.arange(trained.network.labels)
    readings = read_split(trained.network, trained.weights, reader, split)
    return np.concatenate([soft_targets(reading, columns) for reading in readings])


class GivenReader(SentenceReader):
    """Vectors that have been made before, found by how many sentences a split has."""

    def __init__(self, vectors: dict[int, Tensor]) -> None:
        super().__init__()
        self.given = vectors

    def table(self, split: SplitData, device: torch.device) -> SentenceTable:
        return replace(super().table(split, device), vectors=self.given[split.sentences])


def with_words(folder: Path, kept: Kept, given: argparse.Namespace) -> None:
    base = base_of(folder, given.features)
    more = english(folder, base)
    if given.teacher:
        teachers = {name: np.load(folder / f"{given.teacher}.{name}.npy") for name in ("de", "en")}
        base = replace(base, splits=dict(base.splits) | {"train": replace(base.train, teacher=teachers["de"])})
        more = replace(more, teacher=teachers["en"])
    trained, trainer = train(base, more, options(given.seed, given.hidden), (given.both, given.german))
    kept.write(base, trained, trainer, given.features)


def with_encoder(folder: Path, kept: Kept, given: argparse.Namespace) -> None:
    """Train on the vectors that an English encoder, left as it is, has for glossed German and for English sentences."""
    base = base_of(folder, "whole")
    with np.load(folder / "german.npz", allow_pickle=False) as found:
        splits = {n: _read_as(base.splits[n], found[f"{n}.words"], found[f"{n}.lengths"]) for n in base.splits}
    prepared = [PreparedData.load(folder / "pieces" / name / "prepared.npz").train for name in ENGLISH]
    lengths = np.concatenate([np.diff(one.word_offsets) for one in prepared])
    more = _read_as(english(folder, base), np.concatenate([one.words for one in prepared]), lengths)
    device = choose_device("auto")
    about = describe(given.encoder)
    encoder = TransformerReader(load_weights(given.encoder), begin=about.begin, end=about.end, frozen=True).to(device)
    vectors: dict[int, Tensor] = {}
    for split in (*splits.values(), more):
        found_vectors = encoder.table(split, device).vectors
        assert found_vectors is not None
        vectors[split.sentences] = found_vectors
    german = vectors[splits["train"].sentences]
    vectors[len(german) + more.sentences] = torch.cat([german, vectors[more.sentences]])
    features = WordFeatures("mean", encoder.width, dense=np.zeros((1, encoder.width), np.float32))
    base = PreparedData(base.task, base.labels, features, splits, {})
    config, passes = options(given.seed, given.hidden, given.dropout), (given.both, given.german)
    trained, trainer = train(base, more, config, passes, GivenReader(vectors))
    kept.write(base, trained, trainer, "encoder")
    for name, split in (("de", splits["train"]), ("en", more)):
        np.save(folder / f"{kept.name}.said.{name}.npy", said(trained, trainer.reader, split))


def _read_as(split: SplitData, words: NDArray[Any], lengths: NDArray[Any]) -> SplitData:
    offsets = np.concatenate([[0], np.cumsum(lengths.astype(np.int64))])
    return replace(split, words=words.astype(np.uint32), word_offsets=offsets)


def teach(folder: Path, name: str, words: Sequence[str], encoders: Sequence[str]) -> None:
    """Write what networks say together of all training sentences."""
    base = base_of(folder, "whole")
    targets = TargetTable(base.splits["validation"], len(base.labels), torch.device("cpu"), 0.0)
    gold = targets.rows(np.arange(base.splits["validation"].sentences))
    labelled = gold.sum(dim=1) > 0

    def mean(names: Sequence[str]) -> NDArray[np.float32]:
        rows = [Kept(folder, one).probabilities("validation") for one in names]
        return np.asarray(np.mean(rows, axis=0), np.float32)

    both = mean(words), mean(encoders)

    def precision(share: float) -> float:
        rows = torch.from_numpy((1 - share) * both[0] + share * both[1])
        return float(average_precision(rows[labelled], gold[labelled]).mean())

    share = max(SHARES, key=precision)
    print(f"the encoder's networks count for {share}", file=sys.stderr)
    for part in ("de", "en"):
        total: Any = 0.0
        for one in words:
            features = (folder / f"{one}.txt").read_text()
            data = base_of(folder, features)
            split = data.train if part == "de" else english(folder, data)
            reader = make_reader(data, options(1, 1))
            total = total + said(_trained(folder, one), reader, split) * np.float32((1 - share) / len(words))
        for one in encoders:
            total = total + np.load(folder / f"{one}.said.{part}.npy") * np.float32(share / len(encoders))
        np.save(folder / f"{name}.{part}.npy", np.round(total).astype(np.uint8))


def _trained(folder: Path, name: str) -> Trained:
    arrays, about = read_arrays(Kept(folder, name).path("weights"))
    weights = {key: torch.from_numpy(array) for key, array in arrays.items()}
    return Trained(NetworkConfig.from_dict(about["network"]), weights, [], {})


def score(folder: Path, groups: Sequence[str]) -> None:
    """Print the scores of networks, and of several mixed in equal parts: ``a+b``."""
    base, labeller = base_of(folder, "whole"), Labeller("headings", base_of(folder, "whole").labels)
    gold = {split: documents(f"de_wiki_{split}") for split in READ}
    for split in READ:
        share = np.mean(np.diff(base.splits[split].label_offsets) == 0)
        print(f"{split}: {share:.1%} of the sections have no heading word that can be learned")
    for group in groups:
        for split in READ:
            readings = mixed([Kept(folder, name) for name in group.split("+")], split, base.splits[split])
            for method in (make("joint", **joint_options(base)), make("bemd")):
                given = zip(gold[split], readings, strict=True)
                predicted = [labeller.segmented(document, reading, method) for document, reading in given]
                found = scores(gold[split], predicted, task="headings", labels=base.labels).to_dict()
                print(f"{group} {split} {method.name}: {found['pk']:.1f} / {found['p1']:.1f} / {found['map']:.1f}")


def mixed(networks: Sequence[Kept], split: str, data: SplitData) -> list[Reading]:
    """Return the mean of what networks say, and all their embeddings."""
    parts: dict[str, Any] = {}
    for name in ("probabilities", "boundary", "forward", "backward"):
        each = [np.asarray(np.load(network.path(split))[name], np.float32) for network in networks]
        parts[name] = np.concatenate(each, axis=1) if name in ("forward", "backward") else np.mean(each, axis=0)
    return [Reading(**{name: rows[i:j] for name, rows in parts.items()}) for i, j in pairwise(data.document_offsets)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("step", choices=("words", "encoder", "teach", "score"))
    parser.add_argument("names", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hidden", type=int, default=512)
    parser.add_argument("--dropout", type=float, default=0.3, help="of a network on the encoder")
    parser.add_argument("--both", type=int, default=5, help="epochs with both languages")
    parser.add_argument("--german", type=int, default=10, help="epochs with German alone")
    parser.add_argument("--features", default="whole", help="which word vectors")
    parser.add_argument("--teacher", default="")
    parser.add_argument("--encoder", default="", help="Hugging Face's folder or name")
    parser.add_argument("--words", default="")
    parser.add_argument("--encoders", default="")
    given = parser.parse_args()
    kept = Kept(given.folder, given.names[0])
    if given.step == "words":
        with_words(given.folder, kept, given)
    elif given.step == "encoder":
        with_encoder(given.folder, kept, given)
    elif given.step == "teach":
        teach(given.folder, given.names[0], given.words.split(","), given.encoders.split(","))
    else:
        score(given.folder, given.names)


if __name__ == "__main__":
    main()
