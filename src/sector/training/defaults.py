"""What `sector train` learns with where nobody chose an encoder: that of a pretrained model, frozen, and boundaries."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from sector import datasets
from sector.runtime.installed import pretrained_encoder
from sector.text.language import detect_language

OPTIONS: Mapping[str, Any] = {
    "boundary": 1.0,
    "balance": 0.5,
    "flags": True,
    "flag_dropout": 0.3,
    "crop": 0.3,
    "dropout": 0.3,
    "learning_rate": 2e-3,
    "weight_decay": 0.01,
    "warmup": 20,
    "batch": 8,
    "epochs": 20,
}
"""Small data sets have few steps: they need small batches and a short warm-up."""
LOOKED_AT = 20
"""Documents whose language is looked at."""


def defaults(data: Path, record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of a recipe with what it does not say.

    Documents in a language without a pretrained encoder are read with Bloom filters. Raises DataError for data that
    cannot be read.
    """
    language = record.get("language") or _language(data)
    model = pretrained_encoder(language)
    if model is None:
        return {"encoder": "bloom", "boundary": OPTIONS["boundary"], **record, "language": language}
    options = {"encoder": "transformer", "encoder_options": {"model": model}, "language": language}
    return {**OPTIONS, **options, **record}


def _language(data: Path) -> str:
    """Return the language of the first documents."""
    documents = list(islice(datasets.read(data), LOOKED_AT))
    return (
        documents[0].language
        if documents and documents[0].language
        else detect_language("\n".join(document.text[:1000] for document in documents))
    )
