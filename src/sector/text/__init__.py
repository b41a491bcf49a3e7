"""Text to sentences and tokens: the first step of a document's way."""

from sector.text.sentences import SentenceSpans, split_sentences

__all__ = ["SentenceSpans", "split_sentences"]
