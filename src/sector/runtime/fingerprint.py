"""What a model's answers depend on, as one short name: results of another model are never continued."""

from __future__ import annotations

from pathlib import Path

from sector.digests import files_fingerprint, fingerprint
from sector.encoders.files import encoder_folder
from sector.runtime.companion import place_of
from sector.runtime.folder import CARD, WEIGHTS, ModelConfig, ModelFolder
from sector.runtime.space import beside


def model_fingerprint(folder: ModelFolder) -> str:
    """Return the fingerprint of all files that are read to segment.

    They are the model's own, its encoder's, those of its space of headings, and the same of its companion.
    """
    config = folder.config()
    folders = _folders(folder.path, config)
    if config.companion:
        place, _ = place_of(folder.path.resolve(), config.companion)
        folders += _folders(place, ModelFolder(place).config())
    return fingerprint([files_fingerprint(_files(path)) for path in folders])


def _folders(model: Path, config: ModelConfig) -> list[Path]:
    shared = [config.encoder, *([beside(config.space)] if config.space.get("folder") else [])]
    return [model, *(encoder_folder(model, settings) for settings in shared)]


def _files(folder: Path) -> list[Path]:
    unread = (CARD, WEIGHTS)
    return [path for path in folder.iterdir() if path.is_file() and path.name not in unread and path.name[0] != "."]
