"""What an encoder is: sentences in, one vector per sentence out; and how the rest of the way asks for them.

A new encoder is one file with a class of the protocol ``Encoder``, and an entry in ``sector.encoders.ENCODERS``. One
that pools over words needs to say little: ``sector.encoders.words.WordEncoder`` has the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeAlias

from sector.arrays import Floats2d, Ints1d
from sector.encoders.features import WordFeatures
from sector.encoders.sparse_rows import SparseRows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sector.training.config import TrainingConfig
    from sector.training.prepared import PreparedData
    from sector.training.readers import SentenceReader

EncoderSettings = dict[str, Any]
"""What an encoder keeps in a model's ``config.json``: JSON values only."""
Weights: TypeAlias = "Mapping[str, NDArray[np.float32]]"
"""Arrays by their names."""
Rows: TypeAlias = Callable[[], Floats2d]
"""Sentences whose words are found and whose rows are still to be computed."""


class InputLayer(Protocol):
    """The way from sentences to the network's graph at run time. Safe to use from several threads."""

    @property
    def projected(self) -> int | None:
        """How many columns the first matrix has; None without one, where sentences go to the graph as they are."""
        ...

    def looked_up(self, sentences: Sequence[str], flags: Floats2d | None = None) -> Rows:
        """Find the words now, and return what computes float32 [sentences, width], for another thread to call.

        ``flags`` are the structure flags of the same sentences, float32 [sentences, 5]; None without them.
        """
        ...


class Encoder(Protocol):
    """Turns sentences into vectors; whatever it learns it learns in ``fit`` or with the network."""

    name: ClassVar[str]
    sparse: ClassVar[bool]
    """Whether vectors are ``SparseRows``, which meet the network's first matrix outside the graph."""
    int8_network: ClassVar[bool]
    """Whether the network above it may compute in int8: the dimensions of its vectors are of about 1 in size."""
    reads_headings: ClassVar[bool]
    """Whether it can learn from headings as from sentences, and so be the tower of its own space: it reads pieces."""

    @property
    def pooling(self) -> str:
        """How the rows of the known words make a sentence's: by "sum", "clip" (a sum cut at 1), "mean" or "root".

        "none": the encoder reads the whole sentence.
        """
        ...

    @property
    def width(self) -> int:
        """How many columns a sentence's vector has."""
        ...

    def fit(self, documents: Iterable[Sequence[str]]) -> Self:
        """Learn from training documents, each given as the texts of its sentences, and return the encoder itself."""
        ...

    def tokenize(self, sentences: Sequence[str]) -> Sequence[Sequence[Any]]:
        """Return what the encoder reads of each sentence: its words, or the numbers of pieces of words."""
        ...

    def encode(self, sentences: Sequence[str]) -> SparseRows | Floats2d:
        """Return one row per sentence; a sentence's row does not depend on the others."""
        ...

    def encode_tokens(self, sentences: Sequence[Sequence[Any]]) -> SparseRows | Floats2d:
        """Return one row per sentence, each given as ``tokenize`` returns it."""
        ...

    def features(self, tokens: Sequence[Any]) -> tuple[WordFeatures, Ints1d]:
        """Return what training reads instead of words, and the row of each of these tokens in it.

        The rows are int64 [tokens]; −1 stands for a token that the encoder does not know.
        """
        ...

    @classmethod
    def reader(cls, data: PreparedData, config: TrainingConfig) -> SentenceReader:
        """Return the torch module that reads data prepared with an encoder of this kind."""
        ...

    @classmethod
    def is_frozen(cls, config: TrainingConfig) -> bool:
        """Return whether it is a frozen pretrained encoder, which reads every sentence once and is not trained."""
        ...

    def input_layer(self, matrix: Floats2d | None) -> InputLayer:
        """Return what a model runs; ``matrix`` [inputs, columns] is the network's first, for sparse vectors only."""
        ...

    def save(self, folder: Path, precision: str = "float16") -> EncoderSettings:
        """Write what training needs, vocabulary files for instance, and return the settings that ``load`` needs.

        ``precision`` is that of word vectors: "float16" or "int8".
        """
        ...

    def export(self, folder: Path, weights: Weights, precision: str) -> EncoderSettings:
        """Write the files of a model folder and return the settings of ``config.json``.

        ``weights`` are what training learned of the reader, under the names that they have in it; mostly none.
        ``precision`` is "float32", "float16" or "int8".
        """
        ...

    @classmethod
    def load(cls, folder: Path, settings: Mapping[str, Any]) -> Self:
        """Read what ``save`` or ``export`` wrote; raises ModelError for files that are missing or broken."""
        ...
