"""Counting tokens: with any tokenizer that people have, or with an estimate that common ones stay below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

from sector.chunks.estimate import estimated_tokens
from sector.errors import ConfigError
from sector.visible import brief

AnyTokenizer: TypeAlias = Any
"""A function from a text to a number or to tokens, an object of tokenizers, transformers or tiktoken, or None."""


class TokenCounter(Protocol):
    """Says how many tokens texts have."""

    def __call__(self, texts: Sequence[str]) -> list[int]:
        """Return the number of tokens of each text, special tokens included."""
        ...


def token_counter(tokenizer: AnyTokenizer = None) -> TokenCounter:
    """Return what counts the tokens of texts.

    Args:
        tokenizer: a function that returns the number of tokens of a text, or the tokens; a ``tokenizers.Tokenizer``, a
            tokenizer of ``transformers`` or an encoding of ``tiktoken``, which count what their ``encode`` returns,
            special tokens included and never truncated; None for an estimate that needs no vocabulary.

    Raises: ConfigError for anything else.
    """
    if tokenizer is None:
        return lambda texts: [estimated_tokens(text) for text in texts]
    if hasattr(tokenizer, "encode_ordinary"):
        return lambda texts: [len(tokenizer.encode_ordinary(text)) for text in texts]
    if hasattr(tokenizer, "encode_batch") and hasattr(tokenizer, "no_truncation"):
        return _of_tokenizers(tokenizer)
    if hasattr(tokenizer, "convert_ids_to_tokens") and callable(tokenizer):
        return _of_transformers(tokenizer)
    if isinstance(tokenizer, str) or not (callable(tokenizer) or hasattr(tokenizer, "encode")):
        raise ConfigError(
            f"The tokenizer is {brief(tokenizer)}; give a function that counts tokens, an object of tokenizers, "
            "transformers or tiktoken, or None for an estimate."
        )
    return _of_function(tokenizer if callable(tokenizer) else tokenizer.encode)


def _of_tokenizers(tokenizer: Any) -> TokenCounter:
    """Count with a copy that neither truncates nor pads; the caller's keeps its settings."""
    own = type(tokenizer).from_str(tokenizer.to_str())
    own.no_truncation()
    own.no_padding()
    return lambda texts: [len(encoding.ids) for encoding in own.encode_batch(list(texts))]


def _of_transformers(tokenizer: Any) -> TokenCounter:
    def count(texts: Sequence[str]) -> list[int]:
        if not texts:
            return []
        rows = tokenizer(list(texts), truncation=False, padding=False, verbose=False)["input_ids"]
        return [len(row) for row in rows]

    return count


def _of_function(function: Callable[[str], Any]) -> TokenCounter:
    def count(texts: Sequence[str]) -> list[int]:
        return [_number(function(text)) for text in texts]

    return count


def _number(found: Any) -> int:
    """Return a number of tokens, from that number or from the tokens."""
    try:
        count = int(found) if hasattr(found, "__index__") else len(found)
    except TypeError:
        raise ConfigError(
            f"The tokenizer returned {type(found).__name__}; it must return a number of tokens, or the tokens."
        ) from None
    if count < 0:
        raise ConfigError(f"The tokenizer returned {count} tokens; a number of tokens is at least 0.")
    return count
