"""One JSON object as a string: read with an error that says what is wrong."""

from __future__ import annotations

import json
import re
from typing import Any

from sector.errors import DataError

ESCAPE = re.compile(r"\\(?:u(d[89a-f][0-9a-f]{2})|.)", re.DOTALL | re.IGNORECASE)
"""One escape of JSON; the group is that of a surrogate."""


def json_object(line: str) -> dict[str, Any]:
    """Return the object; raises DataError where the line is something else."""
    try:
        record = json.loads(line)
    except (ValueError, TypeError, RecursionError) as error:
        raise DataError(f"This is not JSON: {error}.") from error
    if not isinstance(record, dict):
        raise DataError("This is not the JSON of a segmented document: an object is expected.")
    return record


def surrogates_apart(line: str) -> str:
    """Return the line with escaped surrogates as characters of their own, so that no two are read as a pair."""
    return ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else found[0], line)
