"""How many sections: where starts are strong by themselves, or the strongest so many."""

from __future__ import annotations

import numpy as np

from sector.arrays import Bools1d, Doubles1d, Ints1d
from sector.errors import ConfigError
from sector.segmentation.base import starts_from
from sector.visible import brief


def check_sections(sections: int | None) -> None:
    """Raise ConfigError for a number of sections that cannot be."""
    if sections is not None and (isinstance(sections, bool) or not isinstance(sections, int) or sections < 1):
        raise ConfigError(f"The option 'sections' is {brief(sections)}; it must be a whole number of at least 1.")


def strongest(
    strength: Doubles1d,
    candidates: Bools1d | None,
    forced: Bools1d | None,
    granularity: float = 1.0,
    sections: int | None = None,
) -> Ints1d:
    """Return the sentences that begin a section: with a positive strength, or so many of the strongest.

    Starts are ranked once and the first ones taken, so that a document's sections are only ever divided when there are
    to be more of them.

    Args:
        strength: float64 [sentences], above 0 where a section begins.
        candidates: bool [sentences], where sections may begin; None: anywhere.
        forced: bool [sentences], where they must; None: nowhere but at 0.
        granularity: multiplies the number of sections.
        sections: their number, as far as candidates and forced starts allow; None: that of the positive strengths.

    Returns:
        int64 [sections], sorted, 0 first.
    """
    begins = np.zeros(len(strength), np.bool_) if forced is None else forced.copy()
    begins[:1] = True
    free = ~begins if candidates is None else candidates & ~begins
    places = np.flatnonzero(free)
    given, found = int(begins.sum()), int((strength[places] > 0).sum())
    wanted = round(granularity * (given + found)) if sections is None else sections
    taken = places[np.argsort(-strength[places], kind="stable")][: max(0, wanted - given)]
    begins[taken] = True
    return starts_from(begins)
