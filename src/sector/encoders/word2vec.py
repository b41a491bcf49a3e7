"""Train word vectors on the documents at hand: word2vec (CBOW) as in the paper, or FastText, both by gensim.

FastText (Bojanowski et al. 2017) makes a word's vector from those of its parts, too: a word that is rare in the
documents, as most compounds and inflected forms of German are, has a useful one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from sector.encoders.vectors import WordVectors
from sector.errors import DataError, MissingExtraError
from sector.text.tokens import tokenize

LARGE = 2**24
"""Bytes of a file that threads read by themselves, without Python's lock. They divide it, and learn little from a small
one."""
PARTS = 2**18
"""Vectors of parts of words; two parts of three to six letters may share one."""


def train(
    documents: Iterable[Sequence[str]],
    dimensions: int = 256,
    window: int = 7,
    epochs: int = 8,
    min_count: int = 3,
    seed: int = 1,
    workers: int = 2,
    *,
    subwords: bool = False,
) -> WordVectors:
    """Train on documents, each given as the texts of its sentences; with FastText if there are to be ``subwords``.

    The same seed gives the same vectors with one worker only.
    """
    with token_file(documents) as file:
        return train_on_file(file, dimensions, window, epochs, min_count, seed, workers, subwords=subwords)


def train_on_file(
    file: Path,
    dimensions: int,
    window: int,
    epochs: int,
    min_count: int,
    seed: int,
    workers: int,
    *,
    subwords: bool = False,
) -> WordVectors:
    """Train on a file with a sentence per line and spaces between its words."""
    models = _gensim()
    text = os.fspath(file)
    large = file.stat().st_size > LARGE
    source = {"corpus_file": text} if large else {"corpus_iterable": models.word2vec.LineSentence(text)}
    options = {
        "vector_size": dimensions,
        "window": window,
        "min_count": min_count,
        "seed": seed,
        "workers": workers,
        "sg": 0,
        "negative": 10,
    }
    model = models.FastText(bucket=PARTS, **options) if subwords else models.Word2Vec(**options)
    model.build_vocab(**source)
    if not len(model.wv):
        raise DataError(f"No word occurs {min_count} times in the documents; lower 'min_count'.")
    sizes = {"total_examples": model.corpus_count, "total_words": model.corpus_total_words}
    model.train(**source, epochs=epochs, **sizes)
    words = list(model.wv.index_to_key)
    counts = np.array([model.wv.get_vecattr(word, "count") for word in words], np.int64)
    return WordVectors(words, np.asarray(model.wv.vectors, np.float32), counts)


@contextmanager
def token_file(documents: Iterable[Sequence[str]]) -> Iterator[Path]:
    """Write the words of all sentences to a temporary file, a line per sentence, to save memory."""
    with TemporaryDirectory(prefix="sector-") as folder:
        path = Path(folder) / "sentences.txt"
        with path.open("w", encoding="utf-8", errors="surrogatepass") as file:
            for sentences in documents:
                file.writelines(" ".join(tokenize(sentence)) + "\n" for sentence in sentences)
        yield path


def _gensim() -> Any:
    try:
        from gensim import models
    except ImportError as error:
        raise MissingExtraError("gensim", "train") from error
    return models
