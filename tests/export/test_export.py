"""The ONNX runtime says what torch says, for every encoder and every shape of the network."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sector
from sector import datasets
from sector.export.card import model_card
from sector.network.config import NetworkConfig
from sector.runtime import EMBEDDED, ModelFolder
from sector.training.checkpoint import read_arrays
from sector.training.prepared import PreparedData
from tiny import HEADINGS, TINY, make_model, write_documents

torch = pytest.importorskip("torch")

from sector.training.config import TrainingConfig  # noqa: E402
from sector.training.predict import read_split  # noqa: E402
from sector.training.trainer import make_reader  # noqa: E402

ENCODERS: dict[str, dict[str, Any]] = {
    "bow": {"encoder": "bow", "encoder_options": {"min_count": 2}},
    "bloom counts": {"encoder": "bloom", "encoder_options": {"positions": 128}},
    "bloom bits": {"encoder": "bloom", "encoder_options": {"positions": 128, "values": "bits"}},
    "emb": {"encoder": "emb", "encoder_options": {"dimensions": 12, "workers": 1, "epochs": 1}},
    "emb root": {"encoder": "emb", "encoder_options": {"dimensions": 12, "workers": 1, "epochs": 1, "pooling": "root"}},
}
SHAPES = list(itertools.product(("topics", "headings"), (False, True), (True, False), ("sum", "mean"), (0, 10)))
FAST = replace(TINY, epochs=1, hidden=12, embedding=8, batch=12)


@pytest.mark.parametrize("encoder", ENCODERS)
def test_runtime_equals_torch(encoder: str, tmp_path: Path) -> None:
    for task, flags, tied, output, projection in SHAPES:
        config = replace(FAST, tied=tied, output=output, projection=projection, boundary=float(tied))
        folder = tmp_path / f"{task}-{flags}"
        folder.mkdir(exist_ok=True)
        write_documents(folder / "train.jsonl", 5)
        path = make_model(folder, config, task=task, flags=flags, **ENCODERS[encoder])
        model = sector.load(path)
        documents = datasets.load(folder / "train.jsonl", language="en")
        for found, expected in zip(model.read(documents), torch_readings(folder / "tiny.work"), strict=True):
            for name in ("probabilities", "forward", "backward"):
                np.testing.assert_allclose(getattr(found, name), getattr(expected, name), atol=1e-5)
            assert (found.boundary is not None) == tied
            if found.boundary is not None:
                np.testing.assert_allclose(found.boundary[1:], expected.boundary[1:], atol=1e-5)


def torch_readings(work: Path) -> list[Any]:
    data = PreparedData.load(work / "prepared.npz")
    weights, about = read_arrays(work / "weights.npz")
    tensors = {name: torch.from_numpy(array) for name, array in weights.items()}
    config = TrainingConfig.from_dict(about["training"])
    return read_split(NetworkConfig.from_dict(about["network"]), tensors, make_reader(data, config), data.train, "cpu")


def test_a_model_of_headings_names_words(tmp_path: Path) -> None:
    model = sector.load(make_model(tmp_path, task="headings"))
    words = {word for heading in HEADINGS.values() for word in heading.lower().split() if word not in ("|", "and")}
    assert set(model.labels) == words
    text = "Winters bring frost, while summers have hail. The valley sees snow in spring and frost in autumn."
    assert set(model.segment(text).sections[0].label.split("/")) == {"geography", "climate"}


def test_the_card_and_the_config_tell_of_the_run(tiny_model: Path) -> None:
    config, card = ModelFolder(tiny_model).config(), ModelFolder(tiny_model).card()
    assert (config.task, config.language, config.version) == ("topics", "en", sector.__version__)
    assert set(config.labels) == {"symptom", "treatment", "history", "climate"}
    assert config.data["train_documents"] == 24
    assert config.training["hidden"] == 32
    assert "validation_sentence_map" not in config.metrics
    assert card.startswith("# tiny\n\nSplits English documents into sections")
    assert "`climate`" in card and "| training documents | train: 24 documents" in card
    assert f"hidden = {config.training['hidden']}" in card and "None were measured" in card


@pytest.mark.parametrize("name", sector.models())
def test_the_cards_of_embedded_models_say_what_their_configs_do(name: str) -> None:
    """Else write the card again: ``sector.export.model_folder.add_metrics(folder, {})``."""
    folder = ModelFolder(EMBEDDED / name)
    assert folder.card() == model_card(name, folder.config())


def test_saved_weights_are_the_trained_ones(tiny_model: Path) -> None:
    from safetensors.numpy import load_file

    saved = load_file(tiny_model / "model.safetensors")
    weights, _ = read_arrays(tiny_model.parent / "tiny.work" / "weights.npz")
    assert saved.keys() == weights.keys()
    assert all(np.array_equal(saved[name], weights[name]) for name in saved)
