"""Train the runs of a plan with `sector train`, score every segmentation, and add a line per run to a file of records.

A run that the file has is not trained again, a killed one goes on. A GPU is used where there is one.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from harness.data import documents, find
from harness.page import table
from paper.plan import PLANS, PlannedRun
from quality.reading import ReadOnce
from sector import segmentation
from sector.encoders.vectors import WordVectors
from sector.evaluation import evaluate

TITLE = "Runs"
SEGMENTATIONS = {
    "newline": "newline",
    "max": "max",
    "max-blank": segmentation.make("max", blank_maxima=True),
    "emd": "emd",
    "bemd": "bemd",
    "bemd-paper": segmentation.make("bemd", variant="paper"),
    "bemd-2018": segmentation.make("bemd", variant="2018"),
    "bemd-head": segmentation.make("bemd", variant="head"),
    "joint": "joint",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("plan", choices=list(PLANS))
    parser.add_argument("--records", type=Path, required=True, help="file of records, one JSON object a line")
    parser.add_argument("--models", type=Path, required=True, help="folder for the trained models")
    parser.add_argument("--vectors", type=Path, help="folder of `sector train-embeddings` folders: en, de, pt")
    parser.add_argument("--only", default="", help="runs whose name contains this, e.g. en_disease-topics-bloom")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, help="fewer, to try it")


def report(options: argparse.Namespace) -> Iterator[str]:
    yield from table(["run", "segmentation", "Pk ↓", "F1 or P@1", "MAP"], rows(options), 2)


def rows(options: argparse.Namespace) -> Iterator[list[str]]:
    known = options.records.read_text(encoding="utf-8").splitlines() if options.records.exists() else []
    done = {json.loads(line).get("run") for line in known}
    for run in PLANS[options.plan](options.seeds):
        if options.only in run.name and run.name not in done:
            record = scored(run, trained(run, options))
            with options.records.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
            for name, found in record["test"].items():
                best = found.get("f1") if run.task == "topics" else found.get("p1")
                yield [run.name, name, f"{found['pk']:.1f}", f"{best or 0:.1f}", f"{found['map'] or 0:.1f}"]


def trained(run: PlannedRun, options: argparse.Namespace) -> Path:
    """Return the model folder of a run."""
    folder: Path = options.models / run.name
    if not folder.exists():
        config = options.models / f"{run.name}.toml"
        config.parent.mkdir(parents=True, exist_ok=True)
        config.write_text(run.toml(), encoding="utf-8")
        parts = (str(find(f"{run.data}_{part}")) for part in ("train", "validation"))
        command = ["sector", "train", next(parts), "--validation", next(parts), "--output", str(folder)]
        command += ["--config", str(config), "--resume"]
        command += ["--epochs", str(options.epochs)] if options.epochs else []
        if run.encoder == "emb":
            command += ["--vectors", str(vectors(run, options))]
        subprocess.run(command, check=True, stdout=sys.stderr)
    return folder


def vectors(run: PlannedRun, options: argparse.Namespace) -> Path:
    """Return the folder of the language's word vectors, or of noise of the same size."""
    folder: Path = options.vectors / run.data[:2]
    if not run.noise:
        return folder
    made: Path = options.models / f"noise-{run.seed}"
    if not made.exists():
        made.mkdir(parents=True)
        real = WordVectors.load(folder)
        noise = np.random.default_rng(run.seed).normal(0, real.matrix.std(), real.matrix.shape).astype(np.float32)
        WordVectors(real.words, noise, real.counts).save(made)
    return made


def scored(run: PlannedRun, folder: Path) -> dict[str, Any]:
    model = ReadOnce(str(folder))
    chosen = {name: form for name, form in SEGMENTATIONS.items() if name != "joint" or model.config.network.boundary}
    record: dict[str, Any] = {key: getattr(run, key) for key in ("data", "task", "encoder", "loss", "seed", "change")}
    for part in ("validation", "test"):
        gold = documents(f"{run.data}_{part}")
        reports = {name: evaluate(model, gold, form).to_dict() for name, form in chosen.items()}
        record[part] = {
            name: {key: value for key, value in found.items() if isinstance(value, int | float)}
            for name, found in reports.items()
        }
    return record | {"run": run.name, "metrics": dict(model.config.metrics)}
