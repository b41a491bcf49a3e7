"""Where a training step's time goes: `python benchmarks/tables/step_times.py device en_disease` after bundling."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path

import torch
from bundle import load

from sector.network.losses import label_loss
from sector.training.batches import training_batches
from sector.training.config import TrainingConfig
from sector.training.learner import layout_on
from sector.training.loop import Trainer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("name")
    parser.add_argument("--task", default="topics")
    arguments = parser.parse_args()
    config = TrainingConfig()
    trainer = Trainer(load(arguments.folder, arguments.name, arguments.task, "bloom"), config)
    for timed in (False, True):  # the first epoch warms up
        seconds, documents = epoch(trainer, config)
        if timed:
            total = sum(seconds.values())
            for part, spent in seconds.most_common():
                print(f"{part:12} {spent:6.2f} s  {100 * spent / total:5.1f} %")
            network = seconds["forward"] + seconds["backward"]
            print(
                f"network {100 * network / total:.0f} %, {documents / total:.0f} documents/s, waiting after each part"
            )


def epoch(trainer: Trainer, config: TrainingConfig) -> tuple[Counter[str], int]:
    seconds: Counter[str] = Counter()
    documents = 0
    (task,) = trainer.tasks
    begun = time.perf_counter()
    batches = list(training_batches(task.data.train, config.batch, config.window, trainer.random))
    begun = lap(seconds, "batches", begun)
    for batch in batches:
        rows = trainer.reader(task.split.sentences, batch.sentences)
        targets, layout = task.split.targets.rows(batch.sentences), layout_on(batch, trainer.device)
        begun = lap(seconds, "inputs", begun)
        with torch.autocast(trainer.device.type, dtype=torch.float16, enabled=trainer.mixed):
            output = task.network(rows, layout)
        loss = label_loss(output.logits, targets, task=task.data.task, loss=config.loss).sum() / 1000
        begun = lap(seconds, "forward", begun)
        trainer.optimiser.zero_grad(set_to_none=True)
        trainer.scaler.scale(loss).backward()  # type: ignore[no-untyped-call]
        begun = lap(seconds, "backward", begun)
        trainer.scaler.unscale_(trainer.optimiser)
        torch.nn.utils.clip_grad_norm_(task.network.parameters(), config.clip)
        trainer.scaler.step(trainer.optimiser)
        trainer.scaler.update()
        begun = lap(seconds, "optimiser", begun)
        documents += batch.documents
    return seconds, documents


def lap(seconds: Counter[str], part: str, begun: float) -> float:
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    now = time.perf_counter()
    seconds[part] += now - begun  # type: ignore[assignment]
    return now


if __name__ == "__main__":
    main()
