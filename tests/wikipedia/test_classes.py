"""The file of --classes says what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sector.errors import ConfigError
from sector.wikipedia.classes import load_classes

RECIPES = Path(__file__).parents[2] / "recipes" / "wiki"


def test_everything_at_once(tmp_path: Path) -> None:
    (tmp_path / "titles.txt").write_text("Moss\n\n Fern \n")
    (tmp_path / "items.txt").write_text("Q1\nQ2\n")
    (tmp_path / "e.json").write_text("[]")
    (tmp_path / "a.toml").write_text(
        'name = "moss"\n[select]\ntitles = ["Heath"]\ntitles_file = "titles.txt"\nitems_file = "items.txt"\n'
        'classes = ["Q5"]\nmembers = "both"\nentities = "e.json"\ncategories = ["a"]\ntemplates = ["b"]\n'
        '[exclude]\ntitles = ["c"]\n[text]\nmin_characters = 5\nstubs = true\ndrop_headings = ["Films "]\n'
    )
    found = load_classes(tmp_path / "a.toml")
    assert found.select.titles == ("Heath", "Moss", "Fern")
    assert found.select.items == ("Q1", "Q2")
    assert found.select.entities == tmp_path / "e.json"
    assert found.text.dropped == {"films"}
    assert found.text.stubs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = 'moss'", "selects nothing"),
        ("[select]\nall = true", "needs a name"),
        ("name = 'a b'\n[select]\nall = true", "needs a name"),
        ("name = '../x'\n[select]\nall = true", "needs a name"),
        ("name = 'a'\nselect = 3", "must be a table"),
        ("name = 'a'\n[select]\ntitle = ['a']", "select.title', which is unknown"),
        ("name = 'a'\n[selects]\n", "selects', which is unknown"),
        ("name = 'a'\n[select]\ntitles = 'a'", "must be a list of strings"),
        ("name = 'a'\n[select]\nclasses = ['disease']", "no Wikidata id"),
        ("name = 'a'\n[select]\nclasses = ['Q1']\nmembers = 'all'", "members must be one of"),
        ("name = 'a'\n[select]\ncategories = ['(']", "no regular expression"),
        ("name = 'a'\n[select]\nall = true\n[exclude]\ntitles = ['(']", "no regular expression"),
        ("name = 'a'\n[select]\ntitles_file = 'nowhere.txt'", "does not exist"),
        ("name = 'a'\n[select]\nall = true\n[text]\nmin_characters = -1", "whole number of at least 0"),
        ("name = 'a'\n[select]\nall = 1", "true or false"),
        ("name = ", "not a TOML file"),
    ],
)
def test_what_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.toml").write_text(text)
    with pytest.raises(ConfigError, match=message):
        load_classes(tmp_path / "a.toml")


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.toml")), ids=lambda path: path.stem)
def test_the_recipes_load(path: Path) -> None:
    assert load_classes(path).name in ("wiki", "disease", "city")
