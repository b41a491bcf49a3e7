"""The page as files for any web server: three examples, with the answers for every place of the slider."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sector.atomic import replacing
from sector.document import Document
from sector.errors import ConfigError
from sector.runtime import Model, load
from sector.server.answers import json_bytes
from sector.server.rendering import record
from sector.server.routes.models import described
from sector.server.routes.page import FOLDER
from sector.server.settings import Settings, model_names

GRANULARITIES = [2 ** (step / 2) for step in range(-6, 7)]
"""Places of the page's slider."""
MARK = '<meta charset="utf-8">'
INDEX = "page/export/index.json"


def write_page(folder: Path, settings: Settings) -> None:
    """Write the page with its examples into a new or empty folder.

    Raises ConfigError where the folder holds other files.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder} is not an empty folder; choose another place for the page.")
    models = {name: load(place) for name, place in model_names(settings).items()}
    folder.parent.mkdir(parents=True, exist_ok=True)
    with replacing(folder) as draft:
        shutil.copytree(FOLDER, draft / "page")
        _write_index(draft)
        _write_answers(draft, models)


def _write_index(folder: Path) -> None:
    page = folder / "page" / "index.html"
    marked = page.read_text(encoding="utf-8").replace(MARK, f'{MARK}\n<meta name="sector-export" content="{INDEX}">')
    (folder / "index.html").write_text(marked, encoding="utf-8")
    page.unlink()


def _write_answers(folder: Path, models: Mapping[str, Model]) -> None:
    target = folder / "page" / "export"
    target.mkdir()
    listed = [described(name, model).model_dump() for name, model in models.items()]
    index = {"default": next(iter(models)), "models": listed, "options": ["granularity"]}
    (folder / INDEX).write_bytes(json_bytes(index))
    for example in sorted((FOLDER / "examples").glob("*.txt")):
        text = example.read_text(encoding="utf-8")
        answers = {key: value for name, model in models.items() for key, value in _answers(name, model, text)}
        (target / f"{example.stem}.json").write_bytes(json_bytes(answers))


def _answers(name: str, model: Model, text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the answer for each granularity, by the key that the page makes of it; all are one for some models."""
    document = Document(text, language=model.config.language)
    (reading,) = model.read([document])
    for granularity in GRANULARITIES:
        try:
            found = model.decode(document, reading, granularity=granularity)
        except ConfigError:  # the model's segmentation has no granularity
            found = model.decode(document, reading)
        yield f"{name} {granularity:.3f}", record(found, details=True)
