"""A cache of bounded size: what was used longest ago makes room for what is new."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class ByteCache(Generic[Value]):
    """Values by key, in memory alone, up to a number of bytes. Safe to use from several threads."""

    def __init__(self, most_bytes: int, size: Callable[[Value], int]) -> None:
        self._most = most_bytes
        self._size = size
        self._bytes = 0
        self._entries: OrderedDict[bytes, Value] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: bytes) -> Value | None:
        """Return what is kept, if it still is."""
        with self._lock:
            if key in self._entries:
                self._entries.move_to_end(key)
            return self._entries.get(key)

    def put(self, key: bytes, value: Value) -> None:
        """Keep a value, unless it alone is too large."""
        size = self._size(value)
        with self._lock:
            if key in self._entries or size > self._most:
                return
            self._entries[key] = value
            self._bytes += size
            while self._bytes > self._most:
                self._bytes -= self._size(self._entries.popitem(last=False)[1])
