"""Whether encoders of each kind can be exported: tiny random ones, their graphs compared with torch."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import numpy as np
import onnxruntime
import torch

from harness.page import table
from sector.export.onnx_export import export_onnx
from sector.export.pretrained import build

TITLE = "Kinds of encoders that can be exported"
SIZES = {"num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128}
SHAPE: dict[str, Any] = {
    "vocab_size": 300,
    "hidden_size": 64,
    "max_position_embeddings": 80,
    "pad_token_id": 0,
    **SIZES,
}
KINDS: dict[str, dict[str, Any]] = {
    "bert": SHAPE,
    "roberta": SHAPE | {"pad_token_id": 1},
    "xlm-roberta": SHAPE | {"pad_token_id": 1},
    "camembert": SHAPE | {"pad_token_id": 1},
    "mpnet": SHAPE | {"pad_token_id": 1},
    "electra": SHAPE | {"embedding_size": 32},
    "deberta-v2": SHAPE | {"relative_attention": True, "pos_att_type": ["p2c", "c2p"]},
    "distilbert": {"vocab_size": 300, "dim": 64, "n_layers": 2, "n_heads": 4, "hidden_dim": 128},
    "albert": SHAPE | {"embedding_size": 32},
    "modernbert": SHAPE | {"bos_token_id": 1, "eos_token_id": 2, "cls_token_id": 1, "sep_token_id": 2},
}
LENGTHS = (2, 3, 8, 33, 50)
PADDING = 4


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--kind", nargs="*", default=list(KINDS), choices=list(KINDS))


def report(options: argparse.Namespace) -> Iterator[str]:
    rows = ([kind, f"{largest_difference(kind):.1e}"] for kind in options.kind)
    yield from table(["kind", "largest difference"], rows)


def largest_difference(kind: str) -> float:
    """Compare the graph, without padding, with torch, which is given some."""
    torch.manual_seed(1)
    model = build({"model_type": kind, **KINDS[kind]}).eval()
    graph = export_onnx(model, max(LENGTHS)).SerializeToString()
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    found = []
    for length in LENGTHS:
        pieces = torch.randint(5, 299, (1, length))
        exported = session.run(None, {"pieces": pieces.numpy()})[0]
        found.append(float(np.abs(exported - _padded_mean(model, pieces)).max()))
    return max(found)


@torch.no_grad()
def _padded_mean(model: Any, pieces: torch.Tensor) -> np.ndarray:
    length = pieces.shape[1]
    padded = torch.nn.functional.pad(pieces, (0, PADDING), value=model.config.pad_token_id or 0)
    mask = (torch.arange(length + PADDING) < length).long()[None]
    states = model(input_ids=padded, attention_mask=mask).last_hidden_state
    return np.asarray(states[:, :length].mean(dim=1))
