"""What a finished run leaves behind: the best epoch's weights and the run's record, in one npz file."""

from __future__ import annotations

from pathlib import Path

from sector.training.checkpoint import to_numpy, write_arrays
from sector.training.config import TrainingConfig
from sector.training.trainer import Trained


def save_weights(path: Path, trained: Trained, config: TrainingConfig) -> None:
    """Write the weights and how they came about."""
    about = {
        "network": trained.network.to_dict(),
        "training": config.to_dict(),
        "history": trained.history,
        "best": trained.best,
    }
    write_arrays(path, {name: to_numpy(value) for name, value in trained.weights.items()}, about)
