"""Options that segmentations have in common, and how options become a segmentation."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from math import isfinite
from typing import Any, cast

from sector.errors import ConfigError
from sector.segmentation.base import Segmentation

DIALS = {"granularity": "joint, main or changepoint", "sections": "joint"}
"""Options that say how many sections there are, and which segmentations have them."""


def check_deviation_options(sigma: float, dimensions: int) -> None:
    """Raise ConfigError for a smoothing or a reduction that cannot be."""
    if not (isfinite(sigma) and sigma >= 0):
        raise ConfigError(f"The option 'sigma' is {sigma}; it must be 0 or a positive number of sentences.")
    if dimensions < 1:
        raise ConfigError(f"The option 'dimensions' is {dimensions}; it must be at least 1.")


def with_dial(segmentation: Any, granularity: float | None = None, sections: int | None = None) -> Segmentation:
    """Return a copy with another granularity, or with a number of sections; the same where both are None.

    Raises ConfigError for a segmentation that has no such option, and where both are given.
    """
    given = {"granularity": granularity, "sections": sections}
    given = {name: value for name, value in given.items() if value is not None}
    if len(given) > 1:
        raise ConfigError("Give a granularity or a number of sections, not both.")
    for name, kinds in DIALS.items():
        if name in given and not (is_dataclass(segmentation) and hasattr(segmentation, name)):
            raise ConfigError(f"The segmentation '{segmentation.name}' has no option '{name}'; choose {kinds} for it.")
    if not given:
        return cast(Segmentation, segmentation)
    options = {field.name: getattr(segmentation, field.name) for field in fields(segmentation) if field.init}
    return make_from(type(segmentation), options | given)


def make_from(kind: type[Any], options: dict[str, Any]) -> Segmentation:
    """Make a segmentation of a dataclass; raises ConfigError for an option that it does not have."""
    known = [field.name for field in fields(kind) if field.init]
    for option in options:
        if option not in known:
            valid = f"its options are: {', '.join(known)}" if known else "it has no options"
            raise ConfigError(f"The segmentation '{kind.name}' has no option '{option}'; {valid}.")
    made: Segmentation = kind(**options)
    return made
