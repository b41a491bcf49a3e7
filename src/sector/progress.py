"""What long work tells its caller: functions that are called with how much is done."""

from __future__ import annotations

from collections.abc import Callable

Advance = Callable[[int], None]
"""Is called with the number of further steps, documents or bytes that are done."""
EpochCallback = Callable[[dict[str, float]], None]
"""Is called after each epoch of training with its number, its losses and its scores."""
