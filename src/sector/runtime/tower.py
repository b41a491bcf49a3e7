"""The text tower: any phrase, description or query as a vector in the space of sections and headings."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from sector import encoders
from sector.arrays import Floats1d, Floats2d
from sector.encoders.base import Encoder
from sector.errors import DataError, ModelError
from sector.runtime.guard import guarded
from sector.text.sentences import split_sentences

KEPT = 4096
"""Texts whose vectors are kept: the labels of many documents are embedded once."""
LONGEST = 2000
"""Characters of a text that is kept."""
SENTENCES = 512
"""Of one text, at most, that count for its vector."""


class TextTower:
    """A sentence encoder and a linear layer; the encoder is loaded when it is first used.

    Safe to use from several threads.
    """

    def __init__(
        self,
        folder: Path,
        encoder: Mapping[str, Any],
        projection: Floats2d,
        bias: Floats1d,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """``projection`` [width, d] and ``bias`` [d] follow the encoder; ``check`` looks at its files before."""
        self._folder, self._settings, self._check = folder, dict(encoder), check
        self._projection, self._bias = projection, bias
        self._encoder: Encoder | None = None
        self._lock = Lock()
        self._kept: OrderedDict[str, Floats1d] = OrderedDict()

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return len(self._bias)

    def embed(self, texts: Sequence[str]) -> Floats2d:
        """Return float32 [texts, d], each row of length 1; zeros for a text without any word.

        Of several sentences it is the mean. Raises DataError for what is no text, ModelError for a broken encoder.
        """
        for text in texts:
            if not isinstance(text, str):
                raise DataError(f"A text is expected, not {type(text).__name__}; give a list of str.")
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        with self._lock:
            new = [text for text in dict.fromkeys(texts) if text not in self._kept]
            found = dict(zip(new, self._vectors(new), strict=True)) if new else {}
            rows = np.stack([found[text] if text in found else self._kept[text] for text in texts])
            self._keep(found)
        return rows

    def _keep(self, found: Mapping[str, Floats1d]) -> None:
        self._kept.update((text, row) for text, row in found.items() if len(text) <= LONGEST)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def _vectors(self, texts: Sequence[str]) -> list[Floats1d]:
        """Encode the sentences of all texts together."""
        sentences = [_sentences(text) for text in texts]
        rows = self._projected([sentence for found in sentences for sentence in found])
        ends = np.cumsum([len(found) for found in sentences])
        means = [rows[end - len(found) : end].sum(axis=0) for found, end in zip(sentences, ends, strict=True)]
        return [_unit(mean) for mean in means]

    def _projected(self, sentences: Sequence[str]) -> Floats2d:
        if not sentences:
            return np.zeros((0, self.dimensions), np.float32)
        with guarded(self._folder):
            rows = self._loaded().encode(sentences)
        assert isinstance(rows, np.ndarray)
        return np.stack([_unit(row) for row in rows @ self._projection + self._bias])

    def _loaded(self) -> Encoder:
        if self._encoder is None:
            self._check()
            encoder = encoders.load(self._folder, self._settings)
            if encoder.sparse or encoder.width != len(self._projection):
                raise ModelError(
                    f"{self._folder} is mixed up: its encoder gives {encoder.width} values, its projection takes "
                    f"{len(self._projection)}; fetch it again."
                )
            self._encoder = encoder
        return self._encoder


def _sentences(text: str) -> list[str]:
    """Return the sentences that are read of a text; a phrase is one."""
    if not text.strip():
        return []
    if len(text) <= 200 and "\n" not in text:
        return [text]
    spans = split_sentences(text)
    edges = zip(spans.begin.tolist()[:SENTENCES], spans.end.tolist()[:SENTENCES], strict=True)
    return [text[begin:end] for begin, end in edges]


def _unit(row: Floats1d) -> Floats1d:
    return np.asarray(row / max(float(np.linalg.norm(row)), 1e-9), np.float32)
