"""Figures for a model's card: the model's default segmentation scored on a data set."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from sector import datasets
from sector.export.model_folder import add_metrics
from sector.training.recipe import data_name

FIGURES = (
    *("start_precision", "start_recall", "start_f1", "start_ratio"),
    *("pk", "wd", "f1", "map", "p1"),
    *("gold_f1", "gold_p1", "sentence_accuracy", "section_ratio", "boundary_f1", "ece"),
    *("k", "documents", "segmentation", "protocol"),
)
"""What a card says of a data set."""


def score(folder: Path, data: Path) -> dict[str, Any]:
    """Evaluate a model folder with its default segmentation."""
    from sector.evaluation import evaluate
    from sector.runtime import load

    model = load(folder)
    report = evaluate(model, datasets.load(data, language=model.config.language)).to_dict()
    return {name: report[name] for name in FIGURES if report.get(name) is not None}


def measure(folder: Path, data: Path, exact: Path | None = None) -> dict[str, Any]:
    """Score a model folder and write the figures into its config and card.

    ``exact`` is the same model in float32: the card says what storing fewer bits cost.
    """
    figures = score(folder, data) | {"date": date.today().isoformat()}
    if exact:
        figures["change_by_precision"] = _change(figures, score(exact, data))
    add_metrics(folder, {data_name(data): figures})
    return figures


def _change(figures: dict[str, Any], exact: dict[str, Any]) -> str:
    changed = {name: figures[name] - exact[name] for name in ("pk", "f1", "p1", "map") if name in figures}
    return " ".join(f"{name} {value:+.2f}" for name, value in changed.items())
