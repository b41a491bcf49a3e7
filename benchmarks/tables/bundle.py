"""Bundle a data set for training elsewhere: word numbers, features of every encoder, labels of both tasks, gold.

    python benchmarks/tables/bundle.py en_disease en_city --vectors vectors/en --bloom 8192 16384 --output device/
    python benchmarks/tables/bundle.py de_wiki --recipe fast=recipes/de_wiki.toml:vectors/de --output device/

The bundle holds no text: word numbers, sentence spans, section spans and names. `run.py` reads it with numpy and torch.
"""

from __future__ import annotations

import argparse
import json
import os
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector import datasets, encoders
from sector.document import Document, Section
from sector.errors import DataError
from sector.tasks import TaskName
from sector.text.sentences import SentenceSpans
from sector.training.prepare import TaskOptions, number_words, prepare, word_features
from sector.training.prepared import PreparedData, SplitData, WordFeatures

FOLDERS = ("wikisection", "headings")
SPLITS = ("train", "validation", "test")
MIN_COUNTS = {"en_wiki": 20, "de_wiki": 10}
"""Least frequency of heading words where 3 would give many thousands of labels."""


def data_folder() -> Path:
    return Path(os.environ.get("SECTOR_DATA", "../shared/data"))


def find(name: str, split: str) -> Path:
    places = [data_folder() / folder / f"{name}_{split}.json.xz" for folder in FOLDERS]
    return next((place for place in places if place.exists()), places[0])


def bundle(name: str, output: Path, features: dict[str, tuple[str, dict[str, Any]]]) -> None:
    language = name[:2]
    splits = {split: datasets.load(find(name, split), language=language) for split in SPLITS}
    corpus = number_words(splits)
    tasks = {}
    for task in ("topics", "headings"):
        try:
            wanted = TaskOptions(task, language, MIN_COUNTS.get(name, 3))
            tasks[task] = prepare(corpus, encoders.make("bloom"), wanted)
        except DataError as error:
            print(f"{name}: no {task}: {error}")
    next(iter(tasks.values())).save(output / f"{name}.npz")
    for task, data in tasks.items():
        save_labels(output / f"{name}.{task}.npz", data)
    save_gold(output / f"{name}.gold.json", splits["validation"], splits["test"])
    for label, (kind, options) in features.items():
        save_features(output / f"{name}.{label}.npz", kind, options, splits["train"], corpus.words)


def save_labels(path: Path, data: PreparedData) -> None:
    arrays: dict[str, NDArray[Any]] = {"names": np.frombuffer(json.dumps(data.labels).encode(), np.uint8)}
    for name, split in data.splits.items():
        arrays |= {f"{name}.{part}": getattr(split, part) for part in ("sections", "labels", "label_offsets")}
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]


def save_gold(path: Path, validation: list[Document], test: list[Document]) -> None:
    """Write what evaluation needs of the documents: lengths, sentence spans, gold sections; no text."""
    record = {
        name: [
            {
                "length": len(document.text),
                "begin": document.spans.begin.tolist(),
                "end": document.spans.end.tolist(),
                "paragraph_end": document.spans.paragraph_end.astype(int).tolist(),
                "sections": [[s.begin, s.end, s.label, s.heading] for s in document.sections],
                "language": document.language,
            }
            for document in documents
            if len(document)
        ]
        for name, documents in (("validation", validation), ("test", test))
    }
    path.write_text(json.dumps(record), encoding="utf-8")


def load_gold(path: Path, split: str) -> list[Document]:
    records = json.loads(path.read_text(encoding="utf-8"))[split]
    return [
        Document(
            text=" " * record["length"],
            language=record["language"],
            sections=tuple(Section(b, e, label, heading) for b, e, label, heading in record["sections"]),
            given_spans=SentenceSpans(
                np.array(record["begin"]),
                np.array(record["end"]),
                np.array(record["paragraph_end"], np.bool_),
            ),
        )
        for record in records
    ]


def save_features(path: Path, kind: str, options: dict[str, Any], train: list[Document], words: list[str]) -> None:
    """Write an encoder's features of every word of the bundle."""
    encoder = encoders.make(kind, **options)
    encoder.fit(document.sentence_texts for document in train)
    features, numbers = word_features(encoder, words)
    arrays: dict[str, NDArray[Any]] = {
        "pooling": np.frombuffer(features.pooling.encode(), np.uint8),
        "numbers": numbers,
    }
    if features.dense is not None:
        scale = np.abs(features.dense).max(axis=1, keepdims=True) / 127  # a byte per number keeps bundles small
        arrays |= {"dense": np.round(features.dense / scale).astype(np.int8), "scale": scale.astype(np.float32)}
    else:
        assert features.indices is not None and features.values is not None and features.offsets is not None
        arrays |= {"indices": features.indices, "values": features.values, "offsets": features.offsets}
        arrays["width"] = np.array(features.width)
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]


def load(folder: Path, name: str, task: TaskName, encoder: str) -> PreparedData:
    """Put a bundle together as prepared data for one task and one encoder; unknown words are left out."""
    base = PreparedData.load(folder / f"{name}.npz")
    with np.load(folder / f"{name}.{task}.npz", allow_pickle=False) as found:
        arrays = {key: found[key] for key in found.files}
    labels = tuple(json.loads(arrays["names"].tobytes()))
    parts = ("sections", "labels", "label_offsets")
    splits = {
        split: replace(data, **{part: arrays[f"{split}.{part}"] for part in parts})
        for split, data in base.splits.items()
    }
    features = base.features
    if encoder == "bits":
        features = replace(features, pooling="clip")
    elif encoder != "bloom":
        kind, _, pooling = encoder.partition("-")
        features, numbers = _features(folder / f"{name}.{kind}.npz")
        if pooling:
            features = replace(features, pooling=pooling)
        splits = {split: _only_known(data, numbers) for split, data in splits.items()}
    about = {"data": name, "task": task, "encoder": encoder}
    return PreparedData(task, labels, features, splits, about)


def _features(path: Path) -> tuple[WordFeatures, NDArray[np.int64]]:
    with np.load(path, allow_pickle=False) as arrays:
        pooling = arrays["pooling"].tobytes().decode()
        if "dense" in arrays.files:
            dense = arrays["dense"].astype(np.float32) * arrays["scale"]
            return WordFeatures(pooling, dense.shape[1], dense=dense), arrays["numbers"]
        parts = {part: arrays[part] for part in ("indices", "values", "offsets")}
        return WordFeatures(pooling, int(arrays["width"]), **parts), arrays["numbers"]


def _only_known(split: SplitData, numbers: NDArray[np.int64]) -> SplitData:
    words = numbers[split.words]
    before = np.concatenate([[0], np.cumsum(words >= 0)])
    return replace(split, words=words[words >= 0].astype(np.uint32), word_offsets=before[split.word_offsets])


def feature_options(arguments: argparse.Namespace) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the features to bundle beside the paper's Bloom filter: name → encoder and its options."""
    found: dict[str, tuple[str, dict[str, Any]]] = {"bow": ("bow", {"max_words": arguments.max_words})}
    if arguments.vectors:
        found["emb"] = ("emb", {"vectors": str(arguments.vectors), "max_words": arguments.max_words})
    for given in arguments.recipe:
        label, _, source = given.partition("=")
        recipe, _, vectors = source.partition(":")
        found[label] = ("emb", tomllib.loads(Path(recipe).read_text())["encoder_options"] | {"vectors": vectors})
    for positions in arguments.bloom:
        found[f"bloom{positions // 1024}k"] = ("bloom", {"positions": positions, "hashes": 3})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--vectors", type=Path, help="folder of sector train-embeddings; without it no emb")
    parser.add_argument("--max-words", type=int, default=20_000, help="words that bow and emb know")
    parser.add_argument(
        "--bloom", type=int, nargs="*", default=[], help="sizes of further Bloom filters, 3 hashes each"
    )
    parser.add_argument("--recipe", nargs="*", default=[], metavar="NAME=RECIPE:VECTORS", help="vectors as a recipe")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    for name in arguments.names:
        bundle(name, arguments.output, feature_options(arguments))


if __name__ == "__main__":
    main()
