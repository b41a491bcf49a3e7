"""Baselines: the systems that SECTOR is compared with, each behind the interface of our own models."""

from sector.baselines.base import Material, System, Task
from sector.baselines.registry import SYSTEMS, find, usual
from sector.baselines.runner import Comparison, run

__all__ = ["SYSTEMS", "Comparison", "Material", "System", "Task", "find", "run", "usual"]
