"""The border between the program and a model folder, which anybody may have made: whatever breaks is a ModelError."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from sector.document import Document
from sector.errors import ConfigError, DataError, ModelError, SectorError

PROOF = "A model shows that it works.\n\nIt reads two paragraphs, and gives each of its sections a confidence."


@contextmanager
def guarded(folder: Path) -> Iterator[None]:
    """Turn whatever a damaged or hostile folder makes Python, numpy or onnxruntime raise into a ModelError.

    Missing packages are said to be missing.
    """
    try:
        yield
    except (ConfigError, DataError) as error:
        raise ModelError(f"The model in {folder} is broken: {error}") from error
    except (SectorError, ImportError):
        raise
    except Exception as error:  # no list of kinds would be complete: each file has its own parser
        kind = type(error).__name__
        raise ModelError(f"The model in {folder} is broken ({kind}: {error}); fetch or export it again.") from error


def prove(segment: Callable[[str], Document]) -> None:
    """Let a model segment a few words: files that only break when they are used are noticed when they are loaded."""
    sections = segment(PROOF).sections
    if not sections or not np.isfinite([section.confidence for section in sections]).all():
        raise ModelError("it gives sections without confidence.")
