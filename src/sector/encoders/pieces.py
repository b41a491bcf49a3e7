"""Which pieces an encoder reads: its tokenizer, chosen from what Hugging Face's ``tokenizer.json`` says.

Word pieces of the BERT kind are cut by our own code and kept as ``vocab.txt``. All other kinds (sentence pieces, byte
pairs) are kept as ``tokenizer.json`` and need the package ``tokenizers`` wherever the model runs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from sector.encoders.files import read_words, write_words
from sector.encoders.wordpiece import Spelling, WordPieces
from sector.errors import MissingExtraError, ModelError

VOCABULARY, DESCRIPTION = "vocab.txt", "tokenizer.json"


class Tokenizer(Protocol):
    """Cuts sentences into the numbers of their pieces, without those that mark begin and end."""

    def numbers(self, sentences: Sequence[str]) -> list[list[int]]:
        """Return each sentence's pieces."""
        ...


class DescribedPieces:
    """Any tokenizer that ``tokenizer.json`` describes. Safe to use from several threads."""

    def __init__(self, description: str) -> None:
        self.description = description
        try:
            from tokenizers import Tokenizer as Described
        except ImportError as error:
            raise MissingExtraError("tokenizers", "transformer") from error
        try:
            self._tokenizer = Described.from_str(description)
        except Exception as error:  # tokenizers raises the bare class
            raise ModelError(f"The model's {DESCRIPTION} is broken ({error}); fetch the model again.") from error
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def numbers(self, sentences: Sequence[str]) -> list[list[int]]:
        """Return each sentence's pieces; halves of characters, which no encoding has, become a question mark."""
        texts = [sentence.encode("utf-8", "replace").decode("utf-8") for sentence in sentences]
        return [found.ids for found in self._tokenizer.encode_batch(texts, add_special_tokens=False)]


def from_description(description: str) -> Tokenizer:
    """Make the tokenizer of a ``tokenizer.json``: our own where it can be."""
    record = json.loads(description)
    spelling = _spelling(record)
    if spelling is None:
        return DescribedPieces(description)
    numbers: Mapping[str, int] = record["model"]["vocab"]
    return WordPieces(sorted(numbers, key=numbers.__getitem__), spelling)


def _spelling(record: Mapping[str, Any]) -> Spelling | None:
    """Read the options of BERT's word pieces; None for another kind, or for numbers with gaps."""
    parts = {name: record.get(name) or {} for name in ("normalizer", "pre_tokenizer", "model")}
    normalizer, model = parts["normalizer"], parts["model"]
    kinds = tuple(part.get("type") for part in parts.values())
    if kinds != ("BertNormalizer", "BertPreTokenizer", "WordPiece") or not normalizer.get("clean_text"):
        return None
    vocabulary = model["vocab"]
    if sorted(vocabulary.values()) != list(range(len(vocabulary))) or any(map(_breaks, vocabulary)):
        return None
    stripped = normalizer["strip_accents"]
    return Spelling(
        lower=normalizer["lowercase"],
        strip_accents=normalizer["lowercase"] if stripped is None else stripped,
        ideographs=normalizer["handle_chinese_chars"],
        unknown=model["unk_token"],
        prefix=model["continuing_subword_prefix"],
        longest=model["max_input_chars_per_word"],
    )


def _breaks(piece: str) -> bool:
    return "\n" in piece


def save(tokenizer: Tokenizer, folder: Path) -> dict[str, Any]:
    """Write the tokenizer's file and return the settings that ``load`` needs."""
    if isinstance(tokenizer, WordPieces):
        write_words(folder / VOCABULARY, tokenizer.vocabulary)
        return tokenizer.spelling.to_dict()
    assert isinstance(tokenizer, DescribedPieces)
    write_words(folder / DESCRIPTION, [json.dumps(json.loads(tokenizer.description), ensure_ascii=False)])
    return {}


def load(folder: Path, settings: Mapping[str, Any]) -> Tokenizer:
    """Read what ``save`` wrote; raises ModelError for files that are missing or broken."""
    if settings:
        try:
            return WordPieces(read_words(folder / VOCABULARY), Spelling(**settings))
        except TypeError as error:
            raise ModelError(f"The spelling in the model's config.json is broken: {error}.") from error
    return DescribedPieces("".join(read_words(folder / DESCRIPTION)))
