"""A companion: its readings are mixed in, whatever the order of its labels, and what cannot be mixed is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sector
from sector.document import Document
from sector.errors import ConfigError, ModelError
from sector.export.training_run import export_from
from sector.segmentation import Reading
from tiny import TINY, make_model

TEXT = "Most patients complain of fever. Treatment begins with rest. The town was founded by monks. Winters bring snow."
Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def pair(tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Put two models of the same labels into one folder, the second as the first's companion."""
    folder = tmp_path_factory.mktemp("pair")
    shutil.copytree(tiny_model, folder / "plain")
    other = make_model(tmp_path_factory.mktemp("other"), replace(TINY, seed=7))
    shutil.copytree(other, folder / "small")
    export_from(folder / "plain", folder / "main", companion="small")
    return folder


def changed(folder: Path, change: Change) -> None:
    record = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    change(record)
    (folder / "config.json").write_text(json.dumps(record), encoding="utf-8")


def test_a_reading_is_the_mean_of_both(pair: Path) -> None:
    main, plain, small = (sector.load(pair / name) for name in ("main", "plain", "small"))
    documents = [Document(TEXT, language="en"), Document("Doctors prescribe aspirin.", language="en")]
    share = main.config.companion["share"]
    order = [small.labels.index(label) for label in main.labels]
    for mixed, own, other in zip(main.read(documents), plain.read(documents), small.read(documents), strict=True):
        expected = (1 - share) * own.probabilities + share * other.probabilities[:, order]
        np.testing.assert_allclose(mixed.probabilities, expected, atol=1e-6)
        np.testing.assert_allclose(mixed.probabilities.sum(axis=1), 1, atol=1e-5)
    alone = main.segment(TEXT)
    (among, _) = main.segment_all([TEXT, TEXT * 3])
    assert [(s.begin, s.label, s.confidence) for s in alone.sections] == [
        (s.begin, s.label, s.confidence) for s in among.sections
    ]
    assert f"| companion | `small`, with the weight {share:.4g} |" in (pair / "main" / "README.md").read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize(
    ("change", "hint"),
    [
        (lambda record: record.update(companion=[]), "companion"),
        (lambda record: record.update(companion={"model": "../small"}), "must be the name"),
        (lambda record: record.update(companion={"model": "main"}), "another model"),
        (lambda record: record.update(companion={"model": 3}), "must be the name"),
        (lambda record: record.update(companion={"model": "small", "share": 1}), "between 0 and 1"),
        (lambda record: record.update(companion={"model": "small", "share": "x"}), "between 0 and 1"),
        (lambda record: record.update(companion={"model": "none"}), "beside it, which is not there"),
        (lambda record: record.update(labels=["a", "b", "c", "d"]), "other labels"),
    ],
)
def test_broken_settings_are_named(pair: Path, tmp_path: Path, change: Change, hint: str) -> None:
    for name in ("main", "small"):
        shutil.copytree(pair / name, tmp_path / name)
    changed(tmp_path / "main", change)
    with pytest.raises(ModelError, match=hint):
        sector.load(tmp_path / "main")


def test_how_much_a_companion_counts(pair: Path, tmp_path: Path) -> None:
    shutil.copytree(pair / "small", tmp_path / "small")
    export_from(pair / "plain", tmp_path / "model", companion="small=0.4")
    assert sector.load(tmp_path / "model").config.companion == {"model": "small", "share": 0.4}
    with pytest.raises(ConfigError, match=r"NAME=0\.35"):
        export_from(pair / "plain", tmp_path / "other", companion="small=1.5")


def test_no_companion_has_a_companion(pair: Path, tmp_path: Path) -> None:
    for name in ("main", "small"):
        shutil.copytree(pair / name, tmp_path / name)
    changed(tmp_path / "small", lambda record: record.update(companion={"model": "main"}))
    with pytest.raises(ModelError, match="has a companion itself"):
        sector.load(tmp_path / "main")


def test_exporting_wants_a_companion_with_the_same_labels(pair: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="beside it, which is not there"):
        export_from(pair / "plain", tmp_path / "model", companion="small")
    shutil.copytree(pair / "small", tmp_path / "small")
    changed(tmp_path / "small", lambda record: record.update(labels=["a", "b", "c", "d"]))
    with pytest.raises(ConfigError, match="other labels"):
        export_from(pair / "plain", tmp_path / "model", companion="small")
    assert not (tmp_path / "model").exists()
    export_from(pair / "main", pair / "again")
    assert sector.load(pair / "again").config.companion == sector.load(pair / "main").config.companion
    with pytest.raises(ModelError, match="beside it, which is not there"):
        export_from(pair / "main", tmp_path / "alone" / "model")


def test_boundaries_are_mixed_too(pair: Path) -> None:
    main = sector.load(pair / "main")
    rows = np.eye(4, dtype=np.float32)
    one, other = (Reading(rows, boundary=np.full((4, 2), value, np.float32)) for value in (1.0, 3.0))
    companion = main._reader._companion
    assert companion is not None
    mixed = companion._mix(one, other)
    assert mixed.boundary is not None
    np.testing.assert_allclose(mixed.boundary, 1 + 2 * main.config.companion["share"], rtol=1e-6)
