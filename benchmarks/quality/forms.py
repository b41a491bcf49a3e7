"""Every form of every segmentation on the same readings of a model: the paper's formula, its authors' code, ours."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from harness.data import documents
from harness.page import table
from quality.reading import ReadOnce
from quality.scores import cells, shown
from sector import segmentation
from sector.document import Document
from sector.evaluation import evaluate
from sector.segmentation import Segmentation

TITLE = "Forms of the segmentations"
FORMS: dict[str, Segmentation | str] = {
    "newline": "newline",
    "max, one label among the sentence's two best": "max",
    "max, the same with the authors' second-best label": segmentation.make("max", blank_maxima=True),
    "max, neighbours share one of their two best (the paper's words)": segmentation.make("max", rule="sentence"),
    "max, the same with the authors' second-best label ": segmentation.make("max", rule="sentence", blank_maxima=True),
    "emd": "emd",
    "bemd, the paper's formula": segmentation.make("bemd", variant="paper"),
    "bemd, the authors' code of 2018": segmentation.make("bemd", variant="2018"),
    "bemd, the authors' last code": segmentation.make("bemd", variant="head"),
    "bemd `aligned`, ours": segmentation.make("bemd", variant="aligned"),
    "the same, 16 dimensions": segmentation.make("bemd", variant="aligned", dimensions=16),
    "joint, ours": "joint",
    "main, ours": "main",
}
LEARNED = ("joint", "main")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "models", nargs="*", default=["en_disease_test=en_disease", "en_city_test=en_city"], metavar="DATA=MODEL,…"
    )
    parser.add_argument("--form", nargs="*", help="only forms whose name contains one of these")
    parser.add_argument("--limit", type=int, help="only the first documents of each data set")


def report(options: argparse.Namespace) -> Iterator[str]:
    for given in options.models:
        data, _, names = given.partition("=")
        models = [ReadOnce(name) for name in names.split(",")]
        gold = documents(data, options.limit)
        measures = shown(models[0].task)
        several = "" if len(models) == 1 else "; mean ± standard deviation"
        yield f"## {data}, {len(gold)} documents; {', '.join(f'`{name}`' for name in names.split(','))}{several}\n"
        rows = lines(models, gold, list(measures), options.form)
        yield from table(["segmentation", *measures.values()], rows)
        yield ""


def lines(
    models: Sequence[ReadOnce], gold: list[Document], measures: list[str], wanted: list[str] | None
) -> Iterator[list[str]]:
    learned = all(model.config.network.boundary for model in models)
    for title, form in FORMS.items():
        chosen = not wanted or any(part in title for part in wanted)
        if chosen and (learned or form not in LEARNED):
            reports = [evaluate(model, gold, segmentation=form).to_dict() for model in models]
            yield [title.rstrip(), *cells(reports, measures)]
