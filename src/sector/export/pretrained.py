"""A pretrained encoder of Hugging Face, by folder or by name: its shape, its tokenizer and its weights."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector.encoders import pieces
from sector.encoders.pieces import Tokenizer
from sector.errors import ConfigError, MissingExtraError, ModelError

LAYERS = "num_hidden_layers"
LEFT_OUT = ("_name_or_path", "transformers_version", "torch_dtype", "dtype", "architectures")
"""Of an encoder's configuration: where it was, and what does not change its shape."""


@dataclass(frozen=True, slots=True, eq=False)
class Pretrained:
    """What is known of an encoder without its weights."""

    architecture: Mapping[str, Any]
    """Hugging Face's configuration"""
    tokenizer: Tokenizer
    begin: int
    """The piece before a sentence."""
    end: int
    """The piece after it."""

    @property
    def width(self) -> int:
        """The size of a vector."""
        return int(self.architecture["hidden_size"])

    @property
    def longest(self) -> int:
        """Most pieces that it has places for; two are begin and end, and some kinds leave two more unused."""
        return int(self.architecture.get("max_position_embeddings") or 2**15) - 4


def describe(source: str | Path, layers: Sequence[int] = ()) -> Pretrained:
    """Read an encoder's configuration and tokenizer; a name is looked for on Hugging Face's hub.

    Only these ``layers`` of it are wanted, by their numbers from 0; none: all. Raises ConfigError for others.
    """
    transformers = _transformers()
    with _readable(source):
        config = transformers.AutoConfig.from_pretrained(source)
        found = transformers.AutoTokenizer.from_pretrained(source)
    around = found("")["input_ids"]
    if not getattr(found, "is_fast", False) or len(around) != 2:
        raise ConfigError(
            f"The tokenizer of '{source}' cannot be used: it puts {len(around)} pieces around a text, or is slow. "
            "Choose an encoder that marks the begin and the end of a text."
        )
    architecture = _architecture(config)
    if layers:
        _check_layers(layers, architecture)
        architecture[LAYERS] = len(layers)
    tokenizer = pieces.from_description(found.backend_tokenizer.to_str())
    return Pretrained(architecture, tokenizer, begin=int(around[0]), end=int(around[1]))


def _architecture(config: Any) -> dict[str, Any]:
    record = {name: value for name, value in config.to_dict().items() if name not in LEFT_OUT}
    record["hidden_size"] = int(config.hidden_size)
    return dict(json.loads(json.dumps(record, default=str)))


def load_weights(source: str | Path) -> Any:
    """Load an encoder with its weights, without its pooling layer."""
    transformers = _transformers()
    with _readable(source), _quietly(transformers):
        try:
            return transformers.AutoModel.from_pretrained(source, add_pooling_layer=False)
        except TypeError:  # an encoder that has no pooling layer to leave out
            return transformers.AutoModel.from_pretrained(source)


def _check_layers(layers: Sequence[int], architecture: Mapping[str, Any]) -> None:
    count = int(architecture.get(LAYERS) or 0)
    if architecture.get("model_type") != "bert":
        raise ConfigError("The option 'layers' is for encoders of the kind BERT; leave it out.")
    numbers = isinstance(layers, Sequence) and all(type(layer) is int and 0 <= layer < count for layer in layers)
    if not numbers or len(set(layers)) < len(layers):
        raise ConfigError(f"The option 'layers' must be different numbers from 0 to {count - 1}, not {layers!r}.")


def copy_weights(source: str | Path, folder: Path, layers: Sequence[int] = ()) -> None:
    """Write an encoder's configuration and weights to a folder, from which it can be loaded without a network.

    Of its layers only ``layers`` are kept, if there are any.
    """
    model = load_weights(source)
    if layers:
        model.encoder.layer = type(model.encoder.layer)(model.encoder.layer[number] for number in layers)
        model.config.num_hidden_layers = len(layers)
    with _quietly(_transformers()):
        model.save_pretrained(folder)


def build(architecture: Mapping[str, Any]) -> Any:
    """Make an encoder of this shape whose weights are yet to be set."""
    transformers = _transformers()
    options = {name: value for name, value in architecture.items() if name != "model_type"}
    try:
        config = transformers.AutoConfig.for_model(architecture["model_type"], **options)
        try:
            return transformers.AutoModel.from_config(config, add_pooling_layer=False)
        except TypeError:
            return transformers.AutoModel.from_config(config)
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(f"There is no encoder of the shape that the model describes: {error}") from error


def with_weights(architecture: Mapping[str, Any], weights: Mapping[str, NDArray[np.float32]]) -> Any:
    """Make an encoder of this shape with these weights; raises ModelError if some of them are missing."""
    model = build(architecture)
    missing = {name for name, _ in model.named_parameters()} - set(weights)
    if missing:
        raise ModelError(f"The weights do not belong to this encoder: {len(missing)} are missing; train again.")
    import torch

    model.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in weights.items()}, strict=False)
    return model


@contextmanager
def _readable(source: str | Path) -> Iterator[None]:
    """Turn an error of Hugging Face's packages into a ModelError that names the encoder."""
    try:
        yield
    except (OSError, ValueError, KeyError) as error:
        reason = str(error).strip().split("\n")[0]
        raise ModelError(f"There is no encoder to be loaded from '{source}': {reason}") from error


@contextmanager
def _quietly(transformers: Any) -> Iterator[None]:
    """Keep reports of unused weights and progress bars off the terminal."""
    logging = transformers.utils.logging
    before, shown = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(before)
        if shown:
            logging.enable_progress_bar()


def _transformers() -> Any:
    try:
        import torch  # noqa: F401
        import transformers
    except ImportError as error:
        raise MissingExtraError(str(error.name), "transformer") from error
    return transformers
