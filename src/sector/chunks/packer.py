"""Chooses the chunks of a document that a model has read, in place of the limits of sections in characters."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from sector.arrays import Bools1d, Ints1d
from sector.chunks.partition import Costs, partition
from sector.chunks.tokens import AnyTokenizer, TokenCounter, token_counter
from sector.chunks.units import Units, units_of
from sector.chunks.values import INSIDE_UNIT, Values, values_of
from sector.document import Document
from sector.errors import ConfigError
from sector.segmentation import Decoded, Reading, SectionSpans
from sector.text.sentences import SentenceSpans
from sector.values import is_number, is_whole
from sector.visible import brief

MOST = 1 << 40
"""Tokens of a chunk that numpy can reckon with."""
ROUNDS = 6
"""How often chunks are chosen again because one has more tokens than its sentences have one by one."""


@dataclass(frozen=True, slots=True)
class Packer:
    """The limits of chunks, checked when they are given."""

    max_tokens: int = 512
    """No chunk has more tokens."""
    tokenizer: AnyTokenizer = field(default=None, repr=False)
    overlap: int = 0
    """Sentences of the chunk before that a chunk repeats."""
    fill: float = 0.8
    """Mean share of ``max_tokens`` that the chunks of a long document should have."""
    count: TokenCounter = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", token_counter(self.tokenizer))
        for name, value, least in (("max_tokens", self.max_tokens, 1), ("overlap", self.overlap, 0)):
            if not is_whole(value, least):
                raise ConfigError(f"'{name}' is {brief(value)}; it must be a whole number, at least {least}.")
        if not (is_number(self.fill) and 0 <= self.fill <= 1):
            raise ConfigError(f"'fill' is {brief(self.fill)}; it must be between 0 and 1.")
        special = self.count([""])[0]
        if self.max_tokens <= special:
            raise ConfigError(
                f"'max_tokens' is {self.max_tokens}, but the tokenizer adds {special} special tokens to every text; "
                f"give at least {special + 1}."
            )

    def spans(self, document: Document, read: SentenceSpans, reading: Reading, found: Decoded) -> SectionSpans:
        """Return the chunks of a document without what they repeat, as spans of the sentences ``read``."""
        return SectionSpans.between(self.edges(document, reading, found), read)

    def edges(self, document: Document, reading: Reading, found: Decoded) -> list[int]:
        """Return where chunks begin, and the end of the text; for an empty text nothing."""
        text = document.text
        if not text or not len(document):
            return [0, len(text)] if text else []
        units = units_of(text, document.spans.begin, self.count, self.max_tokens)
        values = self._values(document, reading, found, units)
        factors = np.ones(len(units))
        for _ in range(ROUNDS):
            edges = self._chosen(units, values, factors)
            if not self._enlarge(text, units, edges, factors):
                return edges
        return _halved(text, edges, units, self.count, self.max_tokens)

    def _values(self, document: Document, reading: Reading, found: Decoded, units: Units) -> Values:
        values = values_of(document, _read(document), reading, found)[units.sentences]
        values[1:][units.sentences[1:] == units.sentences[:-1]] = INSIDE_UNIT
        return values

    def _chosen(self, units: Units, values: Values, factors: Values) -> list[int]:
        special = self.count([""])[0]
        sizes = np.ceil(np.maximum(units.sizes - special, 0) * factors).astype(np.int64)
        limit = min(self.max_tokens - special, MOST)
        sizes = np.minimum(sizes, limit)
        repeated = _repeated(sizes, units, self.overlap)
        begins = partition(Costs(sizes, repeated, values, limit, self.fill))
        return [*units.edges[begins].tolist(), int(units.edges[-1])]

    def _enlarge(self, text: str, units: Units, edges: list[int], factors: Values) -> bool:
        """Count the tokens of every chunk; let the units of those that have too many weigh more. Say if there are."""
        places = np.searchsorted(units.edges, edges)
        sizes = self.count([text[begin:end] for begin, end in pairwise(edges)])
        long = False
        for (first, last), size in zip(pairwise(places.tolist()), sizes, strict=True):
            if size > self.max_tokens and last - first > 1:
                factors[first:last] *= 1.02 * size / self.max_tokens
                long = True
        return long


def with_overlap(document: Document, begins: list[int], ends: list[int], packer: Packer) -> list[int]:
    """Return the begins moved back by the sentences that are repeated, as far as tokens and headings allow."""
    if not packer.overlap:
        return begins
    starts = document.spans.begin
    stops = _stops(document)
    found = begins[:1]
    for begin, end in zip(begins[1:], ends[1:], strict=True):
        place = int(np.searchsorted(starts, begin))
        least = max(place - packer.overlap, int(np.searchsorted(starts, found[-1])) + 1)
        candidates = [begin] if begin in stops else [int(starts[i]) for i in range(least, place)] + [begin]
        sizes = packer.count([document.text[candidate:end] for candidate in candidates[:-1]])
        fitting = [c for c, size in zip(candidates, sizes, strict=False) if size <= packer.max_tokens]
        found.append(fitting[0] if fitting else begin)
    return found


def _stops(document: Document) -> set[int]:
    """Return where the author's sections begin: nothing is repeated over a heading."""
    entries = document.constraints.entries if document.constraints else ()
    return {document.blocks[entry.block].begin for entry in entries}


def _repeated(sizes: Ints1d, units: Units, overlap: int) -> Ints1d:
    """Return the tokens of the sentences before each unit that a chunk which begins there repeats."""
    edges = np.concatenate([[0], np.cumsum(sizes)])[:-1]
    found: Ints1d = edges - edges[np.searchsorted(units.sentences, units.sentences - min(overlap, MOST))]
    found[1:][units.sentences[1:] == units.sentences[:-1]] = 0
    return found


def _read(document: Document) -> Bools1d:
    if document.constraints is None:
        return np.ones(len(document), np.bool_)
    return document.constraints.read


def _halved(text: str, edges: list[int], units: Units, count: TokenCounter, limit: int) -> list[int]:
    """Return the edges with more between those of chunks that are still too long."""
    found = edges[:1]
    waiting = list(pairwise(edges))[::-1]
    while waiting:
        begin, end = waiting.pop()
        inner = units.edges[(units.edges > begin) & (units.edges < end)]
        if len(inner) and count([text[begin:end]])[0] > limit:
            middle = int(inner[len(inner) // 2])
            waiting += [(middle, end), (begin, middle)]
        else:
            found.append(end)
    return found
