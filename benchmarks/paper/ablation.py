"""What each idea of the fast models' recipe brings: a plan of runs that leave one out, and the table of their results.

    python benchmarks/tables/ablation.py plan > ablation.json
    python benchmarks/tables/run.py device/ ablation.json --output ablation.jsonl --workers 6
    python benchmarks/tables/ablation.py table ablation.jsonl

`device/` is a bundle with the recipes' vectors under the name `fast`.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, stdev
from typing import Any

RECIPES = Path(__file__).parents[2] / "recipes"
SEGMENTATIONS = {"bemd": {"name": "bemd", "dimensions": 16}, "joint": {"name": "joint"}}
BOUNDARIES = "no boundary layer"


@dataclass(frozen=True)
class Change:
    """How a run differs from the recipe."""

    name: str
    options: dict[str, Any] = field(default_factory=dict)
    encoder: str = ""
    vectors: str = ""
    loss: str = ""


TOPICS = (
    Change("the recipe"),
    Change(BOUNDARIES, {"boundary": 0.0}),
    Change("all sentences count alike (balance 0)", {"balance": 0.0}),
    Change("last weights instead of their running mean", {"averaging": 0.0}),
    Change("no word is dropped", {"word_dropout": 0.0}),
    Change("dropout 0.5", {"dropout": 0.5}),
    Change("word vectors stay as word2vec made them", {"learn_vectors": False}),
    Change("word vectors begin with noise", vectors="random"),
    Change("mean of the words instead of sum/√n", encoder="fast-mean"),
    Change("Bloom filter instead of vectors", {"learn_vectors": False, "word_dropout": 0.0, "dropout": 0.5}, "bloom"),
    Change("half as many units (128)", {"hidden": 128}),
    Change("twice as many units (512)", {"hidden": 512}),
    Change("half of the documents cut to a part (crop 0.5)", {"crop": 0.5}),
    Change("SEC>T+emb, the paper's", {}, "emb"),
)
HEADINGS = (
    Change("the recipe"),
    Change(BOUNDARIES, {"boundary": 0.0}),
    Change("sigmoid cross-entropy instead of softmax", loss="ce"),
    Change("all sentences count alike (balance 0)", {"balance": 0.0}),
    Change("word vectors stay as word2vec made them", {"learn_vectors": False}),
    Change("256 units", {"hidden": 256}),
    Change("512 units", {"hidden": 512}),
    Change("SEC>H+emb, the paper's", {}, "emb"),
)
SETS = {
    "en_disease": ("topics", "en_fast.toml", TOPICS),
    "en_wiki": ("headings", "en_wiki.toml", HEADINGS),
    "de_wiki": ("headings", "de_wiki.toml", HEADINGS),
}
NOT_TRAINING = ("task", "language", "min_count", "encoder", "encoder_options", "tasks", "loss")


def plan(names: list[str], seeds: int) -> list[dict[str, Any]]:
    return [entry(data, change, seed) for seed in range(1, seeds + 1) for data in names for change in SETS[data][2]]


def entry(data: str, change: Change, seed: int) -> dict[str, Any]:
    task, file, _ = SETS[data]
    recipe = tomllib.loads((RECIPES / file).read_text())
    options = {name: value for name, value in recipe.items() if name not in NOT_TRAINING} | change.options
    loss = change.loss or recipe.get("loss", "ce")
    if change.encoder == "emb":  # the paper's network with the options of `sector train`
        options, loss = {"dropout": 0.3}, "ce"
    found = {"data": data, "task": task, "encoder": change.encoder or "fast", "loss": loss, "seed": seed}
    found |= {"options": options, "change": change.name, "splits": ["validation", "test"]}
    found["segmentations"] = SEGMENTATIONS
    return found | ({"vectors": change.vectors} if change.vectors else {})


def table(path: Path) -> None:
    results = [json.loads(line) for line in path.read_text().splitlines()]
    for data, (task, _, changes) in SETS.items():
        own = [result for result in results if result["data"] == data]
        if own:
            label = "F1" if task == "topics" else "P@1"
            columns = [f"{segmentation}: Pk / {label} / MAP" for segmentation in SEGMENTATIONS]
            print(f"\n{data}_test\n\n| | seeds | {' | '.join(columns)} | sentence MAP, validation |")
            print("| --- | ---: | ---: | ---: | ---: |")
            for change in changes:
                runs = [result for result in own if result["change"] == change.name]
                if runs:
                    print(line(change.name, runs, task))


def line(name: str, results: list[dict[str, Any]], task: str) -> str:
    cells = [name, str(len(results))]
    for segmentation in SEGMENTATIONS:
        reports = [result["test"][segmentation] for result in results if segmentation in result["test"]]
        figures = [
            spread([report[key] for report in reports]) for key in ("pk", "f1" if task == "topics" else "p1", "map")
        ]
        cells.append(" / ".join(figures) if reports else "–")
    cells.append(spread([100 * result["best"]["map"] for result in results]))
    return "| " + " | ".join(cells) + " |"


def spread(values: list[float]) -> str:
    if not values:
        return "–"
    return f"{mean(values):.1f}" + (f" ± {stdev(values):.1f}" if len(values) > 1 else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    planned = verbs.add_parser("plan")
    planned.add_argument("names", nargs="*", default=list(SETS))
    planned.add_argument("--seeds", type=int, default=3)
    verbs.add_parser("table").add_argument("results", type=Path)
    arguments = parser.parse_args()
    if arguments.verb == "table":
        table(arguments.results)
    else:
        print("[\n" + ",\n".join(json.dumps(one) for one in plan(arguments.names, arguments.seeds)) + "\n]")


if __name__ == "__main__":
    main()
