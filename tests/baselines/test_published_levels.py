"""Published levels, on real documents where they are there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sector.baselines.base import SEGMENTS, System
from sector.baselines.bayesseg import BayesSeg
from sector.baselines.c99 import C99
from sector.datasets import load
from sector.document import Document
from sector.evaluation import score
from sector.evaluation.run import unlabelled


def error(system: System, documents: list[Document], protocol: str) -> float:
    told = [replace(unlabelled(d), metadata={SEGMENTS: str(len(d.sections))}) for d in documents]
    return 100 * score(documents, list(system.segment_all(told)), protocol).pk


@pytest.mark.parametrize(("known", "published"), [(False, 13.5), (True, 11.8)])
def test_c99_on_choi(data_folder: Path, known: bool, published: float) -> None:
    documents = load(data_folder / "segmentation" / "choi.tar.xz", language="en")[::10]
    assert error(C99(known=known), documents, "choi") == pytest.approx(published, abs=2.5)


def test_bayesseg_on_the_clinical_textbook(data_folder: Path) -> None:
    documents = load(data_folder / "segmentation" / "clinical.tar.xz", language="en")[::4]
    assert error(BayesSeg(known=True), documents, "per-document-k") == pytest.approx(34, abs=4)
