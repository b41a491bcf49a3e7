"""Speed, size and exactness of a pretrained encoder in each precision, below an untrained network.

How good the sections are is not measured here. `--way` may name what was not chosen, too: int8 with blocks of 32 or
128, int8 with values in float32, and what onnxruntime's `quantize_dynamic` makes.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from numpy.typing import NDArray

import sector
from harness.clock import median, seconds
from harness.data import documents
from harness.page import table
from sector.document import Document
from sector.encoders import HuggingFaceEncoder
from sector.export import quantize
from sector.export.model_folder import export_model
from sector.export.onnx_export import export_onnx
from sector.export.pretrained import load_weights
from sector.network.config import NetworkConfig
from sector.network.model import SectorNetwork
from sector.runtime.folder import ModelConfig

TITLE = "Precisions of a pretrained encoder"
LABELS = tuple(f"topic {number}" for number in range(30))
REPEATS = 3
WAYS = {
    "float32": ("float32", 64, 4),
    "float16": ("float16", 64, 4),
    "int8": ("int8", 64, 4),
    "blocks-of-32": ("int8", 32, 4),
    "blocks-of-128": ("int8", 128, 4),
    "wide-values": ("int8", 64, 0),
    "dynamic": ("float32", 64, 4),
}
"""Precision, weights of one scale, and onnxruntime's accuracy level."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("encoder", help="a Hugging Face folder or name")
    parser.add_argument("--data", default="en_city_test")
    parser.add_argument("--limit", type=int, default=20, help="only the first documents")
    parser.add_argument("--way", nargs="*", default=list(WAYS)[:3], choices=list(WAYS))


def report(options: argparse.Namespace) -> Iterator[str]:
    encoder, gold = HuggingFaceEncoder.of(options.encoder, tokens=48), documents(options.data, options.limit)
    pieces = [len(found) for document in gold for found in encoder.tokenize(document.sentence_texts)]
    yield f"{len(gold)} documents of {options.data}, {sum(map(len, gold)) / len(gold):.0f} sentences of"
    yield f"{np.mean(pieces):.1f} pieces each; median of {REPEATS} runs.\n"
    graph = export_onnx(load_weights(options.encoder).eval(), encoder.shape.tokens + 2).SerializeToString()
    exact = vectors(graph, encoder, gold[0])
    head = ["way", "encoder, MB", "load, s", "documents/s", "s per document", "one by one", "change of a vector"]
    yield from table(head, (row(way, encoder, gold, exact) for way in options.way))


def row(way: str, encoder: HuggingFaceEncoder, gold: Sequence[Document], exact: NDArray[np.float32]) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="sector-") as place:
        folder, texts, found = export(Path(place) / "model", encoder, way), [one.text for one in gold], []
        size = sum(file.stat().st_size for file in folder.iterdir() if file.name not in ("model.onnx", "README.md"))
        loaded = seconds(lambda: found.append(sector.load(folder)))
        together = median(lambda: list(found[0].segment_all(texts)), REPEATS) / len(texts)
        single = median(lambda: [found[0].segment(text) for text in texts], REPEATS) / len(texts)
        rows = vectors((folder / "encoder.onnx").read_bytes(), encoder, gold[0])
    change = float(np.mean(np.linalg.norm(rows - exact, axis=1) / np.linalg.norm(exact, axis=1)))
    times = (f"{loaded:.2f}", f"{1 / together:.1f}", f"{together:.3f}", f"{single:.3f}")
    return [way, f"{size / 1e6:.1f}", *times, f"{change:.1e}"]


def export(path: Path, encoder: HuggingFaceEncoder, way: str) -> Path:
    """Write a model with the pretrained encoder and a network that has learned nothing."""
    precision, quantize.BLOCK, quantize.ACCURACY_LEVEL = WAYS[way]
    torch.manual_seed(1)
    config = NetworkConfig(inputs=encoder.width, labels=len(LABELS), boundary=True)
    weights = {name: value.numpy() for name, value in SectorNetwork(config).state_dict().items()}
    settings = ModelConfig("topics", LABELS, {}, config, language="en", segmentation={"name": "joint"})
    export_model(path, settings, encoder, weights, precision=precision, with_weights=False)
    if way == "dynamic":
        from onnxruntime.quantization import QuantType, quantize_dynamic

        file = str(path / "encoder.onnx")
        quantize_dynamic(file, file, per_channel=True, weight_type=QuantType.QInt8)
    return path


def vectors(graph: bytes, encoder: HuggingFaceEncoder, document: Document) -> NDArray[np.float32]:
    """Return the vectors that a graph gives for the sentences of a document, one at a time."""
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    numbers = ([encoder.shape.begin, *found, encoder.shape.end] for found in encoder.tokenize(document.sentence_texts))
    return np.concatenate([session.run(None, {"pieces": np.array([one])})[0] for one in numbers])
