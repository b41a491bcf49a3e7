"""Sections as they were drawn: every gold start against every predicted one, exact to the sentence.

Nothing is merged here, whatever the protocol. The first sentence begins a section in any case and is no start to find.
"""

from __future__ import annotations

from collections.abc import Sequence

from sector.arrays import Ints1d
from sector.document import Section
from sector.evaluation.boundaries import boundary_counts
from sector.evaluation.segments import segment_runs
from sector.evaluation.windows import pk, window_diff


def start_sums(gold: Sequence[Section], predicted: Sequence[Section], begins: Ints1d) -> dict[str, float]:
    """Return the figures of one document in the form of sums; ``begins`` are the sentences' first characters.

    Pk and WindowDiff have the document's own k: half the mean length of its gold sections.
    """
    reference, hypothesis = (segment_runs(sections, begins, merge=False) for sections in (gold, predicted))
    counts = boundary_counts(reference, hypothesis)
    return {
        "start_matches": counts.matches,
        "twice_start_matches": 2 * counts.matches,
        "gold_starts": counts.reference,
        "predicted_starts": counts.hypothesis,
        "all_starts": counts.reference + counts.hypothesis,
        "gold_sections": counts.reference + 1,
        "predicted_sections": counts.hypothesis + 1,
        "start_pk": pk(reference, hypothesis),
        "start_wd": window_diff(reference, hypothesis),
    }
