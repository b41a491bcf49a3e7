"""Options of encoders: checked when they are given, checked again when a model folder is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any, TypeVar

from sector.errors import ConfigError, ModelError
from sector.visible import brief

Made = TypeVar("Made")


def check_positive(option: str, value: int) -> int:
    """Return the value back if it is a whole number above 0."""
    return check_least(option, value, 1)


def check_least(option: str, value: int, least: int) -> int:
    """Return the value back if it is a whole number of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ConfigError(f"The option '{option}' is {brief(value)}; it must be a whole number of at least {least}.")
    return value


def check_share(option: str, value: float) -> float:
    """Return the value back if it is a part of a whole."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= 1:
        raise ConfigError(f"The option '{option}' is {brief(value)}; it must be above 0 and at most 1.")
    return value


def check_choice(option: str, value: str, choices: Sequence[str]) -> str:
    """Return the value back if it is one of the choices."""
    if value not in choices:
        raise ConfigError(f"The option '{option}' is {brief(value)}; it must be one of: {', '.join(choices)}.")
    return value


def make_from(make: Callable[..., Made], name: str, options: Mapping[str, Any]) -> Made:
    """Call ``make`` with options; raises ConfigError for one that it does not have, or whose value cannot be."""
    known = list(signature(make).parameters)
    for option in options:
        if option not in known:
            valid = f"its options are: {', '.join(known)}" if known else "it has no options"
            raise ConfigError(f"'{name}' has no option '{option}'; {valid}.")
    try:
        return make(**options)
    except (TypeError, ValueError, OverflowError, MemoryError) as error:
        raise ConfigError(f"'{name}' cannot be made with the options {dict(options)}: {error}.") from error


def from_settings(make: Callable[..., Made], settings: Mapping[str, Any]) -> Made:
    """Make an encoder from the settings in a model's ``config.json``, which carry its name too."""
    name = str(settings.get("name"))
    try:
        return make_from(make, name, {key: value for key, value in settings.items() if key != "name"})
    except ConfigError as error:
        raise ModelError(f"The encoder in the model's config.json is broken. {error}") from error
