"""A pretrained encoder by itself: its pieces, its files, its vectors in each precision."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sector import encoders
from sector.encoders import HuggingFaceEncoder, TransformerEncoder, pieces
from sector.encoders.wordpiece import Spelling
from sector.errors import ConfigError, MissingExtraError, ModelError
from tiny_encoder import make_bert, make_roberta

pytest.importorskip("transformers")
pytest.importorskip("onnxscript")
SENTENCES = [
    "Most patients complain of fever and nausea.",
    "",
    "Snow!",
    "The town was founded by monks and later ruled by the duke, " * 5,
    "Winters bring frost, while summers have mild sunshine.",
]
MAKERS = {"bert": make_bert, "roberta": make_roberta}


@pytest.fixture(scope="module", params=list(MAKERS))
def source(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return MAKERS[request.param](tmp_path_factory.mktemp("source") / str(request.param))


def exported(source: Path, folder: Path, precision: str = "float32") -> TransformerEncoder:
    folder.mkdir(parents=True, exist_ok=True)
    settings = encoders.make("transformer", model=source, tokens=20).export(folder, {}, precision)
    found = encoders.load(folder, json.loads(json.dumps(settings)))
    assert isinstance(found, TransformerEncoder)
    return found


def torch_vectors(source: Path, encoder: TransformerEncoder) -> np.ndarray[Any, np.dtype[np.float32]]:
    import torch
    from transformers import AutoModel

    model = AutoModel.from_pretrained(source).eval()
    rows = []
    for numbers in encoder.tokenize(SENTENCES):
        with torch.no_grad():
            states = model(
                input_ids=torch.tensor([[encoder.shape.begin, *numbers, encoder.shape.end]])
            ).last_hidden_state
        rows.append(states[0].mean(dim=0).numpy())
    return np.stack(rows)


def test_vectors_are_those_of_torch_in_each_precision(source: Path, tmp_path: Path) -> None:
    encoder = exported(source, tmp_path / "float32")
    exact = torch_vectors(source, encoder)
    np.testing.assert_allclose(encoder.encode(SENTENCES), exact, atol=1e-5)
    sizes = [(tmp_path / "float32" / "encoder.onnx").stat().st_size]
    for precision, error in (("float16", 2e-3), ("int8", 5e-2)):
        found = exported(source, tmp_path / precision, precision).encode(SENTENCES)
        change = np.linalg.norm(found - exact, axis=1) / np.linalg.norm(exact, axis=1)
        assert 0 < change.max() < error
        sizes.append((tmp_path / precision / "encoder.onnx").stat().st_size)
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("precision", ["float32", "int8"])
def test_a_sentence_alone_and_among_others_is_the_same_to_the_bit(tmp_path: Path, precision: str) -> None:
    encoder = exported(make_bert(tmp_path / "source"), tmp_path / "model", precision)
    many = SENTENCES * 8
    alone = np.concatenate([encoder.encode([sentence]) for sentence in many])
    np.testing.assert_array_equal(encoder.encode(many), alone)
    np.testing.assert_array_equal(encoder.encode(many[::-1]), alone[::-1])
    assert encoder.encode([]).shape == (0, encoder.width)
    np.testing.assert_array_equal(encoder.encode_tokens(encoder.tokenize(["snow !"])), encoder.encode(["snow !"]))


def test_pieces_are_those_of_the_source_and_cut_at_tokens(source: Path) -> None:
    from transformers import AutoTokenizer

    encoder, theirs = HuggingFaceEncoder.of(source, tokens=9), AutoTokenizer.from_pretrained(source)
    for sentence, numbers in zip(SENTENCES, encoder.tokenize(SENTENCES), strict=True):
        whole = theirs(sentence)["input_ids"]
        assert [encoder.shape.begin, *numbers, encoder.shape.end] == [*whole[:-1][:10], whole[-1]]


def test_what_training_reads_is_loaded_again_without_a_graph(source: Path, tmp_path: Path) -> None:
    encoder = HuggingFaceEncoder.of(source, tokens=20)
    loaded = encoders.load(tmp_path, encoder.save(tmp_path))
    assert isinstance(loaded, HuggingFaceEncoder)
    assert (loaded.tokenize(SENTENCES), loaded.width) == (encoder.tokenize(SENTENCES), encoder.width)
    assert str(source.parent) not in (tmp_path / "architecture.json").read_text(encoding="utf-8")
    with pytest.raises(ConfigError, match="train a model first"):
        loaded.encode(SENTENCES)


def test_broken_and_missing_files_are_model_errors(tmp_path: Path) -> None:
    encoder = HuggingFaceEncoder.of(make_bert(tmp_path / "source"), tokens=20)
    settings = encoder.export(tmp_path, {}, "float32")
    for name in ("encoder.onnx", "architecture.json", "vocab.txt"):
        whole = (tmp_path / name).read_bytes()
        for broken in (b"", whole[: len(whole) // 2], b"\xff\xfe nothing of use"):
            (tmp_path / name).write_bytes(broken)
            with pytest.raises(ModelError):
                encoders.load(tmp_path, settings)
        (tmp_path / name).unlink()
        with pytest.raises(ModelError, match=name.split(".")[0]):
            encoders.load(tmp_path, settings)
        (tmp_path / name).write_bytes(whole)
    for wrong in ({"width": 7}, {"tokens": "many"}, {"spelling": {"colour": 1}}):
        with pytest.raises(ModelError):
            encoders.load(tmp_path, {**settings, **wrong})


def test_weights_of_another_encoder_are_refused(tmp_path: Path) -> None:
    encoder = HuggingFaceEncoder.of(make_bert(tmp_path / "source"), tokens=20)
    with pytest.raises(ModelError, match="do not belong"):
        encoder.export(tmp_path, {"model.colour": np.zeros(3, np.float32)}, "float32")


def test_what_cannot_work_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'model'"):
        encoders.make("transformer")
    with pytest.raises(ModelError, match="nowhere"):
        encoders.make("transformer", model=str(tmp_path / "nowhere"))
    source = make_bert(tmp_path / "source")
    with pytest.raises(ConfigError, match="reads 60 at most"):
        encoders.make("transformer", model=str(source), tokens=61)
    with pytest.raises(ConfigError, match="'tokens' is 0"):
        encoders.make("transformer", model=str(source), tokens=0)


def test_missing_packages_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = make_roberta(tmp_path / "source")
    settings = HuggingFaceEncoder.of(source, tokens=20).save(tmp_path)
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtraError, match="tokenizers"):
        encoders.load(tmp_path, settings)
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtraError, match=r"sector-nlp\[transformer\]"):
        HuggingFaceEncoder.of(source, tokens=20)


def test_word_pieces_need_onnxruntime_alone(tmp_path: Path) -> None:
    settings = HuggingFaceEncoder.of(make_bert(tmp_path / "source"), tokens=20).export(tmp_path, {}, "int8")
    code = (
        "import sys, json\n"
        "for name in ('torch', 'transformers', 'tokenizers', 'onnx', 'safetensors'): sys.modules[name] = None\n"
        "from pathlib import Path\nfrom sector import encoders\n"
        f"encoder = encoders.load(Path({str(tmp_path)!r}), json.loads({json.dumps(settings)!r}))\n"
        "print(encoder.encode(['Snow!']).shape)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "(1, 64)\n"


def test_other_word_pieces_are_left_to_the_package() -> None:
    model: dict[str, Any] = {"type": "WordPiece", "vocab": {"[UNK]": 0, "a": 2}, "unk_token": "[UNK]"}
    model |= {"continuing_subword_prefix": "##", "max_input_chars_per_word": 100}
    normalizer: dict[str, Any] = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True}
    normalizer |= {"strip_accents": None, "lowercase": True}
    record = {"normalizer": normalizer, "pre_tokenizer": {"type": "BertPreTokenizer"}, "model": model}
    assert pieces._spelling(record) is None
    model["vocab"] = {"[UNK]": 0, "a": 1}
    assert pieces._spelling(record) == Spelling()
    assert pieces._spelling(record | {"normalizer": None}) is None
