"""A companion: a second, cheaper model whose readings are mixed into another's.

A network on a pretrained encoder and one on word vectors err in different places, so that their mean is right more
often than either, and the companion takes a hundredth of the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sector.arrays import Ints1d
from sector.document import Document
from sector.errors import ModelError
from sector.runtime.folder import ModelConfig
from sector.segmentation import Reading

if TYPE_CHECKING:
    from sector.runtime.reader import Reader

SHARE = 0.25
"""How much a companion counts unless its model says otherwise. Chosen on validation documents of two data sets."""


@dataclass(frozen=True, slots=True)
class Companion:
    """What reads for a second model, and how much it counts."""

    reader: Reader
    share: float
    columns: Ints1d
    """Where each label of the main model is among the companion's."""

    @classmethod
    def of(cls, main: ModelConfig, companion: Reader, share: float) -> Companion:
        """Combine two models that have the same labels."""
        places = {label: number for number, label in enumerate(companion.config.labels)}
        return cls(companion, share, np.array([places[label] for label in main.labels], np.int64))

    def mixed(self, documents: Sequence[Document], readings: Sequence[Reading]) -> list[Reading]:
        """Return the main model's readings of these documents with the companion's part in them."""
        return [self._mix(*pair) for pair in zip(readings, self.reader.read(documents), strict=True)]

    def _mix(self, main: Reading, other: Reading) -> Reading:
        own, part = np.float32(1 - self.share), np.float32(self.share)
        rows = own * main.probabilities + part * other.probabilities[:, self.columns]
        boundary = main.boundary
        if boundary is not None and other.boundary is not None:
            boundary = own * boundary + part * other.boundary
        vectors = main.vectors
        if vectors is not None and other.vectors is not None:
            vectors = own * vectors + part * other.vectors
        return replace(main, probabilities=rows.astype(main.probabilities.dtype), boundary=boundary, vectors=vectors)


def reason_against(main: ModelConfig, companion: ModelConfig) -> str:
    """Return why one model cannot be the companion of the other; empty if it can."""
    if main.task != companion.task or set(main.labels) != set(companion.labels):
        return "it has other labels"
    if main.space.get("folder") != companion.space.get("folder"):
        return "its vectors lie in another space"
    if main.network.boundary != companion.network.boundary:
        return "only one of them has learned boundaries"
    return "it has a companion itself" if companion.companion else ""


def place_of(folder: Path, settings: Mapping[str, Any]) -> tuple[Path, float]:
    """Return where a model's companion is, beside it, and how much it counts; raises ModelError for broken settings."""
    name, share = settings.get("model"), settings.get("share", SHARE)
    if not isinstance(name, str) or name in ("", ".", "..", folder.name) or Path(name).name != name:
        raise ModelError(f"{folder} names the companion {name!r}; it must be the name of another model beside it.")
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share < 1:
        raise ModelError(f"{folder} gives its companion the share {share!r}; it must be between 0 and 1.")
    place = folder.with_name(name)
    if not place.is_dir():
        raise ModelError(f"{folder} needs its companion {name} beside it, which is not there; copy both.")
    return place, float(share)
