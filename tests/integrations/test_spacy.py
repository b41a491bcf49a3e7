"""The pipeline component: found by its entry point, exact, and written to disk with its model."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

import sector
from sector.errors import ConfigError, ModelError
from tiny import HELD_OUT, HELD_OUT_LABELS

spacy = pytest.importorskip("spacy", reason="spaCy is not installed")

from spacy.tokens import DocBin  # noqa: E402

from sector.integrations.spacy import SectorComponent, make_sector  # noqa: E402

pytestmark = pytest.mark.usefixtures("offline")

TEXTS = [HELD_OUT, "", "  \n ", "One.", "No full stop", "a.b.c\n\n\nd?e", "🤒" * 50, "x" * 3000]


@pytest.fixture
def nlp(tiny_model: Path) -> Any:
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sector", config={"model": str(tiny_model), "merge": True})
    return pipeline


def found(doc: Any) -> list[tuple[int, int, str]]:
    return [(span.start, span.end, span.label_) for span in doc.spans["sections"]]


@pytest.mark.parametrize("text", TEXTS)
def test_spans_cover_the_tokens_in_order(text: str, nlp: Any) -> None:
    doc = nlp(text)
    tokens = [token.i for span in doc.spans["sections"] for token in span]
    assert tokens == list(range(len(doc)))


def test_spans_have_what_sections_have(nlp: Any, tiny_model: Path) -> None:
    doc = nlp(HELD_OUT)
    spans = doc.spans["sections"]
    sections = sector.load(tiny_model).segment(HELD_OUT, merge=True).sections
    assert tuple(span.label_ for span in spans) == HELD_OUT_LABELS
    for span, section in zip(spans, sections, strict=True):
        assert (span._.sector["begin"], span._.sector["end"]) == (section.begin, section.end)
        assert span._.sector["confidence"] == section.confidence
        assert span.start_char == section.begin
    assert spans.attrs == {"model": "tiny"}


def test_a_stream_gives_the_same_as_one_by_one(nlp: Any) -> None:
    piped = [found(doc) for doc in nlp.pipe(TEXTS, batch_size=3)]
    assert piped == [found(nlp(text)) for text in TEXTS]


def test_several_processes(nlp: Any) -> None:
    docs = list(nlp.pipe([HELD_OUT] * 4, n_process=2, batch_size=2))
    assert [tuple(span.label_ for span in doc.spans["sections"]) for doc in docs] == [HELD_OUT_LABELS] * 4


def test_a_pipeline_on_disk_has_its_model(nlp: Any, tiny_model: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(tiny_model, other)
    nlp.replace_pipe("sector", "sector", config={"model": str(other), "merge": True, "spans_key": "topics"})
    nlp.to_disk(tmp_path / "pipeline")
    shutil.rmtree(other)
    moved = (tmp_path / "pipeline").rename(tmp_path / "moved")
    doc = spacy.load(moved)(HELD_OUT)
    assert tuple(span.label_ for span in doc.spans["topics"]) == HELD_OUT_LABELS


def test_bytes_and_stored_documents_keep_everything(nlp: Any) -> None:
    again = spacy.blank("en")
    again.add_pipe("sector")
    again.from_bytes(nlp.to_bytes())
    doc = again(HELD_OUT)
    stored = DocBin(store_user_data=True, docs=[doc]).to_bytes()
    (read,) = DocBin().from_bytes(stored).get_docs(nlp.vocab)
    assert [span._.sector for span in read.spans["sections"]] == [span._.sector for span in doc.spans["sections"]]


def test_an_embedded_model_is_kept_by_its_name(tmp_path: Path) -> None:
    component = SectorComponent(sector.load("en_disease"))
    component.to_disk(tmp_path / "sector")
    assert [file.name for file in (tmp_path / "sector").iterdir()] == ["settings.json"]
    assert SectorComponent().from_disk(tmp_path / "sector").model_name == "en_disease"


def test_labels_of_the_callers_are_kept(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    from tiny_open import make_open

    pipeline = spacy.blank("en")
    folder = make_open(tmp_path / "original")
    config = {"model": str(folder), "labels": ["weather", "medical treatment"], "merge": True}
    pipeline.add_pipe("sector", config=config)
    pipeline.to_disk(tmp_path / "pipeline")
    shutil.rmtree(tmp_path / "original")
    doc = spacy.load(tmp_path / "pipeline")(HELD_OUT)
    assert {span.label_ for span in doc.spans["sections"]} == {"weather", "medical treatment"}


def test_wrong_settings_are_named(nlp: Any) -> None:
    with pytest.raises(ConfigError, match="no option 'max_tokens'; the options are: segmentation"):
        SectorComponent(max_tokens=5)
    with pytest.raises(ModelError, match="There is no model 'nowhere'"):
        SectorComponent("nowhere")(spacy.blank("en").make_doc("One."))


def test_the_factory_is_found_without_an_import() -> None:
    if "sector" not in entry_points(group="spacy_factories").names:
        pytest.skip("this installation of sector has no entry point for spaCy; install it again")
    code = "import spacy; spacy.blank('en').add_pipe('sector'); import sys; print('onnxruntime' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "False\n"), done.stderr


def test_the_types_of_the_factory_are_no_strings() -> None:
    """spaCy before 3.8.13 does not evaluate them, and adds no component then."""
    assert not [name for name, kind in make_sector.__annotations__.items() if isinstance(kind, str)]
