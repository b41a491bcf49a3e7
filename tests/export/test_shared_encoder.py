"""An encoder's folder that models share is not changed behind the back of those that read it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import sector
from sector.errors import ConfigError, ModelError
from sector.export.training_run import export_from
from tiny import HELD_OUT, make_model

EMB = {"dimensions": 8, "workers": 1, "epochs": 1}


def works(folder: Path, seed: int) -> Path:
    """Return the work folder of a training."""
    (folder / f"seed{seed}").mkdir()
    make_model(folder / f"seed{seed}", encoder="emb", encoder_options=EMB | {"seed": seed})
    return folder / f"seed{seed}" / "tiny.work"


def test_an_encoder_that_other_models_read_stays(tmp_path: Path) -> None:
    one, other, models = works(tmp_path, 1), works(tmp_path, 2), tmp_path / "models"
    export_from(one, models / "first", shared="words")
    export_from(one, models / "second", shared="words")
    before = sector.load(models / "first").segment(HELD_OUT).to_dict()
    with pytest.raises(ConfigError, match="another encoder, which first, second beside it read"):
        export_from(other, models / "third", shared="words")
    assert sector.load(models / "first").segment(HELD_OUT).to_dict() == before
    assert sorted(path.name for path in models.iterdir()) == ["first", "second", "words"]


def test_an_encoder_that_no_other_model_reads_is_replaced(tmp_path: Path) -> None:
    one, other, models = works(tmp_path, 1), works(tmp_path, 2), tmp_path / "models"
    export_from(one, models / "only", shared="words", precision="int8")
    export_from(other, models / "only", shared="words")
    assert sector.load(models / "only").labels
    assert sorted(path.name for path in (models / "words").iterdir()) == ["vectors.npy", "words.txt"]


def test_a_foreign_encoder_in_its_place_is_noticed(tmp_path: Path) -> None:
    one, other, models = works(tmp_path, 1), works(tmp_path, 2), tmp_path / "models"
    export_from(one, models / "first", shared="words")
    export_from(other, models / "second", shared="more")
    shutil.copytree(models / "more", models / "words", dirs_exist_ok=True)
    with pytest.raises(ModelError, match="not the one that the model was made with"):
        sector.load(models / "first")
