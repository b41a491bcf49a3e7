"""A broken, truncated or mixed-up model folder gives a ModelError that names what is wrong."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sector
from sector.errors import ConfigError, ModelError
from sector.runtime.folder import ModelFolder, write_folder
from tiny import HELD_OUT, make_model

Break = Callable[[Path], None]


@pytest.fixture(scope="module")
def bow_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("bow"), encoder="bow", encoder_options={"min_count": 1}, flags=True)


def cut(name: str, share: float) -> Break:
    def truncate(folder: Path) -> None:
        content = (folder / name).read_bytes()
        (folder / name).write_bytes(content[: int(len(content) * share)])

    return truncate


def without(name: str) -> Break:
    return lambda folder: (folder / name).unlink()


def written(name: str, content: bytes) -> Break:
    def write(folder: Path) -> None:
        (folder / name).write_bytes(content)

    return write


def changed(change: Callable[[dict[str, Any]], Any]) -> Break:
    def rewrite(folder: Path) -> None:
        record = json.loads((folder / "config.json").read_text())
        change(record)
        (folder / "config.json").write_text(json.dumps(record))

    return rewrite


def array(name: str, shape: tuple[int, ...]) -> Break:
    return lambda folder: np.save(folder / name, np.zeros(shape, np.float32))


BROKEN: dict[str, Break] = {
    "no config": without("config.json"),
    "empty config": written("config.json", b""),
    "half a config": cut("config.json", 0.5),
    "config is a list": written("config.json", b"[]"),
    "config is too deep": written("config.json", b"[" * 100_000),
    "config is not UTF-8": written("config.json", b'{"a": "\xff"}'),
    "format of the future": changed(lambda c: c.update(format=99)),
    "label missing": changed(lambda c: c["labels"].pop()),
    "label twice": changed(lambda c: c["labels"].__setitem__(0, c["labels"][1])),
    "labels and network changed": changed(lambda c: (c["labels"].append("x"), c["network"].update(labels=5))),
    "embedding changed": changed(lambda c: c["network"].update(embedding=3)),
    "inputs changed": changed(lambda c: c["network"].update(inputs=3)),
    "flags turned off": changed(lambda c: c.update(flags=False)),
    "network incomplete": changed(lambda c: c["network"].pop("labels")),
    "network nonsense": changed(lambda c: c["network"].update(hidden="many")),
    "task nonsense": changed(lambda c: c.update(task=7)),
    "task of another model": changed(lambda c: c.update(task="headings")),
    "checksums are a list": changed(lambda c: c.update(files=[])),
    "transitions of another model": changed(lambda c: c.update(segmentation={"name": "joint", "transitions": [[0]]})),
    "unknown encoder": changed(lambda c: c["encoder"].update(name="magic")),
    "unknown encoder option": changed(lambda c: c["encoder"].update(colour=1)),
    "unknown segmentation": changed(lambda c: c.update(segmentation={"name": "magic"})),
    "nameless segmentation": changed(lambda c: c.update(segmentation={})),
    "segmentation option of a wrong type": changed(lambda c: c.update(segmentation={"name": "bemd", "sigma": "x"})),
    "no graph": without("model.onnx"),
    "empty graph": written("model.onnx", b""),
    "half a graph": cut("model.onnx", 0.5),
    "almost a graph": cut("model.onnx", 0.99),
    "graph is text": written("model.onnx", b"version https://git-lfs.github.com/spec/v1\n"),
    "no matrix": without("input.npy"),
    "empty matrix": written("input.npy", b""),
    "half a matrix": cut("input.npy", 0.5),
    "short matrix": array("input.npy", (3, 256)),
    "narrow matrix": lambda folder: array("input.npy", (len(np.load(folder / "input.npy")), 9))(folder),
    "flat matrix": array("input.npy", (3,)),
    "matrix is an archive": lambda folder: np.savez((folder / "input.npy").open("wb"), a=np.zeros(3)),
    "no vocabulary": without("vocabulary.txt"),
    "half a vocabulary": cut("vocabulary.txt", 0.5),
    "no weights of words": without("idf.npy"),
    "half the weights of words": cut("idf.npy", 0.5),
}


@pytest.mark.parametrize("checked", [True, False])
@pytest.mark.parametrize("name", BROKEN)
def test_garbage(name: str, checked: bool, bow_model: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(bow_model, tmp_path / "broken")
    if not checked:
        changed(lambda c: c.pop("files"))(folder)
    BROKEN[name](folder)
    with pytest.raises(ModelError) as caught:
        sector.load(folder)
    assert len(str(caught.value)) > 20


def test_what_is_left_out_without_harm(bow_model: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(bow_model, tmp_path / "slim")
    for name in ("model.safetensors", "README.md"):
        (folder / name).unlink()
    found, expected = (sector.load(path).segment(HELD_OUT) for path in (folder, bow_model))
    assert [s.to_dict() for s in found.sections] == [s.to_dict() for s in expected.sections]
    assert ModelFolder(folder).card() == ""


def test_a_path_that_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for path in (tmp_path / "none", tmp_path / "file", tmp_path):
        with pytest.raises(ModelError):
            sector.load(path)


def test_writing_a_folder(bow_model: Path, tmp_path: Path) -> None:
    model, other = shutil.copytree(bow_model, tmp_path / "model"), tmp_path / "photos"

    def fail(folder: Path) -> None:
        (folder / "half").write_text("")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        write_folder(model, fail)
    assert sector.load(model).labels
    write_folder(model, lambda folder: (folder / "new").mkdir())
    assert [path.name for path in model.iterdir()] == ["new"]
    other.mkdir()
    (other / "holiday.jpg").write_bytes(b"")
    with pytest.raises(ConfigError, match="not a model folder"):
        write_folder(other, lambda folder: None)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model", "photos"]
