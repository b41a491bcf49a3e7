"""numpy's matrix products on one thread.

Ours are small: a second thread takes as much processor time as the first and saves little of it, and the cores have
other documents to read. The last digits of sums depend on the number of threads, so that results are the same on
machines of any size only with one.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

VARIABLE = "OPENBLAS_NUM_THREADS"
"""Of the environment: read when numpy is loaded, by this process and those that it starts."""
FOLDERS = ("../numpy.libs", ".dylibs")
"""Where packages of numpy have the library, seen from numpy."""
NAMES = ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_", "openblas_{}_num_threads")


@contextmanager
def one_thread() -> Iterator[None]:
    """Use one thread for a while; other libraries than OpenBLAS are left as they are."""
    before = _threads()
    if before > 1:
        use_one_thread()
    try:
        yield
    finally:
        if before > 1:
            _call("set", before)


def use_one_thread() -> None:
    """Use one thread from now on, in a process that is ours."""
    _call("set", 1)


def _threads() -> int:
    """Return how many threads are used, 0 if that is not known."""
    return _call("get")


def _call(verb: str, *given: int) -> int:
    library = _library()
    for name in NAMES:
        function = getattr(library, name.format(verb), None)
        if function is not None:
            return int(function(*given))
    return 0


@cache
def _library() -> ctypes.CDLL | None:
    """Return the OpenBLAS that numpy has loaded."""
    import numpy as np

    home = Path(np.__file__).parent
    for path in (path for folder in FOLDERS for path in sorted((home / folder).glob("*openblas*"))):
        try:
            return ctypes.CDLL(str(path))
        except OSError:
            continue
    return None
