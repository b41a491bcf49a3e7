"""Options that segmentations have in common, and how options become a segmentation."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from math import isfinite
from typing import Any

from sector.errors import ConfigError
from sector.segmentation.base import Segmentation


def check_deviation_options(sigma: float, dimensions: int) -> None:
    """Raise ConfigError for a smoothing or a reduction that cannot be."""
    if not (isfinite(sigma) and sigma >= 0):
        raise ConfigError(f"The option 'sigma' is {sigma}; it must be 0 or a positive number of sentences.")
    if dimensions < 1:
        raise ConfigError(f"The option 'dimensions' is {dimensions}; it must be at least 1.")


def with_granularity(segmentation: Any, granularity: float) -> Segmentation:
    """Return a copy with another granularity; raises ConfigError for a segmentation that has none."""
    if not (is_dataclass(segmentation) and hasattr(segmentation, "granularity")):
        raise ConfigError(
            f"The segmentation '{segmentation.name}' has no granularity; choose joint, main or changepoint for it."
        )
    options = {field.name: getattr(segmentation, field.name) for field in fields(segmentation) if field.init}
    return make_from(type(segmentation), options | {"granularity": granularity})


def make_from(kind: type[Any], options: dict[str, Any]) -> Segmentation:
    """Make a segmentation of a dataclass; raises ConfigError for an option that it does not have."""
    known = [field.name for field in fields(kind) if field.init]
    for option in options:
        if option not in known:
            valid = f"its options are: {', '.join(known)}" if known else "it has no options"
            raise ConfigError(f"The segmentation '{kind.name}' has no option '{option}'; {valid}.")
    made: Segmentation = kind(**options)
    return made
