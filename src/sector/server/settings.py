"""What an operator decides about the service: where it listens, which models it has, and every limit."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from sector.errors import ConfigError

VARIABLE = "SECTOR_SERVE_SETTINGS"
"""The environment variable through which worker processes get the settings."""
POSITIVE = ("workers", "max_body_bytes", "max_documents", "max_characters", "queue_documents", "batch_documents")


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of `sector serve`. Raises ConfigError for values that cannot work."""

    models: tuple[str, ...] = ()
    """Names of embedded models or model folders; the first one is the default. None: all embedded models."""
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    """Processes that share the port and nothing else."""
    api_key: str = ""
    """Clients must send it; empty: anybody may ask."""
    cors_origins: tuple[str, ...] = ()
    """Origins of pages that may call the service from a browser, beside its own."""
    max_body_bytes: int = 2_000_000
    max_documents: int = 32
    """Most documents in one request."""
    max_characters: int = 1_048_576
    """Most characters in the documents of one request; a plain file of 1 MiB passes."""
    deadline: float = 30.0
    """Seconds after which a request is answered, with 504 if there is no result."""
    queue_documents: int = 128
    """Most documents that wait or are being read; a request beyond them is answered with 429."""
    batch_documents: int = 16
    """Most documents that are read together."""
    threads: int = 1
    """Threads that run models. Two compete for the interpreter, unless most of the time goes into a large network."""
    cache_bytes: int = 64_000_000
    """Memory for what models said about documents that a client asked to keep; 0 keeps none."""
    page: bool = True
    """Whether the page at / is served."""

    def __post_init__(self) -> None:
        for name in (*POSITIVE, "threads"):
            if getattr(self, name) < 1:
                raise ConfigError(f"'{name}' is {getattr(self, name)}; it must be at least 1.")
        if self.queue_documents < self.max_documents:
            raise ConfigError(
                f"The queue holds {self.queue_documents} documents, but a request may have {self.max_documents}; "
                "make the queue longer."
            )
        if not (math.isfinite(self.deadline) and self.deadline > 0):
            raise ConfigError(f"'deadline' is {self.deadline}; it must be a positive number of seconds.")
        if self.cache_bytes < 0:
            raise ConfigError(f"'cache_bytes' is {self.cache_bytes}; it must be 0 or more.")
        if not 0 <= self.port <= 65535:
            raise ConfigError(f"'port' is {self.port}; it must be between 0 and 65,535.")

    def to_json(self) -> str:
        """Return the settings as JSON, for the environment of a worker process."""
        return json.dumps(asdict(self))

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Settings:
        """Return the settings that `sector serve` left for its worker processes, or the defaults."""
        record: dict[str, Any] = json.loads(environment.get(VARIABLE, "{}"))
        known = {field.name for field in fields(cls)}
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in record.items() if name in known
        }
        return cls(**values)


def model_names(settings: Settings) -> dict[str, str]:
    """Return the models by the names that clients use: ``{name: embedded name or folder}``, the default first.

    A folder goes by its last part. Raises ConfigError where two would have the same name.
    """
    from sector.runtime import default_model, models

    places = settings.models or (default_model(), *(name for name in models() if name != default_model()))
    found: dict[str, str] = {}
    for place in places:
        name = place if place in models() else Path(place).resolve().name
        if name in found:
            raise ConfigError(f"Two models are named '{name}' ({found[name]} and {place}); rename one of the folders.")
        found[name] = place
    return found
