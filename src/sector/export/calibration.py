"""Choose on validation documents how many sections a model finds: as many as their authors made, exact ones.

Each document is read as it is and without its line breaks: text with paragraphs and without have a number each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from sector.arrays import Bools1d
from sector.atomic import write_json, write_text
from sector.document import Document
from sector.export.card import model_card
from sector.runtime import Model, load
from sector.runtime.folder import CARD, CONFIG, ModelFolder
from sector.segmentation import Decoded, Joint, Reading, decode
from sector.text.headings import PATH, main_heading

BIASES = np.arange(-3.0, 4.01, 0.125)
"""What is tried."""
LEAST, MOST = 0.92, 1.08
"""How many sections per gold section there may be."""
DOCUMENTS = 300
"""Read at most, evenly spread over the data."""
DIGITS = 2


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """A reading and where its author's sections begin."""

    reading: Reading
    starts: Bools1d
    mains: Bools1d | None
    """Where main sections begin; None where the headings have no levels."""


def calibrate_sections(path: Path, documents: Sequence[Document]) -> dict[str, float]:
    """Write into a model's config how ready it is to begin a section; return F1 and ratio on the documents.

    A model whose default is not ``joint`` stays as it is.
    """
    model = load(path)
    own = model.segmentation
    if not isinstance(own, Joint) or not documents:
        return {}
    gold = list(_read(model, documents[:: -(-len(documents) // DOCUMENTS)]))
    with_lines = [one for one in gold if one.reading.candidates is not None]
    plain = [one for one in gold if one.reading.candidates is None]
    chosen = replace(own, bias=_best(with_lines, lambda value: replace(own, bias=value), _all_starts))
    chosen = replace(chosen, plain_bias=_best(plain, lambda value: replace(chosen, plain_bias=value), _all_starts))
    levelled = [one for one in gold if one.mains is not None]
    if model.task != "topics" and levelled:
        main_bias = _best(levelled, lambda value: replace(chosen, main_bias=value), _main_starts)
        chosen = replace(chosen, main_bias=main_bias)
    _write(path, chosen)
    f1, ratio = _scored(gold, chosen, _all_starts)
    return {"start_f1": 100 * f1, "start_ratio": ratio}


def _write(path: Path, chosen: Joint) -> None:
    config = ModelFolder(path).config()
    settings = {**config.segmentation, "bias": chosen.bias, "plain_bias": chosen.plain_bias}
    settings["main_bias"] = chosen.main_bias
    written = replace(config, segmentation=settings)
    write_json(path / CONFIG, written.to_dict())
    write_text(path / CARD, model_card(path.name, written))


def _read(model: Model, documents: Sequence[Document]) -> Iterable[Gold]:
    for document in documents:
        bare = Document(document.text.replace("\n", " "), language=document.language)
        plain = Document(document.text, language=document.language)
        for read, reading in zip((plain, bare), model.read([plain, bare]), strict=True):
            if len(reading):
                yield _gold(document, read, reading)


def _gold(document: Document, read: Document, reading: Reading) -> Gold:
    """Mark the first sentences of the author's sections."""
    headings = [section.heading for section in document.sections]
    mains = [False, *(main_heading(one) != main_heading(other) for one, other in pairwise(headings))]
    places = np.searchsorted(read.spans.begin, [section.begin for section in document.sections])
    starts, main_starts = np.zeros((2, len(reading) + 1), np.bool_)
    starts[places] = True
    main_starts[places[np.array(mains[: len(places)], np.bool_)]] = True
    nested = any(PATH in heading for heading in headings)
    return Gold(reading, starts[: len(reading)], main_starts[: len(reading)] if nested else None)


def _all_starts(found: Decoded) -> Bools1d:
    return np.ones(len(found.starts), np.bool_)


def _main_starts(found: Decoded) -> Bools1d:
    return _all_starts(found) if found.levels is None else found.levels == 1


StartFilter = Callable[[Decoded], Bools1d]


def _best(gold: Sequence[Gold], made: Callable[[float], Joint], kept: StartFilter) -> float:
    """Return the bias with the best F1 among those with as many sections as gold, else the one with most nearly so."""
    tried = [round(float(value), DIGITS) for value in BIASES]
    scores = [_scored(gold, made(value), kept) for value in tried]
    right = [i for i, (_, ratio) in enumerate(scores) if LEAST <= ratio <= MOST]
    if right:
        return tried[max(right, key=lambda i: scores[i][0])]
    return tried[min(range(len(tried)), key=lambda i: abs(np.log(max(scores[i][1], 1e-9))))]


def _scored(gold: Sequence[Gold], segmentation: Joint, kept: StartFilter) -> tuple[float, float]:
    """Return the F1 of starts and how many sections there are per gold section."""
    matches = predicted = wanted = 0
    for one in gold:
        found = decode(segmentation, one.reading)
        starts = found.starts[kept(found)]
        truth = one.starts if kept is _all_starts or one.mains is None else one.mains
        matches += int(truth[starts[starts > 0]].sum())
        predicted += int((starts > 0).sum())
        wanted += int(truth[1:].sum())
    ratio = (predicted + len(gold)) / (wanted + len(gold))
    return 2 * matches / max(1, predicted + wanted), ratio
