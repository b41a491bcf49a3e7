"""One run at a time: a file or a folder that is written over a while is held until the run ends, however it ends.

The system lets go of what a killed process held, so that no lock is ever left behind.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sector.errors import ConfigError

if sys.platform != "win32":
    import fcntl


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a file or a folder that exists; raises ConfigError while another run holds it."""
    if sys.platform == "win32":  # it has no such locks
        yield
        return
    number = os.open(path, os.O_RDONLY)
    try:
        if not _hold(number) or not _is_same(number, path):
            raise ConfigError(f"Another run is writing to {path}; wait until it is done, or choose another --output.")
        yield
    finally:
        os.close(number)


def _hold(number: int) -> bool:
    if sys.platform == "win32":
        return True
    with suppress(BlockingIOError):
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def _is_same(number: int, path: Path) -> bool:
    """Whether the path still names what was opened; a run that ended meanwhile may have removed or replaced it."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(number), path.stat())
    return False
