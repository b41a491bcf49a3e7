"""What pretrained encoders have in common, before training and after: how they cut a sentence into pieces."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from sector.arrays import Floats2d, Ints1d
from sector.atomic import write_json
from sector.encoders import pieces
from sector.encoders.base import EncoderSettings, InputLayer
from sector.encoders.features import WordFeatures
from sector.encoders.files import read_model_file
from sector.encoders.inputs import TokenInput
from sector.encoders.pieces import Tokenizer
from sector.errors import ModelError

EXPORTED = "transformer"
"""The name of an encoder that is a graph: what the settings of every model say."""
GRAPH, ARCHITECTURE = "encoder.onnx", "architecture.json"
PIECES, VECTORS = "pieces", "vectors"
"""The graph's input int64 [1, pieces] and its output float32 [1, width]."""
NUMBERS = ("tokens", "width", "begin", "end")
"""EncoderSettings that are integers."""


@dataclass(frozen=True, slots=True, eq=False)
class EncoderShape:
    """All that is known of a pretrained encoder without its weights."""

    source: str
    """Its name, for the model card."""
    tokens: int
    """Most pieces of a sentence that are read."""
    width: int
    begin: int
    """The piece before a sentence."""
    end: int
    """The piece after it."""
    architecture: Mapping[str, Any]
    """Hugging Face's configuration."""
    tokenizer: Tokenizer

    def save(self, folder: Path) -> EncoderSettings:
        """Write the architecture and the tokenizer, and return the settings that ``load`` needs."""
        write_json(folder / ARCHITECTURE, self.architecture)
        kept = {name: getattr(self, name) for name in NUMBERS}
        return {"source": self.source, **kept, "spelling": pieces.save(self.tokenizer, folder)}

    @classmethod
    def load(cls, folder: Path, settings: Mapping[str, Any]) -> EncoderShape:
        """Read what ``save`` wrote; raises ModelError for settings or files that are missing or broken."""
        for name in NUMBERS:
            if not isinstance(settings.get(name), int):
                raise ModelError(f"The encoder in the model's config.json is broken: '{name}' must be a whole number.")
        return cls(
            source=str(settings.get("source", "")),
            **{name: settings[name] for name in NUMBERS},
            architecture=read_json(folder / ARCHITECTURE),
            tokenizer=pieces.load(folder, settings.get("spelling") or {}),
        )


class PieceEncoder:
    """An encoder that reads the pieces of whole sentences."""

    sparse: ClassVar[bool] = False
    int8_network: ClassVar[bool] = False
    reads_headings: ClassVar[bool] = False
    pooling: ClassVar[str] = "none"

    def __init__(self, shape: EncoderShape) -> None:
        self.shape = shape

    @property
    def width(self) -> int:
        """The size of a vector."""
        return self.shape.width

    def fit(self, documents: Iterable[Sequence[str]]) -> Self:
        """Learn nothing: what there is to learn is learned with the network."""
        return self

    def tokenize(self, sentences: Sequence[str]) -> list[list[int]]:
        """Return the pieces of each sentence that are read, without begin and end."""
        return [numbers[: self.shape.tokens] for numbers in self.shape.tokenizer.numbers(sentences)]

    def encode(self, sentences: Sequence[str]) -> Floats2d:
        """Return float32 [sentences, width]."""
        return self.encode_tokens(self.tokenize(sentences))

    def encode_tokens(self, sentences: Sequence[Sequence[int]]) -> Floats2d:
        """Return float32 [sentences, width] of sentences that are given as their pieces."""
        raise NotImplementedError

    def features(self, tokens: Sequence[int]) -> tuple[WordFeatures, Ints1d]:
        """Return no features: pieces have their numbers already."""
        return WordFeatures(self.pooling, self.width), np.array(tokens, np.int64)

    def input_layer(self, matrix: Floats2d | None) -> InputLayer:
        """Return the layer that encodes whole sentences."""
        return TokenInput(self)


def read_json(path: Path) -> dict[str, Any]:
    """Return the JSON object of a model's file; raises ModelError for one that is missing or broken."""
    try:
        record = json.loads(read_model_file(path))
    except (ValueError, RecursionError) as error:
        raise ModelError(f"The model's file {path} cannot be read ({error}); fetch it again.") from error
    if not isinstance(record, dict):
        raise ModelError(f"The model's file {path} is broken: it is not a JSON object.")
    return record
