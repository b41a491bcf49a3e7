"""Teach a model folder what its domain is: from documents like those of its training, run through the model itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from shutil import copyfile
from typing import Any

import numpy as np

from sector import datasets
from sector.atomic import write_json, write_text
from sector.digests import file_digest
from sector.document import Document
from sector.encoders.files import write_array
from sector.errors import ConfigError, DataError
from sector.export.card import model_card
from sector.export.fitting import alphabet_of, curve_of, regions_of, spread_of, weights_of
from sector.export.noise import noise
from sector.export.samples import Sample, drawn, measured, rows_of, samples, texts_of
from sector.runtime.domain import LETTERS, REGIONS, TOPICS, Measures, TrainedDomain
from sector.runtime.folder import CARD, CONFIG, ModelFolder
from sector.runtime.letters import Letters
from sector.runtime.model import Model
from sector.training.recipe import data_name

FILES = (LETTERS, TOPICS, REGIONS)
KNOWN, HELD_OUT, OTHERS = 300, 150, 100
"""Documents that are read: known ones, those that the curve is fitted on, and of each set of others."""
LEAST = 50
"""Sections that are needed of each."""
MOST_OTHERS = 4
"""Sets of other documents: more would make the files larger than 100 kB."""


def add_domain(
    folder: Path,
    documents: Iterable[Document],
    held_out: Iterable[Document] | None = None,
    others: Mapping[str, Iterable[Document]] | None = None,
) -> dict[str, float]:
    """Write the statistics of documents into a model folder, its config and its card; what it had is replaced.

    Args:
        folder: of the model.
        documents: such as it was trained on; a few hundred of them are read.
        held_out: others of the same kind, which it was not trained on; None: every third of the documents.
        others: documents of other kinds by their names, against which known ones are told.

    Returns:
        The median score of held-out sections, of noise by its kind, and of the sections of others.

    Raises:
        DataError: too few sections to learn from.
        ConfigError: too many sets of others.
        ModelError: the model is broken.
    """
    if len(others or {}) > MOST_OTHERS:
        raise ConfigError(f"There are {len(others or {})} sets of other documents; give at most {MOST_OTHERS}.")
    model = Model(ModelFolder(folder))
    known, checked = _both(drawn(documents, KNOWN), held_out)
    groups = {"known": known, "held out": checked}
    groups |= {name: drawn(found, OTHERS) for name, found in (others or {}).items()}
    found = {name: list(samples(model, group)) for name, group in groups.items()}
    for name, group in found.items():
        _check(name, group)
    own, held = found.pop("known"), found.pop("held out")
    domain = _calibrated(_measures(model, own, list(found.values())), held)
    shown = {"held out": held} | _noise(model, domain.measures.letters.alphabet, 1) | found
    medians = {name: _median(domain, group) for name, group in shown.items()}
    _write(folder, domain, {"sections": sum(len(one.spans) for one in own), "medians": medians})
    return medians


def learn_domain(
    folder: Path, data: Path, held_out: Path | None = None, against: Sequence[Path] = ()
) -> dict[str, float]:
    """Do as `add_domain` does with files of documents in any format of `sector.datasets`."""
    language = ModelFolder(folder).config().language

    def load(path: Path) -> Iterable[Document]:
        return datasets.load(path, language=language)

    others = {data_name(path): load(path) for path in against}
    return add_domain(folder, load(data), load(held_out) if held_out else None, others)


def _both(known: list[Document], held_out: Iterable[Document] | None) -> tuple[list[Document], list[Document]]:
    if held_out is not None:
        return known, drawn(held_out, HELD_OUT)
    return [one for number, one in enumerate(known) if number % 3], known[::3]


def _check(name: str, group: Sequence[Sample]) -> None:
    sections = sum(len(sample.spans) for sample in group)
    if sections < LEAST:
        raise DataError(
            f"The {name} documents have {sections} sections; {LEAST} are needed to tell what the model does not know."
        )


def _noise(model: Model, alphabet: str, seed: int = 0) -> dict[str, list[Sample]]:
    return {name: list(samples(model, map(Document, texts))) for name, texts in noise(alphabet, seed).items()}


def _measures(model: Model, own: Sequence[Sample], others: Sequence[Sequence[Sample]]) -> Measures:
    letters = Letters(alphabet_of(texts_of(own)))
    noises = list(_noise(model, letters.alphabet).values())
    texts = [[texts_of(group) for group in groups] for groups in (noises, others)]
    weights, scale = weights_of(letters, texts_of(own), *texts)
    rows = [rows_of(own), np.concatenate([rows_of(group) for group in noises]), *map(rows_of, others)]
    return Measures(letters, weights, scale, regions_of(rows))


def _calibrated(measures: Measures, held: Sequence[Sample]) -> TrainedDomain:
    familiar, near, lengths = measured(measures, held)
    letters, topics = spread_of(familiar, lengths), spread_of(near, lengths)
    sums = letters.deviations(familiar, lengths) + topics.deviations(near, lengths)
    return TrainedDomain(measures, letters, topics, *curve_of(sums))


def _median(domain: TrainedDomain, group: Sequence[Sample]) -> float:
    familiar, near, lengths = measured(domain.measures, group)
    sums = domain.letters.deviations(familiar, lengths) + domain.topics.deviations(near, lengths)
    return round(float(np.median(domain.shares(sums))), 4)


def _write(folder: Path, domain: TrainedDomain, record: Mapping[str, Any]) -> None:
    regions = domain.measures.regions
    write_array(folder / LETTERS, domain.measures.weights)
    write_array(folder / TOPICS, regions.projection.astype(np.float16))
    write_array(folder / REGIONS, regions.maps)
    spreads = {"letters": domain.letters, "topics": domain.topics}
    settings = {
        "alphabet": domain.measures.letters.alphabet,
        "scale": domain.measures.scale,
        "offsets": [round(offset, 4) for offset in regions.offsets],
        **{name: [spread.mean, spread.between, spread.within] for name, spread in spreads.items()},
        "centre": domain.centre,
        "width": domain.width,
    }
    _note(folder, settings | dict(record))


def _note(folder: Path, settings: Mapping[str, Any]) -> None:
    """Write the settings into the config, with the checksums of the files, and into the card."""
    config = ModelFolder(folder).config()
    digests = {name: file_digest(folder / name) for name in FILES}
    written = replace(config, domain=dict(settings), files={**config.files, **digests} if config.files else {})
    write_json(folder / CONFIG, written.to_dict())
    write_text(folder / CARD, model_card(folder.name, written))


def copy_domain(source: Path, folder: Path) -> None:
    """Copy the domain of the model folder that this one was made from, if it has any."""
    settings = ModelFolder(source).config().domain
    if settings:
        for name in FILES:
            copyfile(source / name, folder / name)
        _note(folder, settings)
