"""From section starts to character spans that cover the text, none longer than ``max_chars``.

A section begins with its first sentence, the first one at 0; white space belongs to the section before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sector.arrays import Floats2d, Ints1d
from sector.errors import ConfigError
from sector.segmentation.cuts import cut_inside
from sector.segmentation.joins import join_short
from sector.segmentation.spans import SectionSpans
from sector.structure.cutting import cut_at
from sector.text.sentences import SentenceSpans
from sector.values import is_whole
from sector.visible import brief


@dataclass(frozen=True, slots=True)
class Lengths:
    """The limits of a section's length in characters, checked when they are given; None is no limit."""

    max_chars: int | None = None
    """No section is longer: it is cut between sentences, inside one only if that sentence alone is longer."""
    min_chars: int | None = None
    """A shorter section joins the neighbour with more similar labels, unless this breaks ``max_chars``."""

    def __post_init__(self) -> None:
        for name, value in (("max_chars", self.max_chars), ("min_chars", self.min_chars)):
            if value is not None and not is_whole(value, 1):
                raise ConfigError(f"'{name}' is {brief(value)}; it must be a whole number of at least 1, or None.")
        if self.max_chars is not None and self.min_chars is not None and self.min_chars > self.max_chars:
            low, high = self.min_chars, self.max_chars
            raise ConfigError(f"'min_chars' ({low}) is above 'max_chars' ({high}); lower it or raise the other.")

    def spans(
        self,
        text: str,
        sentences: SentenceSpans,
        starts: Ints1d,
        probabilities: Floats2d | None = None,
        places: Sequence[Ints1d] | None = None,
        lead: int = 0,
    ) -> SectionSpans:
        """Return the sections that begin with the sentences ``starts``; none for an empty text.

        ``places`` has the positions to cut long sections at, best ones first; None: sentences. What stands before
        ``lead`` is a section of its own.
        """
        edges = [0, *([lead] if lead else []), *sentences.begin[starts[starts > 0]].tolist(), len(text)] if text else []
        if self.max_chars is not None:
            edges = list(_cut(text, sentences, edges, self.max_chars, places))
        spans = SectionSpans.between(edges, sentences)
        if self.min_chars is None:
            return spans
        edges = join_short(spans, self.min_chars, self.max_chars or len(text), probabilities)
        return SectionSpans.between(edges, sentences)


def limit_lengths(
    text: str,
    sentences: SentenceSpans,
    starts: Ints1d,
    *,
    max_chars: int | None = None,
    min_chars: int | None = None,
    probabilities: Floats2d | None = None,
) -> SectionSpans:
    """Return the character spans of sections, within limits of length.

    Args:
        text: the document's text.
        sentences: its sentence spans.
        starts: int64 [sections], the first sentence of each, sorted, 0 first.
        max_chars: the most characters of a section; a longer one is cut between sentences, or else between words.
        min_chars: shorter sections join the neighbour that is more similar, unless the two are too long.
        probabilities: float32 [sentences, labels], which decide what is similar.

    Returns:
        Spans that cover the text without a gap; none for an empty text.
    """
    return Lengths(max_chars, min_chars).spans(text, sentences, starts, probabilities)


def _cut(
    text: str, sentences: SentenceSpans, edges: list[int], limit: int, places: Sequence[Ints1d] | None
) -> Iterator[int]:
    """Return the edges with more between them, so that none is more than ``limit`` after the one before."""
    yield from edges[:1]
    for begin, end in pairwise(edges):
        position = begin
        while end - position > limit:
            if places is None:
                best = _middle(sentences.begin, position, end, limit)
            else:
                best = cut_at(places, position, end, limit)
            position = best or _latest(text, sentences, position, limit)
            yield position
        yield end


def _middle(begins: Ints1d, position: int, end: int, limit: int) -> int | None:
    """Return the begin of a sentence nearest to the middle, if one leaves two parts that fit."""
    low, high = np.searchsorted(begins, [max(end - limit, position + 1), position + limit + 1])
    fitting = begins[low:high]
    return int(fitting[np.abs(2 * fitting - position - end).argmin()]) if len(fitting) else None


def _latest(text: str, sentences: SentenceSpans, position: int, limit: int) -> int:
    """Return the last place for a cut up to ``position + limit``, between sentences if there is one."""
    latest = position + limit
    sentence = int(np.searchsorted(sentences.begin, latest)) - 1
    if sentence < 0 or sentences.end[sentence] <= latest:
        return latest
    begin, end = int(sentences.begin[sentence]), int(sentences.end[sentence])
    only_space = text[position:begin].isspace() and end - begin > limit
    return begin if begin > position and not only_space else cut_inside(text, position, limit)
