"""Which models are there: those that come with the package, by name, and any other by its path."""

from __future__ import annotations

import os
from pathlib import Path

from sector.errors import ModelError
from sector.runtime.folder import ModelFolder
from sector.values import is_there

EMBEDDED = Path(__file__).parent.parent / "models"
"""The models that come with the package."""
DEFAULTS = ("en", "en_wiki")
"""The embedded models that are used where none is named; the first that is there."""


def models() -> list[str]:
    """Return the names of the embedded models."""
    return sorted(file.parent.name for file in EMBEDDED.glob("*/config.json"))


def default_model() -> str:
    """Return the name of the embedded model that is used where none is named."""
    names = models()
    if not names:
        raise ModelError("No model came with this installation; name the folder of one, or learn one: sector train.")
    return next((name for name in DEFAULTS if name in names), names[0])


def find(model: str | Path) -> ModelFolder:
    """Return the folder of an embedded model, by its name, or of any other, by its path."""
    if not isinstance(model, str | os.PathLike):
        raise ModelError(f"A model is the name of one or the path of a folder, not {type(model).__name__}.")
    if str(model) in models():
        return ModelFolder(EMBEDDED / str(model))
    if not is_there(Path(model)):
        names = ", ".join(models()) or "none"
        raise ModelError(f"There is no model '{model}': neither a folder nor one of the embedded models ({names}).")
    return ModelFolder(Path(model))


def pretrained_encoder(language: str = "") -> str | None:
    """Return an embedded model for a language, or for any, whose encoder is a pretrained one; None if there is none."""
    for name in dict.fromkeys([default_model(), *models()]):
        config = find(name).config()
        if config.encoder.get("name") == "transformer" and language in ("", config.language):
            return name
    return None
