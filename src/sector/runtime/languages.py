"""Which embedded model a document of a language gets where none was named."""

from __future__ import annotations

from functools import cache

from sector.runtime.installed import default_model, find, models


def model_for(language: str) -> str:
    """Return the name of the model for a language; the default one where none was trained on it."""
    return _by_language().get(language, default_model())


def is_supported(language: str) -> bool:
    """Whether a model was trained on a language; one that is not known might be."""
    return not language or language in _by_language()


@cache
def _by_language() -> dict[str, str]:
    """Return the model of each language: the default first, then fast ones of headings, which know any subject."""
    configs = {name: find(name).config() for name in models()}
    order = sorted(configs, key=lambda name: (name != default_model(), bool(configs[name].companion), name))
    found: dict[str, str] = {}
    for name in order:
        if configs[name].task != "topics" and configs[name].language:
            found.setdefault(configs[name].language, name)
    return found
