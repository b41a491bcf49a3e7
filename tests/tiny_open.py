"""A tiny model of open vocabulary without any training: the embedded sentence encoder, and a graph that passes its
vectors on. Sections are drawn where neighbours are unlike."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, checker, helper, numpy_helper

from sector.atomic import write_json
from sector.export.space import add_space, write_space
from sector.network.config import NetworkConfig
from sector.runtime import EMBEDDED
from sector.runtime.folder import ModelConfig, write_folder

WIDTH, DIM = 384, 8
PHRASES = (
    "Signs and symptoms",
    "Treatment",
    "History",
    "Climate",
    "Economy",
    "Radio and television",
    "Early life and education",
    "Rights of tenants",
)
ACCURATE = "en_disease_accurate"
"""An embedded model that has the encoder."""


def encoder_settings() -> dict[str, object]:
    record = json.loads((EMBEDDED / ACCURATE / "config.json").read_text(encoding="utf-8"))
    settings: dict[str, object] = record["encoder"]
    return settings


def make_open(folder: Path, *, threshold: float = -1.0) -> Path:
    """Write the model ``folder/open`` with its space ``folder/space``; the encoder is a link to the embedded one."""
    settings = encoder_settings()
    name = str(settings["folder"]).removeprefix("../")
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / name).exists():
        (folder / name).symlink_to(EMBEDDED / name, target_is_directory=True)
    identity = np.eye(WIDTH, dtype=np.float32)
    (folder / "space").mkdir(exist_ok=True)
    write_space(folder / "space", PHRASES, identity, np.zeros(WIDTH, np.float32), settings)
    network = NetworkConfig(WIDTH, WIDTH, task="open", hidden=DIM, embedding=DIM, boundary=True)
    config = ModelConfig("open", (), settings, network, language="en", segmentation={"name": "joint"})

    def fill(path: Path) -> None:
        write_json(path / "config.json", config.to_dict())
        (path / "model.onnx").write_bytes(_graph())

    write_folder(folder / "open", fill)
    add_space(folder / "open", "space", temperature=0.1, threshold=threshold)
    return folder / "open"


def _graph() -> bytes:
    """Build x → vectors = x, embeddings = its first columns, boundary = 20 · (0.2 − cosine to the sentence before)."""
    constants: dict[str, NDArray[Any]] = {
        "zero": np.array([0], np.int64),
        "one": np.array([1], np.int64),
        "last": np.array([-1], np.int64),
        "most": np.array([2**31], np.int64),
        "dim": np.array([DIM], np.int64),
        "columns": np.array([2], np.int64),
        "scale": np.array(-20.0, np.float32),
        "middle": np.array(0.2, np.float32),
        "small": np.array(1e-9, np.float32),
        "spread": np.array([[1.0, 1.0, 0.0, 0.0]], np.float32),
    }
    nodes = [
        helper.make_node("Identity", ["x"], ["vectors"]),
        helper.make_node("Slice", ["x", "zero", "dim", "columns"], ["forward"]),
        helper.make_node("Slice", ["x", "zero", "dim", "columns"], ["backward"]),
        helper.make_node("ReduceL2", ["x"], ["length"], axes=[2], keepdims=1),
        helper.make_node("Max", ["length", "small"], ["positive"]),
        helper.make_node("Div", ["x", "positive"], ["unit"]),
        helper.make_node("Slice", ["unit", "zero", "one", "zero"], ["head"]),
        helper.make_node("Slice", ["unit", "zero", "last", "zero"], ["body"]),
        helper.make_node("Concat", ["head", "body"], ["before"], axis=0),
        helper.make_node("Mul", ["unit", "before"], ["products"]),
        helper.make_node("ReduceSum", ["products", "columns"], ["cosine"], keepdims=1),
        helper.make_node("Sub", ["cosine", "middle"], ["near"]),
        helper.make_node("Mul", ["near", "scale"], ["odds"]),
        helper.make_node("MatMul", ["odds", "spread"], ["boundary"]),
    ]
    sizes = {"vectors": WIDTH, "forward": DIM, "backward": DIM, "boundary": 4}
    made = helper.make_graph(
        nodes,
        "open",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, ["steps", "documents", WIDTH]),
            helper.make_tensor_value_info("lengths", TensorProto.INT32, ["documents"]),
        ],
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, ["steps", "documents", s]) for n, s in sizes.items()],
        initializer=[numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    checker.check_model(model)
    return bytes(model.SerializeToString())
