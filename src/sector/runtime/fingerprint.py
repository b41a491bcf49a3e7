"""What a model's answers depend on, as one short name: results of another model are never continued."""

from __future__ import annotations

from pathlib import Path

from sector.digests import files_fingerprint, fingerprint
from sector.runtime.companion import place_of
from sector.runtime.folder import CARD, WEIGHTS, ModelFolder


def model_fingerprint(folder: ModelFolder) -> str:
    """Return the fingerprint of all files that are read to segment: the model's, its encoder's, its companion's."""
    config = folder.config()
    folders = [folder.path, folder.path / str(config.encoder.get("folder", ""))]
    if config.companion:
        place, _ = place_of(folder.path.resolve(), config.companion)
        folders += [place, place / str(ModelFolder(place).config().encoder.get("folder", ""))]
    return fingerprint([files_fingerprint(_files(path)) for path in folders])


def _files(folder: Path) -> list[Path]:
    unread = (CARD, WEIGHTS)
    return [path for path in folder.iterdir() if path.is_file() and path.name not in unread and path.name[0] != "."]
