"""How an index was made: kept in it, so that it is searched and continued the same way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from sector import __version__
from sector.errors import ConfigError, DataError

STEMMED, PLAIN = "porter unicode61 remove_diacritics 2", "unicode61 remove_diacritics 2"
"""How words are found and compared: English ones by their stems."""
OWN = "object"
"""The name of a tokenizer that has none."""


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """What the chunks of an index depend on beside the documents."""

    model: str
    """A name, or a path."""
    fingerprint: str
    """Of the model's files."""
    language: str = ""
    by_language: bool = False
    """Whether documents in other languages are left to the models of these."""
    max_tokens: int | None = None
    """None: chunks are sections as the model draws them."""
    tokenizer: str | None = None
    headings: str = "use"
    embedding: str = ""
    """"space": the model's, "function": the caller's, "": none."""
    version: str = __version__

    @property
    def words(self) -> str:
        """How the store finds and compares words."""
        return STEMMED if self.language == "en" else PLAIN

    def to_dict(self) -> dict[str, Any]:
        """Return what a store keeps."""
        return asdict(self) | {"words": self.words}

    @staticmethod
    def from_dict(record: Mapping[str, Any], place: str) -> IndexSettings:
        """Read what a store keeps."""
        names = {field.name for field in fields(IndexSettings)}
        try:
            return IndexSettings(**{name: value for name, value in record.items() if name in names})
        except TypeError as error:
            raise DataError(f"{place} is no whole index ({error}); make it again with --overwrite.") from error

    def check(self, given: Mapping[str, Any], place: str) -> None:
        """Raise ConfigError where what is given is not what the index was made with; None is not given."""
        for name, value in given.items():
            own = getattr(self, name)
            if value is not None and value != own:
                raise ConfigError(
                    f"The index {place} was made with {name} = {own or 'none'}, and now it is {value}. "
                    "Give --overwrite to make it again, or another --output."
                )
