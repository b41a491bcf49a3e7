"""A model whose files do not belong together is refused, and one of an older version, without checksums, is not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import sector
from sector.errors import ModelError
from sector.export.model_folder import read_weights
from sector.runtime.folder import ModelFolder
from tiny import make_model

EMB = {"dimensions": 8, "workers": 1, "epochs": 1}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two models of the same shapes and other numbers."""
    made = []
    for seed in (1, 2):
        folder = tmp_path_factory.mktemp(f"seed{seed}")
        made.append(make_model(folder, encoder="emb", encoder_options=EMB | {"seed": seed}))
    return made[0], made[1]


def config(folder: Path) -> dict[str, dict[str, str]]:
    record: dict[str, dict[str, str]] = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return record


def test_every_file_but_config_and_card_has_a_checksum(pair: tuple[Path, Path]) -> None:
    names = {file.name for file in pair[0].iterdir()} - {"config.json", "README.md"}
    assert set(config(pair[0])["files"]) == names == {"model.onnx", "model.safetensors", "vectors.npy", "words.txt"}


@pytest.mark.parametrize("name", ["model.onnx", "vectors.npy"])
def test_files_of_another_model_of_the_same_shape_are_noticed(
    name: str, pair: tuple[Path, Path], tmp_path: Path
) -> None:
    folder = shutil.copytree(pair[0], tmp_path / "mixed")
    shutil.copyfile(pair[1] / name, folder / name)
    with pytest.raises(ModelError, match=rf"{name} is not the one that the model was made with"):
        sector.load(folder)
    (folder / name).unlink()
    with pytest.raises(ModelError, match=rf"not whole: .*{name} cannot be read"):
        sector.load(folder)


def test_weights_of_another_model_are_noticed_when_they_are_read(pair: tuple[Path, Path], tmp_path: Path) -> None:
    folder = shutil.copytree(pair[0], tmp_path / "mixed")
    shutil.copyfile(pair[1] / "model.safetensors", folder / "model.safetensors")
    assert sector.load(folder).labels
    with pytest.raises(ModelError, match="not the one"):
        read_weights(ModelFolder(folder))


@pytest.mark.parametrize("name", ["../../secret", "/etc/passwd", "..", "../other/vectors.npy"])
def test_a_list_of_files_does_not_lead_out_of_the_model(name: str, pair: tuple[Path, Path], tmp_path: Path) -> None:
    folder = shutil.copytree(pair[0], tmp_path / "model")
    (folder / "config.json").write_text(json.dumps(config(folder) | {"files": {name: "0" * 64}}), encoding="utf-8")
    with pytest.raises(ModelError, match="it lists the file"):
        sector.load(folder)


@pytest.mark.parametrize("folder", ["..", "../..", "/tmp", "../a/b", "a", "../", "../.", 7])
def test_a_shared_encoder_lies_in_a_folder_beside_the_model(
    folder: str, pair: tuple[Path, Path], tmp_path: Path
) -> None:
    model = shutil.copytree(pair[0], tmp_path / "model")
    record = config(model)
    encoder = {**record["encoder"], "folder": folder}
    (model / "config.json").write_text(json.dumps(record | {"files": {}, "encoder": encoder}), encoding="utf-8")
    with pytest.raises(ModelError, match="must be a folder beside it"):
        sector.load(model)


def test_a_model_of_an_older_version_loads_without_checksums(pair: tuple[Path, Path], tmp_path: Path) -> None:
    folder = shutil.copytree(pair[0], tmp_path / "old")
    record = config(folder)
    del record["files"]
    (folder / "config.json").write_text(json.dumps(record), encoding="utf-8")
    assert sector.load(folder).labels


def test_the_embedded_models_have_checksums() -> None:
    for name in sector.models():
        files = sector.load(name).config.files
        assert "model.onnx" in files and len(files) > 1 - name.startswith("en_city")
