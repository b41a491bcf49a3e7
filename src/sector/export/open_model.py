"""From the training of an open vocabulary to its space: the inventory of titles, its vectors and their calibration."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sector import encoders
from sector.arrays import Floats1d, Floats2d, Ints1d
from sector.document import Document
from sector.encoders.base import Weights
from sector.encoders.files import encoder_folder
from sector.encoders.piece_encoder import read_json
from sector.export.inventory import clean_inventory, cleaned
from sector.export.space import add_priors, add_space, write_space
from sector.runtime import Model, load
from sector.runtime.folder import ModelFolder
from sector.runtime.installed import find
from sector.runtime.space import SPACE, Space, beside, normalized
from sector.runtime.titles import section_vectors
from sector.segmentation import SectionSpans
from sector.training.prepared import PreparedData, SplitData

ACCURATE = "_accurate"
"""How the names of models end that have a pretrained encoder."""
PRIORS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
"""Powers of a heading's frequency that are tried."""
LEAST_FITTING = 0.05
"""Share of the author's sections that are said to have no fitting heading."""
SHARPER = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5, 2.0)
"""Factors of the temperature that are tried."""


def export_space(path: Path, data: PreparedData, weights: Weights) -> None:
    """Write the space that a training found beside the model at ``path``, and name it in the model's config.

    A model that was put into the space of another has that one beside it.
    """
    if data.about.get("space_of"):
        _copy_space(path, str(data.about["space_of"]))
        add_space(path, space_name(data), temperature=round(1 / _scale(weights), 5))
        return
    folder = space_folder(path)
    counts = documents_with_headings(data.train, data.labels)
    phrases = clean_inventory(counts)
    projection, bias = weights["headings.projection.weight"].T, weights["headings.projection.bias"]
    tower = _tower_beside(path, str(data.about.get("tower", "")))
    bare = write_space(folder, phrases, projection, bias, tower)
    own = _own_parts(phrases, counts, data.labels, weights["headings.own"])
    write_space(folder, phrases, projection, bias, tower, vectors=normalized(bare.vectors + own))
    add_space(path, folder.name, temperature=round(1 / _scale(weights), 5))


def space_folder(path: Path) -> Path:
    """Return where the space of a model is written: beside it, with one name for its fast and its accurate form."""
    return path.with_name(f"{path.name.removesuffix(ACCURATE)}_headings")


def _tower_beside(path: Path, model: str) -> dict[str, Any]:
    """Return the settings of the encoder that reads headings, that of the model at ``path`` itself if none is named.

    Its files are put beside the model where they miss.
    """
    source = find(model) if model else ModelFolder(path)
    settings = dict(source.config().encoder)
    if "folder" in settings:
        place = encoder_folder(source.path, settings)
        target = path.with_name(place.name)
        if not target.exists():
            shutil.copytree(place, target)
    else:
        target = path.with_name(f"{source.path.name}_encoder")
        target.mkdir(exist_ok=True)
        settings = dict(encoders.load(source.path, settings).save(target))
    return settings | {"folder": f"../{target.name}"}


def space_name(data: PreparedData) -> str:
    """Return the name of the folder of the space that a training put its sections into."""
    return str(find(str(data.about["space_of"])).config().space["folder"]).removeprefix("../")


def _copy_space(path: Path, model: str) -> None:
    """Copy the space of a model, and the encoder of its tower, beside ``path`` where they miss."""
    source = find(model)
    space = encoder_folder(source.path, beside(source.config().space))
    for folder in (space, encoder_folder(space, read_json(space / SPACE)["encoder"])):
        if not path.with_name(folder.name).exists():
            shutil.copytree(folder, path.with_name(folder.name))


def _scale(weights: Weights) -> float:
    return float(np.exp(weights["headings.scale"]))


def documents_with_headings(split: SplitData, labels: Sequence[str]) -> Counter[str]:
    """Return in how many documents each heading stands, those that it lies below left out."""
    first = split.label_offsets[:-1]
    named = np.diff(split.label_offsets) > 0
    sections, places = np.unique(split.sections, return_index=True)
    document = np.searchsorted(split.document_offsets, places, side="right")
    pairs = {
        (int(document[i]), int(split.labels[first[section]])) for i, section in enumerate(sections) if named[section]
    }
    return Counter(labels[label] for _, label in pairs)


def _own_parts(phrases: Sequence[str], counts: Mapping[str, int], labels: Sequence[str], own: Floats2d) -> Floats2d:
    """Return what each phrase learned beside its text: that of its most frequent form, zeros for rare ones."""
    numbers = {label: number for number, label in enumerate(labels[: len(own)])}
    best: dict[str, str] = {}
    for heading in sorted(counts, key=lambda heading: -counts[heading]):
        best.setdefault(cleaned(heading).casefold(), heading)
    rows = np.zeros((len(phrases), own.shape[1]), np.float32)
    for row, phrase in zip(rows, phrases, strict=True):
        number = numbers.get(best.get(phrase.casefold(), ""))
        if number is not None:
            row += own[number]
    return rows


def calibrate_titles(path: Path, data: PreparedData, weights: Weights, documents: Sequence[Document]) -> None:
    """Choose on validation documents how much frequencies count, how sure titles are, and when none fits.

    In the space of another model frequencies count as they do there.
    """
    model, scale = load(path), _scale(weights)
    assert model.space is not None
    vectors, gold = _gold_sections(model, documents, model.space)
    known = gold >= 0
    cosines = scale * vectors @ model.space.vectors.T
    if data.about.get("space_of"):
        priors = np.float32(0) if model.space.priors is None else model.space.priors
        sure, right = np.asarray(cosines[known], np.float32), gold[known]
        factor = min(SHARPER, key=lambda factor: _surprise(np.asarray(factor * sure + priors, np.float32), right))
    else:
        frequency = _frequencies(model.space.phrases, documents_with_headings(data.train, data.labels))
        power = max(PRIORS, key=lambda power: _right(cosines[known] + np.float32(power) * frequency, gold[known]))
        logits = cosines + np.float32(power) * frequency
        factor = min(SHARPER, key=lambda factor: _surprise(np.float32(factor) * logits[known], gold[known]))
        priors = np.float32(factor * power) * frequency
        add_priors(space_folder(path), priors)
    best = model.space.vectors[(np.float32(factor) * cosines + priors).argmax(axis=1)]
    threshold = float(np.quantile(np.einsum("ij,ij->i", vectors, best), LEAST_FITTING))
    folder = str(model.config.space["folder"])
    add_space(path, folder, temperature=round(1 / (scale * factor), 5), threshold=round(threshold, 3))


def _gold_sections(model: Model, documents: Sequence[Document], space: Space) -> tuple[Floats2d, Ints1d]:
    """Return the vectors of the author's sections, and the number of each heading in the inventory or −1."""
    places = {phrase.casefold(): number for number, phrase in enumerate(space.phrases)}
    rows: list[Floats2d] = []
    gold: list[int] = []
    for document in documents:
        plain = Document(document.text, language=document.language)
        (reading,) = model.read([plain])
        edges = [*(section.begin for section in document.sections), len(document.text)]
        spans = SectionSpans.between(edges, plain.spans)
        if len(reading) and reading.vectors is not None:
            rows.append(section_vectors(spans, reading.vectors))
            gold += [places.get(cleaned(section.heading).casefold(), -1) for section in document.sections]
    return np.concatenate(rows), np.array(gold)


def _frequencies(phrases: Sequence[str], counts: Mapping[str, int]) -> Floats1d:
    """Return the logarithm of each phrase's frequency, 0 for the rarest."""
    totals: Counter[str] = Counter()
    for heading, count in counts.items():
        totals[cleaned(heading).casefold()] += count
    return np.log(np.array([max(1, totals[phrase.casefold()]) for phrase in phrases], np.float32))


def _right(logits: Floats2d, gold: Ints1d) -> float:
    return float((logits.argmax(axis=1) == gold).mean()) if len(gold) else 0.0


def _surprise(logits: Floats2d, gold: Ints1d) -> float:
    """Return how badly confidences say whether the best title is right."""
    best = logits.max(axis=1, keepdims=True)
    confidence = 1 / np.exp(logits - best).sum(axis=1)
    right = logits.argmax(axis=1) == gold
    return float(-np.log(np.where(right, confidence, 1 - confidence).clip(1e-6)).mean()) if len(gold) else 0.0
