"""Sentences as stems: what the lexical methods count. Stop words and words without a letter are left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from sector.arrays import Ints1d
from sector.document import Document
from sector.errors import MissingExtraError
from sector.text.stopwords import stop_words
from sector.text.tokens import tokenize

SNOWBALL = {"de": "german", "pt": "portuguese", "fr": "french", "es": "spanish", "it": "italian", "nl": "dutch"}
"""Languages with a stemmer in nltk beside English, which has Porter's, as the authors of C99 and BayesSeg used."""


@dataclass(frozen=True, slots=True, eq=False)
class Stems:
    """The stems of a document as numbers, sentence after sentence."""

    numbers: Ints1d
    """[stems]"""
    sentence: Ints1d
    """[stems] the sentence of each"""
    sentences: int
    size: int
    """How many different stems there are."""

    def counts(self) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        """Return float64 [sentences, size]: how often each stem occurs in each sentence."""
        table = np.zeros((self.sentences, self.size))
        np.add.at(table, (self.sentence, self.numbers), 1)
        return table


def stems_of(document: Document, language: str = "") -> Stems:
    """Split the sentences into stems; a language that is not known to the stemmer keeps its words."""
    code = document.language or language or "en"
    found = [content_stems(sentence, code) for sentence in document.sentence_texts]
    return number(found)


def content_stems(sentence: str, language: str) -> list[str]:
    """Return the stems of a sentence without stop words."""
    ignored, stem = stop_words(language), stemmer(language)
    return [stem(word) for word in tokenize(sentence) if word not in ignored and word != "#"]


def number(sentences: Sequence[Sequence[str]]) -> Stems:
    """Number the stems of sentences in the order in which they are met."""
    places: dict[str, int] = {}
    numbers = [places.setdefault(stem, len(places)) for stems in sentences for stem in stems]
    sentence = np.repeat(np.arange(len(sentences)), [len(stems) for stems in sentences])
    return Stems(np.array(numbers, np.int64), sentence, len(sentences), len(places))


@cache
def stemmer(language: str) -> Callable[[str], str]:
    """Return the stemmer of a language, which remembers words; the word itself where there is none."""
    if language != "en" and language not in SNOWBALL:
        return str
    try:
        from nltk.stem import PorterStemmer, SnowballStemmer
    except ImportError as error:
        raise MissingExtraError("nltk", "baselines") from error
    made = (
        PorterStemmer(mode=PorterStemmer.ORIGINAL_ALGORITHM)
        if language == "en"
        else SnowballStemmer(SNOWBALL[language])
    )
    return lru_cache(maxsize=2**17)(made.stem)
