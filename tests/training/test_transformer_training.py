"""A pretrained encoder trained with the network: groups of sentences, a job, several tasks, the model."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tiny import HELD_OUT, TINY, make_model, options, record, write_documents
from tiny_encoder import make_bert

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("onnxscript")

import sector  # noqa: E402
from sector import encoders  # noqa: E402
from sector.document import Document  # noqa: E402
from sector.errors import ConfigError, ModelError  # noqa: E402
from sector.export.training_run import export_from  # noqa: E402
from sector.runtime.folder import ModelFolder  # noqa: E402
from sector.training import transformer  # noqa: E402
from sector.training.checkpoint import read_arrays  # noqa: E402
from sector.training.predict import read_split  # noqa: E402
from sector.training.prepared import PreparedData  # noqa: E402
from sector.training.recipe import Recipe  # noqa: E402
from sector.training.run_folder import RunFolder  # noqa: E402
from sector.training.trainer import Trainer, make_reader  # noqa: E402
from sector.training.transformer import _groups  # noqa: E402

CONFIG = replace(TINY, epochs=8, hidden=16, boundary=1.0, reader_rate=1e-3, weight_decay=0.01)


def encoder_options(folder: Path) -> dict[str, object]:
    return {"encoder": "transformer", "encoder_options": {"model": str(make_bert(folder / "bert")), "tokens": 24}}


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with ``tiny``, a trained model, and ``tiny.work``."""
    folder = tmp_path_factory.mktemp("trained")
    make_model(folder, CONFIG, **encoder_options(folder))
    return folder


def shown(document: Document) -> list[tuple[int, int, str | None]]:
    return [(section.begin, section.end, section.label) for section in document.sections]


@pytest.mark.parametrize("count", [1, 2, 50, 1000])
def test_groups_are_few_and_have_little_padding(count: int) -> None:
    lengths = np.random.default_rng(count).integers(0, 60, count)
    order = np.argsort(lengths, kind="stable")
    found = list(_groups(order, lengths))
    np.testing.assert_array_equal(np.concatenate(found), order)
    padded = sum(len(group) * (lengths[group].max() + 2) for group in found)
    assert padded + transformer.GROUP * len(found) <= count * (lengths.max() + 2) + transformer.GROUP
    if count == 1000:
        assert 3 <= len(found) <= 6
        assert padded <= 1.2 * (lengths + 2).sum()


def test_groups_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transformer, "MAX_PIECES", 100)
    lengths = np.array([3] * 90 + [200, 8])
    found = list(_groups(np.argsort(lengths, kind="stable"), lengths))
    assert sorted(np.concatenate(found)) == list(range(92))
    assert all(len(group) * (lengths[group].max() + 2) <= 100 for group in found if len(group) > 1)


def test_checkpointing_changes_memory_and_nothing_else(trained: Path) -> None:
    data = PreparedData.load(trained / "tiny.work" / "prepared.npz")
    found = []
    for checkpointing in (False, True):
        torch.manual_seed(0)
        reader = make_reader(data, replace(CONFIG, checkpointing=checkpointing)).train()
        vectors = reader(reader.table(data.train, torch.device("cpu")), np.arange(9))
        vectors.square().sum().backward()
        found.append([vectors.detach(), *(value.grad for value in reader.parameters() if value.grad is not None)])
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other)


def test_the_model_reads_as_torch_does(trained: Path) -> None:
    data = PreparedData.load(trained / "tiny.work" / "prepared.npz")
    weights, _ = read_arrays(trained / "tiny.work" / "weights.npz")
    model = sector.load(trained / "tiny")
    known = {name: torch.from_numpy(value) for name, value in weights.items()}
    expected = read_split(model.config.network, known, make_reader(data, CONFIG), data.train, "cpu")
    documents = [Document(str(record(number)["text"]), language="en") for number in range(3)]
    for reading, other in zip(model.read(documents), expected, strict=False):
        np.testing.assert_allclose(reading.probabilities, other.probabilities, atol=1e-4)
        assert reading.forward is not None and other.forward is not None
        np.testing.assert_allclose(reading.forward, other.forward, atol=1e-4)
        assert reading.boundary is not None and other.boundary is not None
        np.testing.assert_allclose(reading.boundary[1:], other.boundary[1:], atol=1e-4)


def test_training_changed_the_encoder_and_learned(trained: Path) -> None:
    weights, run = read_arrays(trained / "tiny.work" / "weights.npz")
    assert any(name.startswith("reader.model.") for name in weights)
    losses = [entry["loss"] for entry in run["history"]]
    assert losses[-1] < 0.7 * losses[0]
    assert sector.load(trained / "tiny").segment(HELD_OUT).sections


def test_alone_and_in_any_batch(trained: Path) -> None:
    model = sector.load(trained / "tiny")
    documents = [Document(str(record(number, 3)["text"]), language="en") for number in range(6)]
    together = model.read(documents)
    for document, reading in zip(documents, together, strict=True):
        np.testing.assert_allclose(model.read([document])[0].probabilities, reading.probabilities, atol=1e-5)
    segmented = model.segment_all(documents, batch_size=4)
    assert list(map(shown, segmented)) == [shown(model.segment(document)) for document in documents]
    assert not model.segment("").sections


def test_several_threads_get_the_same(trained: Path) -> None:
    model = sector.load(trained / "tiny")
    texts = [str(record(number, 5)["text"]) for number in range(6)]
    expected = [shown(model.segment(text)) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert [shown(found) for found in pool.map(model.segment, texts * 3)] == expected * 3


def test_a_model_folder_is_exported_again_with_eight_bits(trained: Path, tmp_path: Path) -> None:
    export_from(trained / "tiny", tmp_path / "small", precision="int8", with_weights=False)
    sizes = [(folder / "encoder.onnx").stat().st_size for folder in (trained / "tiny", tmp_path / "small")]
    assert sizes[1] < 0.5 * sizes[0]
    exact, found = (sector.load(folder).segment(HELD_OUT) for folder in (trained / "tiny", tmp_path / "small"))
    assert [section.label for section in found.sections] == [section.label for section in exact.sections]
    document = Document(HELD_OUT, language="en")
    (one,), (other,) = (sector.load(folder).read([document]) for folder in (trained / "tiny", tmp_path / "small"))
    assert 0 < np.abs(one.probabilities - other.probabilities).max() < 0.1


def test_a_moved_work_folder_trains_elsewhere_to_the_same(trained: Path, tmp_path: Path) -> None:
    shutil.copytree(trained / "tiny.work", tmp_path / "moved", ignore=shutil.ignore_patterns("weights*", "check*"))
    code = (
        "import sys, runpy\n"
        "for name in ('onnxruntime', 'sentencex', 'typer', 'rich', 'onnx', 'gensim'): sys.modules[name] = None\n"
        "runpy.run_module('sector.training', run_name='__main__')"
    )
    arguments = ["prepared.npz", "--output", ".", "--device", "cpu"]
    for name, value in CONFIG.to_dict().items():
        arguments += ["--set", f"{name}={json.dumps(value) if not isinstance(value, str) else value}"]
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, cwd=tmp_path / "moved", text=True)
    assert done.returncode == 0, done.stderr
    first, second = (read_arrays(folder / "weights.npz")[0] for folder in (trained / "tiny.work", tmp_path / "moved"))
    assert first.keys() == second.keys()
    name = "reader.model.embeddings.word_embeddings.weight"
    np.testing.assert_allclose(first[name], second[name], atol=1e-3)


def test_the_same_options_use_the_prepared_file_again(trained: Path) -> None:
    chosen = options(trained, encoder="transformer", encoder_options={"model": str(trained / "bert"), "tokens": 24})
    changed = (trained / "tiny.work" / "prepared.npz").stat().st_mtime_ns
    found = RunFolder(trained / "tiny.work").prepared(chosen)[""]
    assert (trained / "tiny.work" / "prepared.npz").stat().st_mtime_ns == changed
    assert found.features.pooling == "none"


def test_two_tasks_share_the_encoder_and_its_folder(tmp_path: Path) -> None:
    write_documents(tmp_path / "train.jsonl", 12)
    tasks = {"topics": {"train": "train.jsonl"}, "words": {"train": "train.jsonl", "task": "headings", "weight": 0.4}}
    recipe = Recipe.from_dict(
        {"language": "en", "epochs": 1, "batch": 4, "hidden": 8, "tasks": tasks, **encoder_options(tmp_path)}, tmp_path
    )
    work = RunFolder(tmp_path / "models.work")
    work.train(work.prepared(recipe), recipe, "cpu")
    for name in tasks:
        export_from(work.task(name), tmp_path / "models" / name, shared="encoder", precision="int8", with_weights=False)
    assert not (tmp_path / "models" / "topics" / "encoder.onnx").exists()
    for name in tasks:
        assert ModelFolder(tmp_path / "models" / name).config().encoder["folder"] == "../encoder"
        assert sector.load(tmp_path / "models" / name).segment(HELD_OUT).sections
    (tmp_path / "models" / "encoder" / "encoder.onnx").unlink()
    with pytest.raises(ModelError, match=r"encoder\.onnx"):
        sector.load(tmp_path / "models" / "topics")


def test_a_frozen_encoder_reads_once_and_stays_as_it_was(trained: Path) -> None:
    data = PreparedData.load(trained / "tiny.work" / "prepared.npz")
    trainer = Trainer(data, replace(CONFIG, epochs=2, frozen=True), "cpu")
    before = {name: value.clone() for name, value in trainer.reader.state_dict().items()}
    table = trainer.tasks[0].split.sentences
    numbers = np.arange(min(40, data.train.sentences))
    assert table.vectors is not None and len(table.vectors) == data.train.sentences
    alone = torch.cat([trainer.reader._read(table, numbers[i : i + 1]) for i in numbers])  # type: ignore[operator]
    assert torch.allclose(trainer.reader(table, numbers), alone, atol=2e-3)
    found = trainer.run()
    assert not [name for name in found.weights if name.startswith("reader.")]
    assert all(torch.equal(value, before[name]) for name, value in trainer.reader.state_dict().items())


def test_a_model_is_trained_on_the_encoder_of_another(trained: Path, tmp_path: Path) -> None:
    own = {"encoder": "transformer", "encoder_options": {"model": str(trained / "tiny"), "tokens": 40}}
    made = make_model(tmp_path, CONFIG, **own)
    model, other = sector.load(made), sector.load(trained / "tiny")
    assert (made / "encoder.onnx").read_bytes() == (trained / "tiny" / "encoder.onnx").read_bytes()
    assert model.config.encoder["tokens"] == other.config.encoder["tokens"] == 24
    weights, run = read_arrays(tmp_path / "tiny.work" / "weights.npz")
    assert not [name for name in weights if name.startswith("reader.")]
    assert run["history"][-1]["loss"] < run["history"][0]["loss"]
    data = PreparedData.load(tmp_path / "tiny.work" / "prepared.npz")
    known = {name: torch.from_numpy(value) for name, value in weights.items()}
    expected = read_split(model.config.network, known, make_reader(data, CONFIG), data.train, "cpu")
    document = Document(str(record(0)["text"]), language="en")
    np.testing.assert_allclose(model.read([document])[0].probabilities, expected[0].probabilities, atol=5e-3)
    export_from(made, tmp_path / "again", precision="int8")
    assert sector.load(tmp_path / "again").segment(HELD_OUT).sections


def test_a_model_of_words_has_no_encoder_to_train_on(tmp_path: Path) -> None:
    words = make_model(tmp_path / "words", TINY)
    with pytest.raises(ConfigError, match="no pretrained encoder"):
        encoders.make("transformer", model=words)
