"""A pretrained encoder that learns an open vocabulary: headings read with it, fewer layers, what it teaches another."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("onnxscript")

import sector  # noqa: E402
from sector import encoders  # noqa: E402
from sector.errors import ConfigError, DataError  # noqa: E402
from sector.export.training_run import export_from  # noqa: E402
from sector.network.space import GivenHeadings, LearnedHeadings  # noqa: E402
from sector.training import packed, transformer  # noqa: E402
from sector.training.__main__ import main  # noqa: E402
from sector.training.checkpoint import read_arrays  # noqa: E402
from sector.training.prepared import PreparedData  # noqa: E402
from sector.training.recipe import Recipe  # noqa: E402
from sector.training.run_folder import HEADING_PIECES, TOWER, RunFolder  # noqa: E402
from sector.training.taught_by_run import taught_by_run  # noqa: E402
from sector.training.trainer import Trainer, make_reader  # noqa: E402
from tiny import HELD_OUT, write_documents  # noqa: E402
from tiny_encoder import make_bert  # noqa: E402

OPTIONS: dict[str, Any] = {
    "language": "en",
    "boundary": 1.0,
    "hidden": 16,
    "embedding": 12,
    "space": 16,
    "sampled": 8,
    "epochs": 4,
    "batch": 4,
    "learning_rate": 1e-2,
    "reader_rate": 1e-3,
    "warmup": 2,
    "dropout": 0.0,
}
WORDS: dict[str, Any] = {
    "encoder": "emb",
    "encoder_options": {"dimensions": 12, "epochs": 1, "min_count": 1, "workers": 1},
}


def bert(folder: Path, **options: Any) -> dict[str, Any]:
    return {
        "encoder": "transformer",
        "encoder_options": {"model": str(make_bert(folder / "bert")), "tokens": 24, **options},
    }


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    write_documents(folder / "train.jsonl", 24)
    write_documents(folder / "validation.jsonl", 6, seed=5)
    return folder


def recipe(data: Path, **options: Any) -> Recipe:
    files = {"train": "train.jsonl", "validation": "validation.jsonl", "flags": True}
    tasks = {"names": files | {"task": "open"}, "topics": files}
    return Recipe.from_dict(OPTIONS | {"tasks": tasks} | options, data)


@pytest.fixture(scope="module")
def trained(data: Path) -> RunFolder:
    """Train an encoder on headings and on topics together."""
    chosen = recipe(data, **bert(data))
    work = RunFolder(data / "work")
    work.train(work.prepared(chosen), chosen, "cpu")
    return work


def test_headings_are_read_while_the_encoder_learns(trained: RunFolder) -> None:
    prepared = PreparedData.load(trained.task("names") / "prepared.npz")
    assert len(np.load(trained.task("names") / HEADING_PIECES)) == len(prepared.labels)
    config = replace(Recipe.from_dict(OPTIONS | {"train": "x"}).training, flag_dropout=0.5)
    trainer = Trainer(prepared, config, "cpu")
    headings = trainer.tasks[0].network.headings
    assert isinstance(headings, LearnedHeadings)
    assert not [name for name, _ in trainer.tasks[0].network.named_parameters() if "word_embeddings" in name]
    headings(torch.arange(2)).square().sum().sqrt().backward()
    gradients = [value.grad for value in trainer.reader.parameters() if value.grad is not None]
    assert gradients and any(float(gradient.abs().max()) > 0 for gradient in gradients)


def test_the_encoder_is_its_own_tower(trained: RunFolder, tmp_path: Path) -> None:
    for name in ("names", "topics"):
        export_from(trained.task(name), tmp_path / name, shared="words")
    model = sector.load(tmp_path / "names")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["names", "names_headings", "topics", "words"]
    assert model.space is not None and model.space.phrases
    assert model.segment(HELD_OUT).sections and sector.load(tmp_path / "topics").segment(HELD_OUT).sections
    placed = model.space.place(model.space.phrases)
    np.testing.assert_allclose(np.linalg.norm(placed, axis=1), 1, atol=1e-3)


def test_without_a_shared_folder_the_tower_is_a_copy(trained: RunFolder, tmp_path: Path) -> None:
    export_from(trained.task("names"), tmp_path / "names_accurate")
    assert {path.name for path in tmp_path.iterdir()} == {"names_accurate", "names_headings", "names_accurate_encoder"}
    assert sector.load(tmp_path / "names_accurate").segment(HELD_OUT, labels=["treatment", "history"]).sections


def test_a_run_teaches_a_network_of_words(trained: RunFolder, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = recipe(data, tower="en_disease_accurate", **WORDS)
    student = RunFolder(data / "student")
    made = student.prepared(chosen)
    taught = {name: taught_by_run(made[name], trained.task(name), "cpu") for name in made}
    names, topics = taught["names"].train, taught["topics"].train
    assert names.vectors is not None and topics.vectors is None
    np.testing.assert_allclose(np.linalg.norm(names.vectors.astype(np.float32), axis=1), 1, atol=1e-2)
    assert topics.teacher is not None and names.teacher is not None and names.teacher.shape == (names.sentences, 2)
    np.testing.assert_allclose(topics.teacher[:, :-2].sum(axis=1), 255, atol=len(taught["topics"].labels))
    assert np.load(student.task("names") / TOWER).shape == (len(taught["names"].labels), OPTIONS["space"])
    given = [str(student.task(name) / "prepared.npz") for name in made]
    teachers = [part for name in made for part in ("--teacher", str(trained.task(name)))]
    settings = [f"--set={name}={value}" for name, value in OPTIONS.items() if name != "language"]
    monkeypatch.setattr(sys, "argv", ["training", *given, *teachers, "--output", str(data / "out"), *settings])
    main()
    weights, run = read_arrays(data / "out" / "names" / "weights.npz")
    assert "headings.scale" in weights and "headings.projection.weight" not in weights
    assert run["history"][-1]["loss"] < run["history"][0]["loss"]


def test_a_space_that_is_given_comes_before_headings_that_are_read(trained: RunFolder, tmp_path: Path) -> None:
    shutil.copytree(trained.path, tmp_path / "work")
    own = PreparedData.load(tmp_path / "work" / "names" / "prepared.npz")
    taught = taught_by_run(own, trained.task("names"), "cpu")
    config = Recipe.from_dict(OPTIONS | {"train": "x"}).training
    assert isinstance(Trainer(taught, config, "cpu").tasks[0].network.headings, GivenHeadings)


def test_a_model_teaches_a_network_in_its_space(trained: RunFolder, data: Path, tmp_path: Path) -> None:
    teacher = tmp_path / "names_accurate"
    export_from(trained.task("names"), teacher)
    options = OPTIONS | WORDS | {"task": "open", "train": "train.jsonl", "flags": True, "space_of": str(teacher)}
    chosen = Recipe.from_dict(options | {"teacher": str(teacher)}, data)
    prepared = RunFolder(tmp_path / "work").prepared(chosen)[""]
    by_run = taught_by_run(prepared, trained.task("names"), "cpu").train
    by_model = PreparedData.load(tmp_path / "work" / "prepared.npz").train
    assert by_model.vectors is not None and by_run.vectors is not None
    assert by_model.teacher is not None and by_run.teacher is not None
    cosines = np.einsum("ij,ij->i", *(x.astype(np.float32) for x in (by_model.vectors, by_run.vectors)))
    lengths = np.linalg.norm(by_model.vectors.astype(np.float32), axis=1)
    assert (cosines / lengths).min() > 0.999
    inner = np.setdiff1d(np.arange(by_model.sentences), by_model.document_offsets)
    assert np.abs(by_model.teacher[inner].astype(int) - by_run.teacher[inner]).max() <= 2
    with pytest.raises(ConfigError, match="name it as 'space_of' too"):
        Recipe.from_dict(options | {"teacher": "en"}, data)


def test_a_teacher_of_other_documents_is_refused(trained: RunFolder, data: Path, tmp_path: Path) -> None:
    write_documents(tmp_path / "train.jsonl", 9, seed=3)
    write_documents(tmp_path / "validation.jsonl", 3, seed=4)
    made = RunFolder(tmp_path / "work").prepared(recipe(tmp_path, tower="en_disease_accurate", **WORDS))
    with pytest.raises(DataError, match="other documents"):
        taught_by_run(made["topics"], trained.task("topics"), "cpu")
    with pytest.raises(DataError, match="not the folder of a finished training"):
        taught_by_run(made["topics"], tmp_path, "cpu")


def test_layers_are_left_out(data: Path, tmp_path: Path) -> None:
    chosen = recipe(data, **bert(tmp_path, layers=[1]))
    made = RunFolder(tmp_path / "work").prepared(chosen)
    both = encoders.make("transformer", **bert(tmp_path)["encoder_options"])
    RunFolder(tmp_path / "both").prepared(recipe(data, **bert(tmp_path)))
    one: Any = make_reader(made["topics"], chosen.training)
    two: Any = make_reader(PreparedData.load(tmp_path / "both" / "topics" / "prepared.npz"), chosen.training)
    left, whole = (list(reader.model.encoder.layer) for reader in (one, two))
    assert (both.width, len(left), len(whole)) == (64, 1, 2)
    kept, states = left[0].state_dict(), whole[1].state_dict()
    assert all(torch.equal(kept[name], states[name]) for name in states)


@pytest.mark.parametrize("layers", [[2], [0, 0], [-1], "01", [True]])
def test_wrong_layers_are_named(tmp_path: Path, layers: Any) -> None:
    with pytest.raises(ConfigError, match="'layers' must be different numbers from 0 to 1"):
        encoders.make("transformer", **bert(tmp_path, layers=layers)["encoder_options"])


def test_without_padding_the_vectors_are_the_same(trained: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = PreparedData.load(trained.task("topics") / "prepared.npz")
    reader = make_reader(prepared, Recipe.from_dict(OPTIONS | {"train": "x"}).training).eval()
    table, numbers = reader.table(prepared.train, torch.device("cpu")), np.array([4, 0, 17, 4, 9])
    with torch.no_grad():
        expected = reader.vectors_of(table, numbers)
        monkeypatch.setattr(packed, "varlen_attn", attention_by_sentence)
        monkeypatch.setattr(transformer, "can_pack", lambda *_: True)
        monkeypatch.setattr(transformer, "MAX_PACKED", 20)
        torch.testing.assert_close(reader.vectors_of(table, numbers), expected, atol=1e-5, rtol=1e-5)


def attention_by_sentence(query: Any, key: Any, value: Any, bounds: Any, *_: Any) -> Any:
    """Return what the GPU's kernel does, one sentence after the other."""
    found = torch.empty_like(query)
    for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        parts = (part[begin:end].transpose(0, 1)[None] for part in (query, key, value))
        found[begin:end] = torch.nn.functional.scaled_dot_product_attention(*parts)[0].transpose(0, 1)
    return found
