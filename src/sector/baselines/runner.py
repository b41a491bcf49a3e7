"""Run systems over a data set, one after the other; what is finished is kept and a failing one is only reported."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from sector.atomic import write_json
from sector.baselines.base import SEGMENTS, Material, System, Task, options_of
from sector.baselines.cache import digest, stamps, training_key
from sector.baselines.registry import SystemEntry, find
from sector.datasets import load
from sector.document import Document
from sector.errors import SectorError
from sector.evaluation.protocols import find_protocol
from sector.evaluation.run import unlabelled
from sector.evaluation.scoring import Scorer, pair_up, score_pairs
from sector.evaluation.segments import cut, segment_runs, unit_begins
from sector.runtime.installed import find as find_model

FIGURES = ("pk", "wd", "f1", "p1", "map", "boundary_f1", "section_ratio", "k", "documents", "sentences")
"""What a row keeps of a report."""
LABELLED = ("f1", "p1", "map")
"""Figures that mean nothing for a system without labels, or with those of another task."""
MOST_GROUPS = 30
Watch = Callable[[str, int, Iterator[Document]], Iterable[Document]]
"""Is told what is going on and passes documents on, e.g. to count them on a progress bar."""


@dataclass(frozen=True)
class Comparison:
    """What all systems of a comparison share."""

    data: Path
    material: Material
    task: Task
    folder: Path
    """Where finished results lie, one JSON file per system,"""
    models: Path
    """and where trained systems are kept."""
    protocol: str = "sector"
    limit: int = 0
    """Only so many first documents are scored; 0: all."""
    segmentations: tuple[str, ...] = ()
    """Rows of systems that have several; empty: all of them."""
    watch: Watch = field(default=lambda what, total, documents: documents, compare=False)

    @cached_property
    def gold(self) -> list[Document]:
        """The documents to score, cut as the protocol wants it."""
        documents = load(self.data, language=self.task.language)[: self.limit or None]
        return [cut(document, find_protocol(self.protocol).truncation) for document in documents]

    @cached_property
    def labelled(self) -> bool:
        """Whether sections have names; those of `.ref` files have none."""
        sections = (section for document in self.gold for section in document.sections)
        return any(section.name for section in sections)

    def key(self, entry: SystemEntry) -> str:
        """Return a name of all that a system's result depends on."""
        trained = training_key(self.material, self.task, entry.options)
        files = [self.data, *model_files(entry)]
        return digest([trained, stamps(files), entry.name, self.protocol, self.limit, self.segmentations])


def model_files(entry: SystemEntry) -> list[Path]:
    """Return the folder of a trained model; nothing where it is missing, which its row will say."""
    try:
        return [find_model(entry.options["model"]).path] if "model" in entry.options else []
    except SectorError:
        return []


def run(comparison: Comparison, names: Sequence[str], *, again: bool = False) -> Iterator[dict[str, Any]]:
    """Return the record of each system, from its file where it is finished; a failure is a record with a reason."""
    entries = [find(name) for name in names]
    find_protocol(comparison.protocol)
    for entry in entries:
        file = comparison.folder / f"{file_name(entry.name)}.json"
        record = None if again else finished(file, comparison.key(entry))
        if record is None:
            record = attempt(comparison, entry)
            write(file, record)
        yield record


def prepare(comparison: Comparison, name: str) -> list[Path]:
    """Write the training files of a system that trains a network, to train elsewhere; other systems write nothing."""
    system = find(name).make()
    if not hasattr(system, "prepare"):
        return []
    folder = comparison.models / file_name(name)
    return [system.prepare(comparison.material, comparison.task, folder)]


def file_name(system: str) -> str:
    """Return a system's name as it may stand in a file's name."""
    return "".join(sign if sign.isalnum() or sign in "-_." else "_" for sign in system)


def finished(file: Path, key: str) -> dict[str, Any] | None:
    """Return the record of a file, unless it failed or was made of other things."""
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    right = isinstance(record, dict) and record.get("key") == key and not record.get("failure")
    return record if right else None


def write(file: Path, record: dict[str, Any]) -> None:
    """Write a record as a whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    write_json(file, record)


def attempt(comparison: Comparison, entry: SystemEntry) -> dict[str, Any]:
    """Run a system; whatever it raises becomes the reason in its record."""
    record: dict[str, Any] = {
        "system": entry.name,
        "title": entry.title_for(comparison.task.name),
        "data": comparison.data.name.split(".")[0],
        "task": comparison.task.name,
        "protocol": comparison.protocol,
        "key": comparison.key(entry),
        "failure": "",
        "rows": [],
    }
    try:
        return record | measure(comparison, entry)
    except Exception as error:  # one failing system is reported and does not stop the others
        return record | {"failure": reason(error)}


def reason(error: Exception) -> str:
    """Return in one line why a system failed."""
    text = " ".join(str(error).split())
    return text if isinstance(error, SectorError) else f"{type(error).__name__}: {text}"[:300]


def measure(comparison: Comparison, entry: SystemEntry) -> dict[str, Any]:
    """Train a system and score each of its segmentations."""
    gold = comparison.gold
    system = entry.make(comparison.segmentations)
    begun = time.perf_counter()
    system.fit(comparison.material, comparison.task, comparison.models / file_name(entry.name))
    trained = time.perf_counter() - begun
    chosen = [name for name in system.segmentations if name in comparison.segmentations]
    rows = [row(comparison, system, entry, name, gold) for name in chosen or system.segmentations]
    return {
        "citation": system.citation,
        "options": options_of(system),
        "setting": getattr(system, "setting", ""),
        "fit_seconds": round(trained, 3),
        "rows": rows,
    }


def row(
    comparison: Comparison, system: System, entry: SystemEntry, segmentation: str, gold: list[Document]
) -> dict[str, Any]:
    """Run a system on the documents, measure its time and score it."""
    inputs = [hidden(document, comparison) for document in gold]
    list(system.segment_all(inputs[:1], segmentation=segmentation or None))  # what loads on first use is not timed
    begun = time.perf_counter()
    found = system.segment_all(inputs, segmentation=segmentation or None)
    predicted = list(comparison.watch(f"{entry.name} {segmentation}".strip(), len(gold), found))
    seconds = time.perf_counter() - begun
    figures = {"segmentation": segmentation} | scored(comparison, system, gold, predicted)
    figures |= {"seconds": round(seconds, 4), "documents_per_second": round(len(gold) / max(seconds, 1e-9), 2)}
    groups = group_of(gold)
    parts = {
        name: scored(comparison, system, *map(list, zip(*pairs, strict=True)))
        for name, pairs in grouped(groups, gold, predicted).items()
    }
    return figures | ({"groups": parts} if parts else {})


def hidden(document: Document, comparison: Comparison) -> Document:
    """Return a document without its sections, but with their number for a system that asks for it."""
    merge = find_protocol(comparison.protocol).merging
    runs = segment_runs(document.sections, unit_begins(document.spans, "sentences"), merge=merge)
    count = int(runs[-1]) + 1 if len(runs) else 0
    return replace(unlabelled(document), metadata={SEGMENTS: str(count)})


def scored(comparison: Comparison, system: System, gold: list[Document], predicted: list[Document]) -> dict[str, Any]:
    """Return the figures of one row, in percent."""
    task = comparison.task.name
    names = system.labels if comparison.labelled and getattr(system, "task", task) == task else ()
    scorer = Scorer(comparison.protocol, task, names, language=comparison.task.language)
    report = score_pairs(pair_up(gold, predicted), scorer, segmentation="").to_dict()
    return {name: None if name in LABELLED and not names else report[name] for name in FIGURES}


def group_of(documents: Sequence[Document]) -> list[str]:
    """Return the last folder in each document's id; nothing where there is none."""
    return [document.id.split("/")[-2] if document.id.count("/") else "" for document in documents]


def grouped(
    groups: Sequence[str], gold: list[Document], predicted: list[Document]
) -> dict[str, list[tuple[Document, Document]]]:
    """Return the documents by group; empty where there is only one group, or too many."""
    found: dict[str, list[tuple[Document, Document]]] = {}
    for name, *pair in zip(groups, gold, predicted, strict=True):
        found.setdefault(name, []).append((pair[0], pair[1]))
    return dict(sorted(found.items())) if 1 < len(found) <= MOST_GROUPS else {}
