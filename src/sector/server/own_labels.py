"""Labels of a client's own: the model that takes them, and vectors that are computed once for many requests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import orjson

from sector.runtime import Model
from sector.server.errors import InvalidRequestError

LabelPairs = tuple[tuple[str, str], ...]
"""Names with their descriptions, in the order of the request; none: the model's own labels."""
KEPT = 32
"""Sets of labels whose vectors are kept."""


class LabelledModels:
    """The configured models, with labels of a client's own where it gave any."""

    def __init__(self, models: Mapping[str, Model]) -> None:
        self._models = models
        self._labelled = lru_cache(KEPT)(self._with_labels)

    def name(self, asked: str, labels: LabelPairs) -> str:
        """Return the name of the model that answers: the one that was asked, or one of open vocabulary for labels.

        Raises InvalidRequestError where none of them knows the language.
        """
        if not labels or self._models[asked].space is not None:
            return asked
        language = self._models[asked].config.language
        found = (name for name, model in self._models.items() if _is_open(model, language))
        name = next(found, None)
        if name is None:
            raise InvalidRequestError(
                f"Labels of your own need a model of open vocabulary, and this service has none beside {asked} "
                f"for its language, '{language}'; leave them out, or have the service started with such a model."
            )
        return name

    def model(self, name: str, labels: LabelPairs) -> Model:
        """Return a model with these labels; raises ConfigError for labels that cannot be used."""
        return self._labelled(name, labels) if labels else self._models[name]

    def _with_labels(self, name: str, labels: LabelPairs) -> Model:
        return self._models[name].with_labels(dict(labels))


def as_labels(given: Iterable[str] | Mapping[str, str] | None) -> LabelPairs:
    """Return the labels of a request."""
    pairs = given.items() if isinstance(given, Mapping) else ((name, "") for name in given or ())
    return tuple(dict(pairs).items())


def labels_of_field(text: str) -> Any:
    """Return what a field of a form says: names with commas between them, or JSON."""
    if text.lstrip()[:1] not in ("{", "["):
        return [name.strip() for name in text.split(",") if name.strip()]
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        raise InvalidRequestError(
            "labels: this is no JSON; send names with commas between them, a list, or {name: description}."
        ) from None


def _is_open(model: Model, language: str) -> bool:
    known = model.config.language
    return model.space is not None and (not known or not language or known == language)
