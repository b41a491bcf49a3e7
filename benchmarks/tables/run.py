"""Train and score the paper's configurations on bundled data sets, several at a time; needs numpy and torch alone.

    python benchmarks/tables/run.py device/ PLAN.json --output results.jsonl --workers 4

A plan is a list of {"data", "task", "encoder", "loss", "seed", "options", "vectors", "weights"}; each result line holds
the run, its training record and a report for every segmentation on the test documents.
"""

from __future__ import annotations

import argparse
import json
import time
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from bundle import load, load_gold

from sector.document import Document
from sector.evaluation import score
from sector.runtime.sections import Labeller
from sector.segmentation import Reading, make
from sector.training.config import TrainingConfig
from sector.training.loop import Trained, Trainer
from sector.training.predict import read_split
from sector.training.prepared import PreparedData
from sector.training.readers import SentenceReader
from sector.training.sequences import joint_options
from sector.training.weights import save_weights

SEGMENTATIONS: dict[str, dict[str, Any]] = {name: {"name": name} for name in ("newline", "max", "emd", "bemd")}


def run(folder: Path, entry: dict[str, Any], weights: Path | None) -> dict[str, Any]:
    begun = time.perf_counter()
    data = load(folder, entry["data"], entry["task"], entry["encoder"])
    if entry.get("vectors") == "random":
        data = with_random_vectors(data, entry["seed"])
    config = TrainingConfig(loss=entry.get("loss", "ce"), seed=entry.get("seed", 1), **entry.get("options", {}))
    trainer = Trainer(data, config)
    loaded = time.perf_counter()
    trained = trainer.run()
    result: dict[str, Any] = dict(entry)
    result["load_seconds"] = loaded - begun
    result["train_seconds"] = time.perf_counter() - loaded
    result["best"], result["epochs"] = trained.best, len(trained.history)
    result["labels"] = len(data.labels)
    result["history"] = trained.history
    for split in entry.get("splits", ["test"]):
        result[split] = score_split(folder, data, trained, trainer.reader, entry, split)
    if weights and entry.get("weights"):
        half = replace(trained, weights={name: value.half() for name, value in trained.weights.items()})
        save_weights(weights / f"{entry['weights']}.npz", half, config)
    result["seconds"] = time.perf_counter() - begun
    return result


def with_random_vectors(data: PreparedData, seed: int) -> PreparedData:
    """Put noise of the same size in the place of word vectors."""
    dense = data.features.dense
    assert dense is not None
    noise = np.random.default_rng(seed).normal(0, dense.std(), dense.shape).astype(np.float32)
    return replace(data, features=replace(data.features, dense=noise))


def score_split(
    folder: Path, data: PreparedData, trained: Trained, reader: SentenceReader, entry: dict[str, Any], split: str
) -> dict[str, Any]:
    gold = load_gold(folder / f"{entry['data']}.gold.json", split)
    readings = read_split(trained.network, trained.weights, reader, data.splits[split])
    readings = [
        replace(reading, paragraph_end=document.spans.paragraph_end)
        for reading, document in zip(readings, gold, strict=True)
    ]
    settings = entry.get("segmentations", SEGMENTATIONS)
    if not trained.network.boundary:
        settings = {name: options for name, options in settings.items() if options["name"] != "joint"}
    return {name: report(gold, readings, data, options) for name, options in settings.items()}


def report(
    gold: list[Document], readings: list[Reading], data: PreparedData, options: dict[str, Any]
) -> dict[str, Any]:
    options = dict(options)
    name = options.pop("name")
    if name == "joint":
        options = joint_options(data) | options
    segmentation, labeller = make(name, **options), Labeller(data.task, data.labels)
    predicted = [labeller.segmented(d, r, segmentation) for d, r in zip(gold, readings, strict=True)]
    found = score(gold, predicted, task=data.task, labels=data.labels).to_dict()
    return {key: value for key, value in found.items() if isinstance(value, int | float)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("plan", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--weights", type=Path, help="folder for the weights of entries that name some")
    parser.add_argument("--workers", type=int, default=4)
    arguments = parser.parse_args()
    plan = json.loads(arguments.plan.read_text())
    with ProcessPoolExecutor(arguments.workers, mp_context=get_context("spawn")) as pool:
        jobs = {pool.submit(run, arguments.folder, entry, arguments.weights): entry for entry in plan}
        with arguments.output.open("a") as file:
            for job in as_completed(jobs):
                try:
                    result = job.result()
                except Exception:  # one failing run is reported and does not stop the others
                    traceback.print_exc()
                    continue
                file.write(json.dumps(result) + "\n")
                file.flush()
                print(summary(result), flush=True)


def summary(result: dict[str, Any]) -> str:
    name = " ".join(str(result.get(key, "")) for key in ("data", "task", "encoder", "loss", "seed"))
    test = result.get("test") or result.get("validation") or {}
    scores = "  ".join(
        f"{segmentation} {r['pk']:.1f}/{r.get('f1') or r.get('p1') or 0:.1f}/{r.get('map') or 0:.1f}"
        for segmentation, r in test.items()
    )
    return (
        f"{name}: {result['train_seconds']:.0f} s, {result['epochs']} epochs, MAP {result['best']['map']:.3f}: {scores}"
    )


if __name__ == "__main__":
    main()
