"""The options of a segmentation, checked: how readings become sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sector import segmentation as segmentations
from sector.document import Document
from sector.errors import ConfigError, ModelError
from sector.runtime.sections import Cutter, Labeller
from sector.segmentation import Lengths, Reading, Segmentation


@dataclass(frozen=True, slots=True)
class Plan:
    """How readings become sections: the options of `Model.segment`, checked."""

    labeller: Labeller
    segmentation: Segmentation
    lengths: Lengths | Cutter

    def segmented(self, document: Document, reading: Reading) -> Document:
        """Return the document with sections."""
        return self.labeller.segmented(document, reading, self.segmentation, self.lengths)


def own_segmentation(settings: Mapping[str, Any], labels: int) -> Segmentation:
    """Return a model's default segmentation by its config; raises ModelError for settings that are broken."""
    options = dict(settings)
    rows = options.get("transitions")
    if isinstance(rows, list) and len(rows) != labels:
        raise ModelError(f"The model's config.json has transitions of {len(rows)} labels, but the model has {labels}.")
    try:
        return segmentations.make(str(options.pop("name", None)), **options)
    except (ConfigError, TypeError) as error:
        raise ModelError(f"The default segmentation in the model's config.json is broken: {error}") from error
