"""What a model names sections by: one of a set of topics, the words of their headings, or any phrase at all."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from sector.errors import ConfigError
from sector.visible import brief

TaskName: TypeAlias = Literal["topics", "headings", "open"]
TASKS: tuple[TaskName, ...] = get_args(TaskName)


def check_task(name: object) -> TaskName:
    """Return the name if it is that of a task; raises ConfigError for any other."""
    for task in TASKS:
        if isinstance(name, str) and name == task:
            return task
    raise ConfigError(f"There is no task {brief(name)}; choose one of {', '.join(TASKS)}.")
