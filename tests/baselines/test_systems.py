"""Every system, on texts that it may stumble over and on a change that none can miss."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from documents import BAD, MUSIC, WEATHER, one_topic, starts, two_topics
from numpy.typing import NDArray

from sector.baselines import Material, System, Task
from sector.baselines.bayesseg import BayesSeg
from sector.baselines.c99 import C99
from sector.baselines.graphseg import GraphSeg
from sector.baselines.paragraph_vectors import ParagraphVectors
from sector.baselines.splitters.changepoint import ChangePoints
from sector.baselines.texttiling import TextTiling
from sector.baselines.topictiling import TopicTiling
from sector.baselines.whole import Whole
from sector.baselines.words import content_words
from sector.document import Document
from sector.encoders.vectors import WordVectors
from sector.errors import ConfigError, DataError

UNTRAINED = (Whole, C99, C99(known=True), BayesSeg, BayesSeg(known=True), TextTiling, TextTiling(words=3, block=2))


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write vectors in which the words of a topic are close."""
    random = np.random.default_rng(1)
    rows: dict[str, NDArray[np.float64]] = {}
    for topic, sentences in enumerate((WEATHER, MUSIC)):
        centre = np.eye(2, 8)[topic]
        for word in dict.fromkeys(word for sentence in sentences for word in content_words(sentence, "en")):
            rows.setdefault(word, centre + 0.05 * random.standard_normal(8))
    folder = tmp_path_factory.mktemp("vectors")
    WordVectors(list(rows), np.array(list(rows.values()), np.float32)).save(folder)
    return folder


@pytest.fixture(scope="module")
def systems(vectors: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, System]:
    """Train every system that needs no torch."""
    pytest.importorskip("gensim")
    material = Material.of([one_topic("weather"), one_topic("music")] * 5, [two_topics()] * 3)
    task, folder = Task(language="en", vectors=vectors), tmp_path_factory.mktemp("work")
    made: list[Any] = [kind() if isinstance(kind, type) else kind for kind in UNTRAINED]
    made += [TopicTiling(topics=2, min_count=1, window=2), GraphSeg(), ChangePoints(value=1.0)]
    made += [ParagraphVectors(dimensions=16, epochs=20, min_count=1)]
    for system in made:
        system.fit(material, task, folder / system.name)
    return {f"{number} {system.name}": system for number, system in enumerate(made)}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gives_one_section_never_a_crash(systems: dict[str, System], name: str) -> None:
    for key, system in systems.items():
        for segmentation in system.segmentations:
            (found,) = system.segment_all([BAD[name]], segmentation=segmentation or None)
            assert found.is_covered() if BAD[name] else found.sections == (), key
            if name not in ("two sentences", "signs only"):
                assert len(found.sections) <= 1, key


def test_texts_and_documents_are_the_same(systems: dict[str, System]) -> None:
    text = two_topics()
    for system in systems.values():
        first, second = system.segment_all([text.text, Document(text.text, language="en")])
        assert [section.begin for section in first.sections] == [section.begin for section in second.sections]


@pytest.mark.parametrize("name", ["bayesseg", "c99", "graphseg", "topictiling", "changepoint"])
def test_the_change_of_topic_is_found(systems: dict[str, System], name: str) -> None:
    document = two_topics()
    for key, system in systems.items():
        if key.endswith(f" {name}"):
            (found,) = system.segment_all([Document(document.text, language="en", metadata={"segments": "2"})])
            assert 6 in starts(found), key


def test_known_number_of_segments() -> None:
    document = Document(two_topics(2).text, language="en", metadata={"segments": "4"})
    for system in (C99(known=True), BayesSeg(known=True)):
        (found,) = system.segment_all([document])
        assert starts(found) == [0, 6, 12, 18]


def test_more_segments_than_sentences() -> None:
    document = Document("Rain fell. Music played.", language="en", metadata={"segments": "9"})
    for system in (C99(known=True), BayesSeg(known=True)):
        (found,) = system.segment_all([document])
        assert len(found.sections) == 2


def test_paragraph_vectors_name_sections(systems: dict[str, System]) -> None:
    system = next(system for system in systems.values() if system.name == "pv")
    (found,) = system.segment_all([two_topics()], segmentation="newline")
    assert [section.label for section in found.sections] == ["weather", "music"]
    assert set(found.sections[0].scores) == {"weather", "music"}


def test_long_documents_are_read_in_pieces() -> None:
    text = " ".join(["Rain fell."] * 1600)
    (found,) = C99().segment_all([text])
    assert found.is_covered() and starts(found) == [0, 800]


@pytest.mark.parametrize(
    ("kind", "options"),
    [(C99, {"mask": 1}), (BayesSeg, {"prior": -1}), (TextTiling, {"words": 0}), (TopicTiling, {"topics": "many"})],
)
def test_wrong_options_are_named(kind: Any, options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=next(iter(options))):
        kind(**options)


@pytest.mark.parametrize("kind", [TopicTiling, ParagraphVectors, GraphSeg])
def test_nothing_to_learn_from(kind: Any, tmp_path: Path) -> None:
    pytest.importorskip("gensim")
    with pytest.raises(DataError, match="--train"):
        kind().fit(Material(), Task(language="en"), tmp_path / "system")


def test_paragraph_vectors_refuse_headings(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="--task topics"):
        ParagraphVectors().fit(Material.of([two_topics()]), Task("headings"), tmp_path)
