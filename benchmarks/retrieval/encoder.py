"""Sentence embeddings of a Hugging Face folder such as all-MiniLM-L6-v2's, kept on disk by their texts."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from sector.arrays import Floats2d
from sector.errors import ConfigError

LONGEST = 256
"""Tokens that are read of a text, as sentence-transformers does with this encoder; the rest has no part in it."""
BATCH = 32


class TextEncoder:
    """Mean of the last layer, of length 1; computed in bfloat16."""

    def __init__(self, folder: Path, cache: Path) -> None:
        if not (folder / "tokenizer.json").is_file():
            raise ConfigError(f"{folder} is no folder of an encoder: it has no tokenizer.json. Give --encoder.")
        cache.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._kept = sqlite3.connect(cache / "embeddings.sqlite", timeout=60)
        self._kept.execute("CREATE TABLE IF NOT EXISTS vectors (text TEXT PRIMARY KEY, vector BLOB)")

    @cached_property
    def tokenizer(self) -> Any:
        """The encoder's own, untruncated and without special tokens: what lengths are measured with."""
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    def count(self, text: str) -> int:
        """Return the tokens of a text."""
        return len(self.tokenizer.encode(text, add_special_tokens=False).ids)

    def __call__(self, texts: Sequence[str]) -> Floats2d:
        """Return float32 [texts, d]."""
        keys = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        known = self._known(keys)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        for rows in self._encoded(new):
            self._kept.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows.items())
            self._kept.commit()
            known |= rows
        return np.stack([np.frombuffer(known[key], np.float32) for key in keys])

    def _known(self, keys: Sequence[str]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for part in parts(list(dict.fromkeys(keys)), 500):
            marks = ", ".join("?" * len(part))
            found |= dict(self._kept.execute(f"SELECT text, vector FROM vectors WHERE text IN ({marks})", part))
        return found

    def _encoded(self, texts: dict[str, str]) -> Iterator[dict[str, bytes]]:
        """Return the vectors of texts by key, batch by batch of similar length."""
        ids = {key: self.tokenizer.encode(text).ids for key, text in texts.items()}
        for keys in parts(sorted(ids, key=lambda key: len(ids[key])), BATCH):
            vectors = self._pooled([_cut(ids[key]) for key in keys])
            yield {key: vector.tobytes() for key, vector in zip(keys, vectors, strict=True)}

    def _pooled(self, rows: list[list[int]]) -> Floats2d:
        import torch

        longest = max(map(len, rows))
        mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
            states = self._network(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        means = (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        vectors: Floats2d = torch.nn.functional.normalize(means).numpy()
        return vectors

    @cached_property
    def _network(self) -> Any:
        from transformers import AutoModel

        return AutoModel.from_pretrained(self._folder, local_files_only=True).eval()


def _cut(ids: list[int]) -> list[int]:
    return ids if len(ids) <= LONGEST else [*ids[: LONGEST - 1], ids[-1]]


def parts(keys: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (keys[place : place + size] for place in range(0, len(keys), size))
