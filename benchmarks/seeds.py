"""Score several models of one kind, as the seeds of a recipe, and print means with their spread as Markdown.

python benchmarks/seeds.py DATA MODEL… [--segmentation bemd --segmentation joint]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import mean, stdev

import sector
from sector import datasets
from sector.evaluation import evaluate

FIGURES = {
    "pk": "Pk",
    "f1": "F1",
    "p1": "P@1",
    "map": "MAP",
    "gold_f1": "F1, gold only",
    "gold_p1": "P@1, gold only",
    "sentence_accuracy": "sentence accuracy",
    "section_ratio": "predicted / gold",
    "boundary_f1": "boundary F1",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--segmentation", action="append", help="by default bemd and joint")
    arguments = parser.parse_args()
    models = [sector.load(name) for name in arguments.models]
    documents = datasets.load(arguments.data, language=models[0].config.language)
    left_out = ("p1", "gold_p1") if models[0].task == "topics" else ("f1", "gold_f1")
    shown = {key: name for key, name in FIGURES.items() if key not in left_out}
    print(f"{arguments.data.name.split('.')[0]}, {len(documents)} documents, {len(models)} models\n")
    print("| segmentation | " + " | ".join(shown.values()) + " |")
    print("| --- |" + " ---: |" * len(shown))
    for segmentation in arguments.segmentation or ["bemd", "joint"]:
        reports = [evaluate(model, documents, segmentation=segmentation).to_dict() for model in models]
        print(f"| {segmentation} | " + " | ".join(spread([r[key] for r in reports]) for key in shown) + " |")


def spread(values: list[float]) -> str:
    digits = 2 if max(values) < 3 else 1
    return f"{mean(values):.{digits}f}" + (f" ± {stdev(values):.{digits}f}" if len(values) > 1 else "")


if __name__ == "__main__":
    main()
