"""Model folders that somebody damaged on purpose: loading or segmenting raises ModelError, and nothing else."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

import sector
from sector.errors import ModelError
from sector.runtime.given import Calibration
from tiny import HELD_OUT, make_model

Change = Callable[[Any], None]
VALUES: list[Any] = [
    None,
    True,
    -1,
    0,
    -5.5,
    10**12,
    10**30,
    1e400,
    float("nan"),
    "x",
    "",
    [],
    {},
    [1],
    {"a": 1},
    "../..",
]
EMB = {"dimensions": 8, "workers": 1, "epochs": 1}
ENCODERS = {"bow": {"min_count": 1}, "bloom": {"positions": 512}, "emb": EMB}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A model of each encoder, without checksums, so that damage gets past them."""
    made = {}
    for name, options in ENCODERS.items():
        made[name] = make_model(tmp_path_factory.mktemp(name), encoder=name, encoder_options=options)
        rewrite(made[name], lambda config: config.pop("files"))
    return made


@pytest.fixture(autouse=True)
def _in_time() -> Iterator[None]:
    """Let waiting for ever be a failure."""
    if sys.platform == "win32":
        yield
        return
    signal.alarm(120)
    yield
    signal.alarm(0)


def rewrite(folder: Path, change: Change) -> None:
    record = json.loads((folder / "config.json").read_text())
    change(record)
    (folder / "config.json").write_text(json.dumps(record))


def regraph(folder: Path, change: Change) -> None:
    graph = onnx.load(str(folder / "model.onnx"))
    change(graph.graph)
    (folder / "model.onnx").write_bytes(graph.SerializeToString())


def outcome(folder: Path) -> str:
    """Return "refused", or "used" for a model whose answers are whole and finite."""
    try:
        document = sector.load(folder).segment(HELD_OUT)
    except ModelError as error:
        assert len(str(error)) > 20
        return "refused"
    assert "".join(section.text for section in document.sections) == HELD_OUT
    assert np.isfinite([section.confidence for section in document.sections]).all()
    assert all(0 <= score <= 1.001 for section in document.sections for score in section.scores.values())
    return "used"


def fields(record: dict[str, Any], place: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, value in record.items():
        yield (*place, name)
        if isinstance(value, dict) and name not in ("metrics", "training", "data", "files"):
            yield from fields(value, (*place, name))


@pytest.mark.parametrize("encoder", ENCODERS)
def test_any_value_of_any_setting(encoder: str, models: dict[str, Path], tmp_path: Path) -> None:
    folder = shutil.copytree(models[encoder], tmp_path / "model")
    good = json.loads((folder / "config.json").read_text())
    found = []
    for *place, name in fields(good):
        for value in VALUES:
            record = json.loads(json.dumps(good))
            inner = record
            for key in place:
                inner = inner[key]
            inner[name] = value
            (folder / "config.json").write_text(json.dumps(record))
            found.append(outcome(folder))
    assert found.count("refused") > len(found) / 4


NPY = b"\x93NUMPY\x01\x00\x76\x00"
HEADERS = {
    "larger than any memory": b"{'descr': '<f4', 'fortran_order': False, 'shape': (10000000000000, 64), }",
    "of negative size": b"{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 64), }",
    "no end of a bracket": b"{'descr': '<f4', 'fortran_order': False, 'shape': ((3, 4), ",
    "of objects": b"{'descr': '|O', 'fortran_order': False, 'shape': (3, 64), }",
    "nested": b"(" * 100,
}


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize(("encoder", "name"), [("bow", "input.npy"), ("bow", "idf.npy"), ("emb", "vectors.npy")])
def test_headers_of_arrays(header: str, encoder: str, name: str, models: dict[str, Path], tmp_path: Path) -> None:
    folder = shutil.copytree(models[encoder], tmp_path / "model")
    (folder / name).write_bytes(NPY + HEADERS[header].ljust(117) + b"\n" + bytes(768))
    assert outcome(folder) == "refused"


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize(("encoder", "name"), [("bow", "input.npy"), ("bow", "idf.npy"), ("emb", "vectors.npy")])
def test_arrays_without_numbers(value: float, encoder: str, name: str, models: dict[str, Path], tmp_path: Path) -> None:
    folder = shutil.copytree(models[encoder], tmp_path / "model")
    np.save(folder / name, np.full_like(np.load(folder / name), value))
    assert outcome(folder) == "refused"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")
@pytest.mark.parametrize("checked", [True, False])
def test_files_that_are_no_files(checked: bool, models: dict[str, Path], tmp_path: Path) -> None:
    for encoder, model in models.items():
        for name in sorted(file.name for file in model.iterdir() if file.suffix not in (".md", ".safetensors")):
            for put in (os.mkfifo, Path.mkdir, zero, itself):
                folder = shutil.copytree(model, tmp_path / f"{encoder}-{name}-{put.__name__}")
                if checked:
                    rewrite(folder, partial(dict.update, files={name: "0" * 64}))
                (folder / name).unlink()
                put(folder / name)
                assert outcome(folder) == "refused", (encoder, name, put)


def zero(path: Path) -> None:
    path.symlink_to("/dev/zero")


def itself(path: Path) -> None:
    path.symlink_to(path)


@pytest.mark.parametrize("encoder", ENCODERS)
def test_damaged_bytes(encoder: str, models: dict[str, Path], tmp_path: Path) -> None:
    folder, chosen = shutil.copytree(models[encoder], tmp_path / "model"), random.Random(encoder)
    for name in sorted(file.name for file in folder.iterdir() if file.suffix not in (".md", ".safetensors")):
        good = (folder / name).read_bytes()
        for _ in range(25):
            damaged = bytearray(good)
            for _ in range(chosen.choice([1, 3, 30])):
                damaged[chosen.randrange(min(len(good), chosen.choice([60, 300, 10**9])))] = chosen.randrange(256)
            (folder / name).write_bytes(damaged)
            outcome(folder)
        (folder / name).write_bytes(good)


def weights(change: Callable[[NDArray[Any]], NDArray[Any]]) -> Change:
    def replace(graph: Any) -> None:
        for tensor in graph.initializer:
            array = numpy_helper.to_array(tensor)
            if array.dtype.kind == "f":
                tensor.CopyFrom(numpy_helper.from_array(change(array).astype(array.dtype), tensor.name))

    return replace


def output(*nodes: Any, **constants: NDArray[Any]) -> Change:
    """Let the graph compute its probabilities in another way, from the right ones, which are called "right"."""

    def replace(graph: Any) -> None:
        for node in graph.node:
            node.output[:] = ["right" if name == "probabilities" else name for name in node.output]
        graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in constants.items())
        graph.node.extend(nodes)

    return replace


def declared(change: Change, *names: str) -> Change:
    def replace(graph: Any) -> None:
        for node in (*graph.input, *graph.output):
            if node.name in names:
                change(node.type.tensor_type)

    return replace


def vast(*shape: str) -> tuple[Any, ...]:
    """Return nodes that add the largest of a vast array of zeros."""
    return (
        *(helper.make_node("Mul", [name, "many"], ["sizes"]) for name in shape),
        helper.make_node("ConstantOfShape", ["sizes" if shape else "many"], ["vast"]),
        helper.make_node("ReduceMax", ["vast"], ["largest"], keepdims=0),
        helper.make_node("Add", ["right", "largest"], ["probabilities"]),
    )


def doubled(graph: Any) -> None:
    output(helper.make_node("Cast", ["right"], ["probabilities"], to=TensorProto.DOUBLE))(graph)
    declared(lambda tensor: setattr(tensor, "elem_type", TensorProto.DOUBLE), "probabilities")(graph)


GRAPHS: dict[str, Change] = {
    "weights that are no numbers": weights(lambda array: np.full_like(array, np.nan)),
    "infinite weights": weights(lambda array: np.full_like(array, np.inf)),
    "huge weights": weights(lambda array: array * np.float32(1e38)),
    "probabilities that are no numbers": output(
        helper.make_node("Mul", ["right", "by"], ["probabilities"]), by=np.array(np.nan, np.float32)
    ),
    "probabilities below 0": output(
        helper.make_node("Mul", ["right", "by"], ["probabilities"]), by=np.array(-3, np.float32)
    ),
    "probabilities above 1": output(
        helper.make_node("Mul", ["right", "by"], ["probabilities"]), by=np.array(1000, np.float32)
    ),
    "one row for all sentences": output(
        helper.make_node("Identity", ["row"], ["probabilities"]), row=np.zeros((1, 1, 4), np.float32)
    ),
    "4 TB": output(*vast(), many=np.array([10**12], np.int64)),
    "4 TB for each sentence": output(
        helper.make_node("Cast", ["lengths"], ["counts"], to=TensorProto.INT64),
        *vast("counts"),
        many=np.array(10**12, np.int64),
    ),
    "an input too many": lambda graph: graph.input.append(helper.make_tensor_value_info("z", TensorProto.FLOAT, [1])),
    "an input of another rank": declared(lambda tensor: tensor.shape.dim.pop(), "x"),
    "no shapes": declared(lambda tensor: tensor.ClearField("shape"), "x", "probabilities", "forward"),
    "probabilities in another precision": doubled,
}


@pytest.mark.parametrize("name", GRAPHS)
def test_graphs(name: str, models: dict[str, Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = shutil.copytree(models["bloom"], tmp_path / "model")
    regraph(folder, GRAPHS[name])
    assert outcome(folder) == "refused"
    assert capfd.readouterr() == ("", "")


def test_the_graphs_are_refused_for_what_is_changed(models: dict[str, Path], tmp_path: Path) -> None:
    folder = shutil.copytree(models["bloom"], tmp_path / "model")
    regraph(folder, output(helper.make_node("Identity", ["right"], ["probabilities"])))
    assert outcome(folder) == "used"


@pytest.mark.parametrize(
    "given", [{"temperature": "x"}, {"temperature": 0}, {"window": -1}, {"half": None}, {"window": 10**9}]
)
def test_calibrations_of_given_labels(given: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match="'given' of its space"):
        Calibration.of({"given": given})
