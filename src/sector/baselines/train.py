"""Train what `sector compare --prepare-only` prepared; needs numpy and torch alone.

    python -m sector.baselines.train FOLDER… [--device cuda] [--workers 2]

Each FOLDER holds the trained systems of a comparison (``--models``): ``words/`` and a folder per system. A system that
has its weights is left alone, so that a second call goes on; one that fails is reported and does not stop the others.
"""

from __future__ import annotations

import argparse
import json
import time
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from pathlib import Path

JOB, WEIGHTS, OURS = "job.json", "weights.npz", "work/options.json"


def jobs(folder: Path) -> dict[str, Callable[[str], None]]:
    """Return what is to be trained below a folder, by name."""
    found: dict[str, Callable[[str], None]] = {}
    for file in sorted(folder.glob(f"*/{JOB}")):
        if not (file.parent / WEIGHTS).is_file():
            found[f"{folder.name}/{file.parent.name}"] = partial(train_baseline, file.parent)
    for file in sorted(folder.glob(f"*/{OURS}")):
        if not (file.parent / WEIGHTS).is_file():
            found[f"{folder.name}/{file.parents[1].name}"] = partial(train_ours, file.parent)
    return found


def train_baseline(folder: Path, device: str) -> None:
    """Train one of the neural baselines."""
    from sector.baselines.registry import find

    job = json.loads((folder / JOB).read_text(encoding="utf-8"))
    system = find(job["system"]).make()
    for name, value in job["options"].items():
        setattr(system, name, tuple(value) if isinstance(value, list) else value)
    system.train(folder.parent / "words", folder, device, seed=job["seed"])  # type: ignore[attr-defined]


def train_ours(folder: Path, device: str) -> None:
    """Train one of our own networks."""
    from sector.training.config import TrainingConfig
    from sector.training.prepared import PreparedData
    from sector.training.trainer import Trainer
    from sector.training.weights import save_weights

    options = json.loads((folder / "options.json").read_text(encoding="utf-8"))
    config = TrainingConfig.from_dict(options["config"])
    trained = Trainer(PreparedData.load(folder / "prepared.npz"), config, device).run()
    save_weights(folder / WEIGHTS, trained, config)


def timed(job: Callable[[str], None], device: str) -> float:
    """Run a job and return how long it took."""
    begun = time.perf_counter()
    job(device)
    return time.perf_counter() - begun


def main(arguments: Sequence[str] | None = None) -> int:
    """Train everything below the folders; return how many failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--workers", type=int, default=1, help="systems that are trained side by side")
    given = parser.parse_args(arguments)
    work = {name: job for folder in given.folders for name, job in jobs(folder).items()}
    failed = 0
    with ProcessPoolExecutor(given.workers, mp_context=get_context("spawn")) as pool:
        running = {pool.submit(timed, job, given.device): name for name, job in work.items()}
        for future in as_completed(running):
            try:
                print(f"{running[future]}: {future.result():.0f} s", flush=True)
            except Exception:
                failed += 1
                print(f"{running[future]} failed:", flush=True)
                traceback.print_exc()
    return failed


if __name__ == "__main__":
    raise SystemExit(1 if main() else 0)
