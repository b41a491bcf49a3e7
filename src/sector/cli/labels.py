"""Labels that the user types: names separated by commas, or a file with a label per line."""

from __future__ import annotations

from pathlib import Path

from sector.errors import ConfigError
from sector.files import read_options


def read_labels(given: str) -> dict[str, str]:
    """Return labels and their descriptions, empty where there are none.

    Args:
        given: names, separated by commas, or the path of a file with ``name`` or ``name: description`` per line.

    Raises:
        ConfigError: no label is there, or the file cannot be read.
    """
    entries = _lines(Path(given)) if _is_file(given) else given.split(",")
    pairs = (entry.partition(":") if _is_file(given) else (entry, "", "") for entry in entries)
    found = {name.strip(): description.strip() for name, _, description in pairs if name.strip()}
    if not found:
        raise ConfigError(f"There is no label in {given!r}; give names, e.g. --labels 'payment, termination'.")
    return found


def _is_file(given: str) -> bool:
    try:
        return Path(given).is_file()
    except (OSError, ValueError):  # too long for a name, or with a NUL
        return False


def _lines(path: Path) -> list[str]:
    return [line for line in read_options(path).splitlines() if not line.lstrip().startswith("#")]
