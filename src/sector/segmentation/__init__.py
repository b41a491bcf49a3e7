"""Segmentations: where sections begin, from a model's reading of a document."""

from __future__ import annotations

from typing import Any

from sector.errors import ConfigError
from sector.segmentation.base import Reading, Segmentation
from sector.segmentation.bemd import BidirectionalDeviation
from sector.segmentation.emd import EmbeddingDeviation
from sector.segmentation.lengths import Lengths, limit_lengths
from sector.segmentation.max import MaxLabel
from sector.segmentation.merge import merge_equal, section_means
from sector.segmentation.newline import Newline
from sector.segmentation.options import make_from
from sector.segmentation.spans import SectionSpans

SEGMENTATIONS: dict[str, type[Segmentation]] = {
    kind.name: kind for kind in (Newline, MaxLabel, EmbeddingDeviation, BidirectionalDeviation)
}

__all__ = [
    "SEGMENTATIONS",
    "BidirectionalDeviation",
    "EmbeddingDeviation",
    "Lengths",
    "MaxLabel",
    "Newline",
    "Reading",
    "SectionSpans",
    "Segmentation",
    "limit_lengths",
    "make",
    "merge_equal",
    "section_means",
]


def make(segmentation: str | Segmentation, **options: Any) -> Segmentation:
    """Make a segmentation by name, e.g. ``make("bemd", variant="paper")``; an object stays as it is."""
    if isinstance(segmentation, str):
        if segmentation not in SEGMENTATIONS:
            names = ", ".join(SEGMENTATIONS)
            raise ConfigError(f"There is no segmentation '{segmentation}'; choose one of: {names}.")
        return make_from(SEGMENTATIONS[segmentation], options)
    if options or not callable(getattr(segmentation, "starts", None)):
        raise ConfigError(
            f"A segmentation is a name with options, or an object that has 'starts' and 'deviation'; "
            f"not {segmentation!r} with {options}."
        )
    return segmentation
