"""Segmentations: where sections begin, from a model's reading of a document."""

from __future__ import annotations

from typing import Any

import numpy as np

from sector.errors import ConfigError
from sector.segmentation.base import Decoded, Reading, Segmentation, decode
from sector.segmentation.bemd import BidirectionalDeviation
from sector.segmentation.changepoint import ChangePoint
from sector.segmentation.emd import EmbeddingDeviation
from sector.segmentation.joint import Joint
from sector.segmentation.lengths import Lengths, limit_lengths
from sector.segmentation.main import MainSections
from sector.segmentation.max import MaxLabel
from sector.segmentation.merge import Merged, merge_equal, section_means
from sector.segmentation.newline import Newline
from sector.segmentation.options import make_from, with_dial
from sector.segmentation.spans import SectionSpans
from sector.visible import brief

SEGMENTATIONS: dict[str, type[Segmentation]] = {
    kind.name: kind
    for kind in (Newline, MaxLabel, EmbeddingDeviation, BidirectionalDeviation, Joint, MainSections, ChangePoint)
}

__all__ = [
    "SEGMENTATIONS",
    "BidirectionalDeviation",
    "ChangePoint",
    "Decoded",
    "EmbeddingDeviation",
    "Joint",
    "Lengths",
    "MainSections",
    "MaxLabel",
    "Merged",
    "Newline",
    "Reading",
    "SectionSpans",
    "Segmentation",
    "decode",
    "limit_lengths",
    "make",
    "merge_equal",
    "section_means",
    "with_dial",
]


def make(segmentation: str | Segmentation, *, merge: bool = False, **options: Any) -> Segmentation:
    """Make a segmentation.

    Args:
        segmentation: a name of `SEGMENTATIONS`; an object with `starts` and `deviation` stays as it is.
        merge: join neighbouring sections that get the same label.
        **options: those of the segmentation, e.g. ``make("bemd", variant="paper")``.

    Raises:
        ConfigError: an unknown name or option, or a value that cannot work.
    """
    if not isinstance(merge, bool | np.bool_ | int):
        raise ConfigError(f"The option 'merge' is {brief(merge)}; it must be true or false.")
    found = _named(segmentation, options) if isinstance(segmentation, str) else _given(segmentation, options)
    return Merged(found) if merge else found


def _named(name: str, options: dict[str, Any]) -> Segmentation:
    if name not in SEGMENTATIONS:
        raise ConfigError(f"There is no segmentation '{name}'; choose one of: {', '.join(SEGMENTATIONS)}.")
    return make_from(SEGMENTATIONS[name], options)


def _given(segmentation: Segmentation, options: dict[str, Any]) -> Segmentation:
    if options or not callable(getattr(segmentation, "starts", None)):
        raise ConfigError(
            f"A segmentation is a name with options, or an object that has 'starts' and 'deviation'; "
            f"not {brief(segmentation)} with {options}."
        )
    return segmentation
