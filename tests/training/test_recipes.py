"""The recipes of the embedded models: each can be read, and the documents name no other."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from sector.encoders import ENCODERS
from sector.training.recipe import Recipe

ROOT = Path(__file__).parents[2]
RECIPES = sorted((ROOT / "recipes").glob("*.toml"))


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_every_recipe_has_options_that_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = tomllib.loads(text)
    recipe = Recipe.from_dict(record if "tasks" in record else record | {"train": "train.json.xz"}, Path("data"))
    assert recipe.encoder in ENCODERS
    assert recipe.is_multitask == ("tasks" in record)
    assert f"--config recipes/{path.name}" in text, "the command that makes the model stands in its recipe"


def test_documents_name_recipes_that_exist() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *(ROOT / "benchmarks").rglob("*.md")]
    named = {name for page in pages for name in re.findall(r"recipes/(\w+\.toml)", page.read_text(encoding="utf-8"))}
    assert named
    assert named <= {path.name for path in RECIPES}
