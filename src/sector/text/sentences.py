"""Sentence spans: where each sentence begins and ends, exact to the character."""

from __future__ import annotations

from dataclasses import dataclass

from sector.arrays import Bools1d, Ints1d


@dataclass(frozen=True, slots=True, eq=False)
class SentenceSpans:
    """The positions of a document's sentences, in order, as arrays of one length."""

    begin: Ints1d
    end: Ints1d
    paragraph_end: Bools1d
    """Whether a line break, or the end of the text, follows the sentence."""

    def __len__(self) -> int:
        return len(self.begin)


def split_sentences(text: str, language: str = "") -> SentenceSpans:
    """Split a text into sentences."""
    raise NotImplementedError
