"""External splitters, with a fake in the place of a library: settings are chosen, chunks are found again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from documents import BAD, one_topic, starts, two_topics

from sector.baselines import SYSTEMS, Material, Task
from sector.baselines.splitters.align import begins
from sector.baselines.splitters.splitter import Split, Splitter, sentences_at
from sector.baselines.splitters.vectors import Embed, mean_vectors
from sector.baselines.words import WeightedVectors
from sector.document import Document
from sector.encoders.vectors import WordVectors
from sector.errors import SectorError

EXTERNAL = ("ruptures", "textsplit", "haystack", "chonkie", "llama-index", "langchain")


@dataclass
class Every(Splitter):
    """Begins a section every so many sentences."""

    name: ClassVar[str] = "every"
    citation: ClassVar[str] = ""
    packages: ClassVar[tuple[str, ...]] = ("numpy",)
    module: ClassVar[str] = "numpy"
    parameter: ClassVar[str] = "sentences"
    grid: ClassVar[tuple[Any, ...]] = (2, 3, 6)

    value: int | None = None

    def splitting(self, value: Any, embed: Embed) -> Split:
        def split(document: Document) -> Sequence[int]:
            found: list[int] = document.spans.begin[::value].tolist()
            return found

        return split


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    words = ["rain", "wind", "piano", "violin"]
    WordVectors(words, np.eye(4, dtype=np.float32)).save(tmp_path)
    return tmp_path


def test_the_setting_is_chosen_on_validation_documents(vectors: Path, tmp_path: Path) -> None:
    system, task = Every(), Task(language="xx", vectors=vectors)
    system.fit(Material.of([], [two_topics()]), task, tmp_path / "every")
    assert system.setting.startswith("sentences 6 (numpy ")
    (found,) = system.segment_all([two_topics()])
    assert starts(found) == [0, 6]


def test_a_given_value_is_kept(vectors: Path, tmp_path: Path) -> None:
    system = Every(value=2)
    system.fit(Material.of([], [two_topics()]), Task(language="xx", vectors=vectors), tmp_path / "every")
    assert system.setting.startswith("sentences 2 ")


def test_every_splitter_has_as_many_settings() -> None:
    for name in EXTERNAL:
        assert len(SYSTEMS[name].make().grid) == 5  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", EXTERNAL)
def test_installed_or_named(name: str, vectors: Path, tmp_path: Path) -> None:
    system: Any = SYSTEMS[name].make()
    material, task = Material.of([one_topic("music")], [two_topics()]), Task(language="xx", vectors=vectors)
    if find_spec(system.module.split(".")[0]) is None:
        with pytest.raises(SectorError, match="pip install"):
            system.fit(material, task, tmp_path / name)
        return
    system.fit(material, task, tmp_path / name)
    for title, text in BAD.items():
        (found,) = system.segment_all([text])
        assert found.is_covered() if text else not found.sections, title


def test_chunks_are_found_whatever_happened_to_white_space() -> None:
    text = "One  two.\n\nThree four. Five"
    assert begins(text, ["One two. ", "Three  four.", "Five"]) == [0, 11, 23]
    assert begins(text, ["nowhere", "Five"]) == [23]


def test_a_begin_inside_a_sentence_counts_from_it() -> None:
    document = Document("Rain fell. Music played. It ended.", language="en")
    assert sentences_at(document, [15, 33]).tolist() == [0, 1, 2]


def test_mean_vectors() -> None:
    lexicon = WeightedVectors.of(WordVectors(["rain", "piano"], np.eye(2, dtype=np.float32), np.array([5, 5])))
    rows = mean_vectors(lexicon)(["rain rain", "piano", "rain piano", "nothing known"])
    assert rows == pytest.approx(np.array([[1, 0], [0, 1], [0.5**0.5, 0.5**0.5], [0, 0]]), abs=1e-6)
