"""Every error that a caller can meet; each message is a full sentence that says what to do next."""

from __future__ import annotations


class SectorError(Exception):
    """Base of all errors raised on purpose by this package."""


class DataError(SectorError):
    """A data file is malformed; the message names the file, the record and the field."""

    def __init__(self, message: str, *, file: object = None, record: object = None, field: str | None = None) -> None:
        self.file, self.record, self.field = file, record, field
        places = [f"{file}" if file is not None else "", f"record {record}" if record is not None else ""]
        places.append(f"field '{field}'" if field is not None else "")
        where = ", ".join(place for place in places if place)
        super().__init__(f"{where}: {message}" if where else message)


class ModelError(SectorError):
    """A model folder is missing, broken, truncated or does not fit what was asked of it."""


class ConfigError(SectorError):
    """An option or a configuration file has a value that cannot work."""


class DownloadError(SectorError):
    """A file could not be fetched, or arrived with another checksum than the published one."""


class MissingExtraError(SectorError):
    """An optional dependency is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"This needs the package '{package}'. Install it with: pip install 'sector-nlp[{extra}]'")
