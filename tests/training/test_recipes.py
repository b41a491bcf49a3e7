"""The recipes of the embedded models: each can be read, and the documents name no other."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from sector.encoders import ENCODERS
from sector.runtime import find, models
from sector.training.config import TrainingConfig
from sector.training.recipe import Recipe

ROOT = Path(__file__).parents[2]
RECIPES = sorted((ROOT / "recipes").glob("*.toml"))


MULTITASK = {
    **dict.fromkeys(("en_city", "en_disease"), "en_fast"),
    **dict.fromkeys(("en_city_accurate", "en_disease_accurate"), "en_accurate"),
}
"""The recipes of models that share an encoder; those of all others have their names."""
STUDENTS = {"de_wiki": "benchmarks/transfer/README.md"}
"""Models whose recipe prepares the data, and the page that says how they were trained."""


def read_recipe(path: Path) -> Recipe:
    record = tomllib.loads(path.read_text(encoding="utf-8"))
    return Recipe.from_dict(record if "tasks" in record else record | {"train": "train.json.xz"}, Path("data"))


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_every_recipe_has_options_that_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    recipe = read_recipe(path)
    assert recipe.encoder in ENCODERS
    assert recipe.is_multitask == ("[tasks." in text)
    assert f"--config recipes/{path.name}" in text, "the command that makes the model stands in its recipe"


@pytest.mark.parametrize("model", models())
def test_embedded_models_have_the_options_of_their_recipe(model: str) -> None:
    path = ROOT / "recipes" / f"{MULTITASK.get(model, model)}.toml"
    if model in STUDENTS:
        assert path.name in (ROOT / STUDENTS[model]).read_text(encoding="utf-8")
    else:
        assert read_recipe(path).training == TrainingConfig.from_dict(find(model).config().training)


def test_documents_name_recipes_that_exist() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *(ROOT / "benchmarks").rglob("*.md")]
    named = {name for page in pages for name in re.findall(r"recipes/(\w+\.toml)", page.read_text(encoding="utf-8"))}
    assert named
    assert named <= {path.name for path in RECIPES}
