"""From a reading to labelled sections: the last step of a document's way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from sector.arrays import Floats1d, Floats2d, Ints1d
from sector.document import Distribution, Document, Section
from sector.segmentation import Lengths, Reading, Segmentation

NO_LIMITS = Lengths()
HEADING_WORDS = 2
"""How many words make the label of a section in a model of headings."""


@dataclass(frozen=True, slots=True)
class Labeller:
    """Names the sections of a model's task with its labels."""

    task: str
    labels: tuple[str, ...]
    model: str = ""

    def segmented(
        self, document: Document, reading: Reading, segmentation: Segmentation, lengths: Lengths = NO_LIMITS
    ) -> Document:
        """Give the document with sections where the segmentation finds them, within the lengths."""
        spans = lengths.spans(document.text, document.spans, segmentation.starts(reading), reading.probabilities)
        means = spans.means(reading.probabilities)
        edges = zip(spans.begin.tolist(), spans.end.tolist(), means, strict=True)
        return replace(
            document,
            sections=tuple(self._section(document.text, begin, end, row) for begin, end, row in edges),
            given_spans=document.spans,
            model=self.model,
            labels=self.labels,
            probabilities=reading.probabilities,
            embeddings=_both(reading),
            measure=partial(segmentation.deviation, reading),
        )

    def _section(self, text: str, begin: int, end: int, scores: Floats1d) -> Section:
        best = np.argsort(-scores, kind="stable")[:HEADING_WORDS]
        words = best[:1] if self.task == "topics" else _strong(best, scores)
        return Section(
            begin=begin,
            end=end,
            label="/".join(self.labels[i] for i in words),
            confidence=float(scores[best[0]]),
            source=text,
            distribution=Distribution(self.labels, scores),
        )


def _strong(best: Ints1d, scores: Floats1d) -> Ints1d:
    """Keep the words of a heading that reach the middle between the best and the median score."""
    enough = (scores.max() + np.median(scores)) / 2
    return np.asarray(best[scores[best] >= enough])


def _both(reading: Reading) -> Floats2d | None:
    if reading.forward is None or reading.backward is None:
        return None
    return np.concatenate([reading.forward, reading.backward], axis=1)
