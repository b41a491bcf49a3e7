"""A pretrained encoder of Hugging Face that is trained on with the network, and its way into a model folder.

Before training it is a copy of Hugging Face's files (``config.json``, ``model.safetensors``) beside the prepared data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from sector.arrays import Floats2d
from sector.encoders.base import EncoderSettings, Weights
from sector.encoders.piece_encoder import EXPORTED, GRAPH, EncoderShape, PieceEncoder
from sector.errors import ConfigError

if TYPE_CHECKING:
    from sector.training.config import TrainingConfig
    from sector.training.prepared import PreparedData
    from sector.training.readers import SentenceReader

MODEL = "model."
"""How the names of an encoder's weights begin in its reader."""


class HuggingFaceEncoder(PieceEncoder):
    """What training reads and changes. It encodes nothing by itself."""

    name: ClassVar[str] = "hugging_face"
    reads_headings: ClassVar[bool] = True

    def __init__(self, shape: EncoderShape, weights_at: str | Path, layers: Sequence[int] = ()) -> None:
        super().__init__(shape)
        self._weights_at, self._layers = weights_at, layers

    @classmethod
    def of(cls, model: str | Path, tokens: int, layers: Sequence[int] = ()) -> Self:
        """Describe an encoder by its folder or its name on Hugging Face's hub; raises ModelError for neither.

        Of its ``layers`` only those of these numbers are kept, if there are any.
        """
        from sector.export.pretrained import describe

        found = describe(model, layers)
        if tokens > found.longest:
            raise ConfigError(f"The option 'tokens' is {tokens}; the encoder '{model}' reads {found.longest} at most.")
        ends = {"begin": found.begin, "end": found.end, "width": found.width, "tokens": tokens}
        shape = EncoderShape(Path(model).name, **ends, architecture=found.architecture, tokenizer=found.tokenizer)
        return cls(shape, model, layers)

    def encode_tokens(self, sentences: Sequence[Sequence[int]]) -> Floats2d:
        """Refuse: its vectors are what training is about to change."""
        raise ConfigError("The encoder 'transformer' can be used when it has been exported: train a model first.")

    @classmethod
    def reader(cls, data: PreparedData, config: TrainingConfig) -> SentenceReader:
        """Return the encoder as a torch module."""
        from sector.export.pretrained import load_weights
        from sector.training.transformer import TransformerReader

        settings = data.about["encoder"]
        ends = {"begin": settings["begin"], "end": settings["end"]}
        options = {"checkpointing": config.checkpointing, "frozen": config.frozen}
        return TransformerReader(load_weights(data.encoder_folder), **ends, **options)

    @classmethod
    def is_frozen(cls, config: TrainingConfig) -> bool:
        """Frozen if the configuration says so."""
        return config.frozen

    def save(self, folder: Path, precision: str = "float16") -> EncoderSettings:
        """Write what training needs: Hugging Face's files, as they are."""
        from sector.export.pretrained import copy_weights

        copy_weights(self._weights_at, folder, self._layers)
        return {"name": self.name, **self.shape.save(folder)}

    def export(self, folder: Path, weights: Weights, precision: str) -> EncoderSettings:
        """Write the graph that ``TransformerEncoder`` runs, of these weights or, without any, the pretrained ones."""
        from sector.export.onnx_export import write_graph
        from sector.export.pretrained import load_weights, with_weights

        own = {name.removeprefix(MODEL): value for name, value in weights.items()}
        model = with_weights(self.shape.architecture, own) if own else load_weights(self._weights_at)
        write_graph(folder / GRAPH, model, self.shape.tokens + 2, precision)
        return {"name": EXPORTED, **self.shape.save(folder)}

    @classmethod
    def load(cls, folder: Path, settings: Mapping[str, Any]) -> Self:
        """Read what ``save`` wrote; raises ModelError for files that are missing or broken."""
        return cls(EncoderShape.load(folder, settings), folder)
