"""Long documents: read in windows, within a limit, and beside others in a stream."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import sector
from sector.document import Document
from sector.errors import DataError, SectorError
from sector.runtime import Model
from tiny import record

TEXTS = [record(number, seed=3)["text"] for number in range(24)]
LONG = "".join(TEXTS)


@pytest.fixture(scope="module")
def model(tiny_model: Path) -> Model:
    return sector.load(tiny_model)


def edges(document: Document) -> list[int]:
    return [section.begin for section in document.sections]


@pytest.mark.parametrize("together", [1, 2, 3])
def test_windows_give_what_an_undivided_run_gives(model: Model, monkeypatch: pytest.MonkeyPatch, together: int) -> None:
    whole = model.segment(LONG)
    monkeypatch.setattr("sector.runtime.network.WINDOW", 31)
    monkeypatch.setattr("sector.runtime.network.CONTEXT", 100)
    monkeypatch.setattr("sector.runtime.network.WINDOWS", together)
    parts = model.segment(LONG)
    assert len(whole) > 4 * 31 and edges(whole) == edges(parts)
    assert [section.label for section in whole.sections] == [section.label for section in parts.sections]
    for name, near in (("embeddings", 1e-3), ("probabilities", 2e-3)):
        one, other = getattr(whole, name), getattr(parts, name)
        np.testing.assert_allclose(one, other.astype(np.float32), atol=near)
    assert parts.probabilities is not None and parts.probabilities.dtype == np.float16
    for section in parts.sections:
        assert next(iter(section.scores.items())) == (section.label, section.confidence)


def test_windows_need_their_context(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = model.segment(LONG).embeddings
    monkeypatch.setattr("sector.runtime.network.WINDOW", 31)
    monkeypatch.setattr("sector.runtime.network.CONTEXT", 0)
    parts = model.segment(LONG).embeddings
    assert whole is not None and parts is not None and np.abs(whole - parts).max() > 1e-3


@pytest.mark.parametrize(("limit", "unit"), [("MOST_SENTENCES", "sentences"), ("MOST_CHARACTERS", "characters")])
def test_a_document_above_the_limit_is_refused(
    model: Model, monkeypatch: pytest.MonkeyPatch, limit: str, unit: str
) -> None:
    monkeypatch.setattr(f"sector.runtime.reader.{limit}", 2)
    with pytest.raises(DataError, match=rf"'7' has \d+ {unit}; at most 2 .* parts"):
        model.segment(Document("One is here. Two are here. Three are here.", id="7"))
    assert len(model.segment("")) == 0


@pytest.fixture(params=["1", "2"])
def cores(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Have one core, where nothing is done in other threads, or two."""
    monkeypatch.setenv("SECTOR_CORES", request.param)
    return int(request.param)


@pytest.mark.usefixtures("cores")
@pytest.mark.parametrize("size", [1, 2, 100])
def test_all_before_an_error_comes_first(model: Model, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr("sector.runtime.reader.MOST_SENTENCES", 2)
    found = model.segment_all(["One.", "Two.", "Three.", "A dog. A cat. A cow.", "Five."], batch_size=size)
    assert [next(found).text for _ in range(3)] == ["One.", "Two.", "Three."]
    with pytest.raises(SectorError, match="3 sentences"):
        next(found)


@pytest.mark.usefixtures("cores")
def test_errors_of_the_source_and_of_the_network_come_through(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    def source() -> Iterator[str]:
        yield "One."
        raise RuntimeError("the source broke")

    found = model.segment_all(source())
    assert next(found).text == "One."
    with pytest.raises(RuntimeError, match="the source broke"):
        next(found)
    monkeypatch.setattr(model._reader._network, "_run", lambda inputs: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        list(model.segment_all(["One.", "Two."], batch_size=1))


def test_a_stream_is_read_as_it_comes_and_may_be_left(model: Model, cores: int) -> None:
    taken: list[int] = []

    def source() -> Iterator[str]:
        for number in range(1000):
            taken.append(number)
            yield TEXTS[number % len(TEXTS)]

    before = threading.active_count()
    found = model.segment_all(source(), batch_size=3)
    assert next(found).text == TEXTS[0] and len(taken) <= (3 if cores == 1 else 9)
    assert cores > 1 or threading.active_count() <= before
    found.close()  # type: ignore[attr-defined]
    for thread in threading.enumerate():
        if thread.name.startswith("sector"):
            thread.join(5)
    assert threading.active_count() <= before


def test_long_texts_make_small_chunks(model: Model, monkeypatch: pytest.MonkeyPatch, cores: int) -> None:
    monkeypatch.setattr("sector.runtime.reader.CHUNK_SENTENCES", 1)
    taken: list[str] = []
    found = model.segment_all((taken.append(text) or text for text in TEXTS), batch_size=100)  # type: ignore[func-returns-value]
    next(found)
    assert len(taken) == (1 if cores == 1 else 3)
    assert [document.text for document in found] == TEXTS[1:]
