"""Text to sentences and tokens: the first step of a document's way."""

from sector.text.sentences import SentenceSpans, split_sentences
from sector.text.stopwords import STOP_WORDS, stop_words
from sector.text.tokens import tokenize

__all__ = ["STOP_WORDS", "SentenceSpans", "split_sentences", "stop_words", "tokenize"]
