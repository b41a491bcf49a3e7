"""A corpus into an index by workers: the same index as without them, each document once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpora import lines

from sector.reading import read_text
from sector.retrieval import Index
from sector.scale import IndexRun, LocalParts, PartEngine, index_run
from sector.scale.parts import CorpusPart
from sector.scale.totals import PartResult
from sector.scale.worker import PartJob
from tiny import HELD_OUT

TEXTS = {f"d{i}": f"{HELD_OUT}\n\nWinters bring frost, {i} of them.\n" for i in range(9)}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return lines(tmp_path / "corpus.jsonl", [{"id": name, "text": text} for name, text in TEXTS.items()])


def run_of(index: Index, corpus: Path, tmp_path: Path, engine: PartEngine | None = None) -> IndexRun:
    run = index_run(index, [str(corpus)], str(tmp_path / "parts"), engine or LocalParts())
    run.corpus.part_bytes = 2000
    return run


def content(index: Index) -> list[Any]:
    hits = index.search("frost in winter", limit=100)
    return sorted((hit.chunk.id, hit.chunk.text, hit.chunk.label, hit.chunk.previous_id or "") for hit in hits)


def test_the_index_is_the_same_as_without_workers(corpus: Path, tmp_path: Path, tiny_model: Path) -> None:
    with Index(tmp_path / "a.db", tiny_model) as alone, Index(tmp_path / "b.db", tiny_model) as index:
        alone.add(TEXTS)
        summary, update = run_of(index, corpus, tmp_path).run()
        assert summary.is_done and (update.added, update.unchanged, summary.parts > 2) == (9, 0, True)
        assert len(index) == len(alone) and content(index) == content(alone)
        assert not list((tmp_path / "parts").iterdir()), "nothing is left on the way"


def test_what_has_not_changed_is_not_read_again(corpus: Path, tmp_path: Path, tiny_model: Path) -> None:
    with Index(tmp_path / "a.db", tiny_model) as index:
        run_of(index, corpus, tmp_path).run()
        changed = TEXTS | {"d4": "Winters bring snow."}
        lines(corpus, [{"id": name, "text": text} for name, text in changed.items()])
        summary, update = run_of(index, corpus, tmp_path).run()
        assert (update.added, update.replaced, update.unchanged) == (0, 1, 8)
        assert summary.units == 1 and index.documents == 9


@dataclass
class Stopped:
    """An engine that is stopped after two parts."""

    def run(self, job: PartJob, parts: Sequence[CorpusPart]) -> Iterator[PartResult]:
        for number, result in enumerate(LocalParts().run(job, parts)):
            if number == 2:
                raise KeyboardInterrupt
            yield result


def test_an_interrupted_run_goes_on(corpus: Path, tmp_path: Path, tiny_model: Path) -> None:
    with Index(tmp_path / "a.db", tiny_model) as index:
        with pytest.raises(KeyboardInterrupt):
            run_of(index, corpus, tmp_path, Stopped()).run()
        assert 0 < index.documents < 9
        summary, update = run_of(index, corpus, tmp_path).run()
        assert summary.is_done and index.documents == 9 and update.seen == set(TEXTS)
        assert summary.documents_before > 0 and update.added + update.unchanged == 9


def test_an_interrupted_run_with_other_inputs_begins_anew(corpus: Path, tmp_path: Path, tiny_model: Path) -> None:
    with Index(tmp_path / "a.db", tiny_model) as index:
        with pytest.raises(KeyboardInterrupt):
            run_of(index, corpus, tmp_path, Stopped()).run()
        lines(corpus, [{"id": name, "text": text} for name, text in (TEXTS | {"e": "Frost."}).items()])
        summary, _ = run_of(index, corpus, tmp_path).run()
        assert summary.is_done and index.documents == 10


def test_vectors_are_kept(tmp_path: Path, tiny_model: Path) -> None:
    from sector.scale.indexing import _documents, _finished

    vector = np.arange(4, dtype=np.float32)
    with Index(tmp_path / "a.db", tiny_model) as index:
        (document,) = index.maker.indexed([(replace(read_text("Frost."), id="a"), "digest")])
    chunk = document.chunks[0]
    object.__setattr__(chunk, "embedding", vector)
    (row,) = _finished(document).rows
    (again,) = _documents(json.dumps(row).encode())
    (found,) = again.chunks
    assert again == document and found.embedding is not None and np.array_equal(found.embedding, vector)
