"""Checksums of a model's files, by which a folder is noticed whose files do not belong together."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sector.digests import file_digest
from sector.encoders.files import encoder_folder
from sector.errors import DataError, ModelError
from sector.runtime.folder import CARD, CONFIG, WEIGHTS


def checksums(folder: Path, prefix: str = "") -> dict[str, str]:
    """Return the SHA-256 of every file of a folder by its name, after ``prefix``; not of the config and the card."""
    names = sorted(file.name for file in folder.iterdir() if file.is_file() and file.name not in (CONFIG, CARD))
    return {prefix + name: file_digest(folder / name) for name in names}


def verify(folder: Path, files: Mapping[str, str], *shared: Mapping[str, Any]) -> None:
    """Compare all that a model runs with its checksums; raises ModelError for a file that is missing or another.

    ``shared`` are settings, e.g. of its encoder, whose files may lie in a ``folder`` beside it. A model of an older
    version has no checksums, and the weights to train on are looked at when they are read.
    """
    beside = [encoder_folder(folder, settings) for settings in shared]
    places = {"": folder} | {f"../{place.name}/": place for place in beside}
    for name, digest in files.items():
        file = name.rpartition("/")[2]
        parent = places.get(name.removesuffix(file))
        if parent is None or file in ("", ".", "..") or "\\" in file:
            raise ModelError(f"{folder / CONFIG} is broken: it lists the file {name!r}; fetch the model again.")
        if name != WEIGHTS:
            verify_file(parent / file, digest)


def verify_file(file: Path, digest: str) -> None:
    """Compare a file with its checksum; raises ModelError if it is missing or another."""
    try:
        found = file_digest(file)
    except (OSError, DataError) as error:
        raise ModelError(f"The model is not whole: {file} cannot be read ({error}); fetch it again.") from error
    if found != digest:
        raise ModelError(
            f"The model's file {file} is not the one that the model was made with: it was changed, cut off or replaced "
            "by that of another model. Fetch or export the model again."
        )
