"""Speed, size and exactness of a pretrained encoder in each precision, below an untrained network.

python benchmarks/transformer_speed.py ENCODER [--documents N] [--ways NAME …]

ENCODER is a Hugging Face folder or name. Documents are the first of en_city's test set; how good the sections are is
not measured here. ``--ways`` may name what was not chosen, too: int8 with blocks of 32 or 128, int8 with values in
float32, and what onnxruntime's ``quantize_dynamic`` makes.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import islice
from pathlib import Path

import numpy as np
import torch

import sector
from sector import datasets, encoders
from sector.document import Document
from sector.export import quantize
from sector.export.model_folder import export_model
from sector.network.config import NetworkConfig
from sector.network.model import SectorNetwork
from sector.runtime.folder import ModelConfig
from sector.training.transformer import TransformerReader

ROOT = Path(__file__).parents[1]
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
WARM = "A sentence to begin with. And a second one."


def main() -> None:
    """Measure and print Markdown."""
    options = _options()
    documents = list(islice(datasets.load(options.data, language="en"), options.documents))
    print("\n".join(_report(options, documents)))


def _options() -> argparse.Namespace:
    folder = Path(os.environ.get("SECTOR_DATA", ROOT.parent / "shared" / "data"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("encoder")
    parser.add_argument("--data", type=Path, default=folder / "wikisection" / "en_city_test.json.xz")
    parser.add_argument("--documents", type=int, default=40)
    parser.add_argument("--ways", nargs="*", default=list(WAYS)[:3], choices=list(WAYS))
    return parser.parse_args()


def _report(options: argparse.Namespace, documents: Sequence[Document]) -> Iterator[str]:
    encoder = encoders.TransformerEncoder(options.encoder)
    sentences = sum(len(document) for document in documents)
    pieces = [len(found) for document in documents for found in encoder.pieces(document.sentence_texts)]
    yield f"{os.cpu_count()}-core x86_64 VM, Python {sys.version.split()[0]}, {date.today().isoformat()};"
    yield f"load of the machine (1 minute) before the run: {os.getloadavg()[0]:.1f}."
    yield f"{len(documents)} documents of {options.data.name.split('.')[0]}, {sentences / len(documents):.0f} sentences"
    yield f"of {np.mean(pieces):.1f} pieces each; median of {REPEATS} runs.\n"
    yield "| way | encoder, MB | load, s | documents/s | s per document | one by one | change of a vector |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    exact = _torch_vectors(options.encoder, encoder, documents[0])
    for name in options.ways:
        with tempfile.TemporaryDirectory(prefix="sector-") as folder:
            yield _row(_exported(Path(folder) / "model", encoder, name), name, documents, exact)


def _exported(path: Path, encoder: encoders.TransformerEncoder, way: str) -> Path:
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


def _torch_vectors(source: str, encoder: encoders.TransformerEncoder, document: Document) -> np.ndarray:
    """Return the vectors of a document's sentences as training computes them."""
    from sector.export.pretrained import load_weights

    reader = TransformerReader(load_weights(source).eval(), begin=encoder.begin, end=encoder.end)
    with torch.no_grad():
        found = [reader._means(*_one(encoder, numbers)) for numbers in encoder.pieces(document.sentence_texts)]
    return torch.cat(found).numpy()


def _one(encoder: encoders.TransformerEncoder, numbers: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor]:
    pieces = torch.tensor([[encoder.begin, *numbers, encoder.end]])
    return pieces, torch.ones_like(pieces, dtype=torch.bool)


def _row(folder: Path, name: str, documents: Sequence[Document], exact: np.ndarray) -> str:
    size = sum(file.stat().st_size for file in folder.iterdir() if file.name not in ("model.onnx", "README.md"))
    start = time.perf_counter()
    model = sector.load(folder)
    loaded = time.perf_counter() - start
    model.segment(WARM)
    texts = [document.text for document in documents]
    together = _median(lambda: list(model.segment_all(texts)))
    single = _median(lambda: [model.segment(text) for text in texts])
    found = model._inputs.rows(documents[0].sentence_texts)
    change = np.linalg.norm(found - exact, axis=1) / np.linalg.norm(exact, axis=1)
    cells = (f"{len(texts) / together:.1f}", f"{together / len(texts):.3f}", f"{single / len(texts):.3f}")
    return f"| {name} | {size / 1e6:.1f} | {loaded:.2f} | {' | '.join(cells)} | {change.mean():.1e} |"


def _median(work: object) -> float:
    assert callable(work)
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return sorted(times)[REPEATS // 2]


if __name__ == "__main__":
    main()
