"""Predictions from a file: one JSON object per line, laid beside the gold documents.

A line is what ``Document.to_json`` writes, or only ``{"id", "sections": [{"begin", "end", "label",
"scores"}]}``; label and scores may be absent. Lines are matched by ``id``, or by their order where nothing
has an id.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sector.distribution import Distribution
from sector.document import Document, Section
from sector.errors import DataError
from sector.files import bounded_lines, open_file
from sector.visible import brief

MOST_LINE = 500_000_000
"""Bytes of a prediction; of a longer one what is left is no JSON."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """One line of the file."""

    file: Path
    line: int
    record: dict[str, Any]

    @property
    def id(self) -> str:
        """The document that it is for; empty if it does not say."""
        return str(self.record.get("id", ""))

    def error(self, message: str, field: str | None = None) -> DataError:
        """Make an error that names this line."""
        return DataError(message, file=self.file, record=self.id or f"in line {self.line}", field=field)


def load_predictions(path: str | Path, gold: Sequence[Document]) -> list[Document]:
    """Read a file of predictions and return one predicted document per gold document, in their order."""
    predictions = list(_lines(Path(path)))
    if [entry.id for entry in predictions] != [document.id for document in gold]:
        predictions = _by_id(predictions, gold) if _have_ids(predictions, gold) else _by_order(predictions, gold)
    return [_document(entry, document) for entry, document in zip(predictions, gold, strict=True)]


def _lines(path: Path) -> Iterator[Prediction]:
    with open_file(path) as file:
        for number, line in enumerate(bounded_lines(file, MOST_LINE), start=1):
            if line.strip():
                yield Prediction(path, number, _object(path, number, line))


def _object(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        record = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        raise DataError(f"Line {number} is not JSON ({error}); write one object per line.", file=path) from error
    if not isinstance(record, dict) or not isinstance(record.get("sections"), list):
        raise DataError(f"Line {number} is not an object with a list 'sections'.", file=path)
    return record


def _have_ids(predictions: Sequence[Prediction], gold: Sequence[Document]) -> bool:
    """Return whether to match by id; raises DataError for a file in which only some lines have one."""
    with_id = [entry for entry in predictions if entry.id]
    if with_id and len(with_id) < len(predictions):
        missing = next(entry for entry in predictions if not entry.id)
        raise missing.error("This line has no id but others have; give every line an id, or none.", "id")
    return bool(with_id) and all(document.id for document in gold)


def _by_order(predictions: list[Prediction], gold: Sequence[Document]) -> list[Prediction]:
    if len(predictions) != len(gold):
        raise DataError(
            f"There are {len(predictions)} predictions for {len(gold)} gold documents, "
            "and no ids to match them by; write one line per document, in the same order, or add ids."
        )
    return predictions


def _by_id(predictions: Sequence[Prediction], gold: Sequence[Document]) -> list[Prediction]:
    _refuse_duplicates([entry.id for entry in predictions], "predictions")
    _refuse_duplicates([document.id for document in gold], "gold documents")
    found = {entry.id: entry for entry in predictions}
    wanted = {document.id for document in gold}
    _refuse([name for name in found if name not in wanted], "have no gold document; remove them")
    _refuse([document.id for document in gold if document.id not in found], "have no prediction; add them")
    return [found[document.id] for document in gold]


def _refuse_duplicates(ids: Sequence[str], what: str) -> None:
    repeated = [name for name, count in Counter(ids).items() if count > 1]
    _refuse(repeated, f"occur more than once among the {what}; keep one of each")


def _refuse(ids: Sequence[str], complaint: str) -> None:
    if ids:
        shown = ", ".join(f"'{name}'" for name in ids[:3]) + (" …" if len(ids) > 3 else "")
        raise DataError(f"{len(ids)} of the ids ({shown}) {complaint}.")


def _document(entry: Prediction, gold: Document) -> Document:
    length = entry.record.get("length", len(gold.text))
    if length != len(gold.text):
        raise entry.error(
            f"The prediction is for a text of {length} characters, the gold text has {len(gold.text)}; "
            "predict on the texts that are scored.",
            "length",
        )
    sections = tuple(_section(entry, fields, gold) for fields in entry.record["sections"])
    return Document(gold.text, id=gold.id, given_spans=gold.given_spans, sections=sections)


def _section(entry: Prediction, fields: Any, gold: Document) -> Section:
    if not isinstance(fields, dict):
        raise entry.error("An object with 'begin' and 'end' is expected for each section.", "sections")
    begin, end = (_position(entry, fields, name) for name in ("begin", "end"))
    if not 0 <= begin <= end <= len(gold.text):
        raise entry.error(f"The section {begin}–{end} is not inside the text (0–{len(gold.text)}).", "sections")
    if (fields.get("text") or gold.text[begin:end]) != gold.text[begin:end]:
        raise entry.error(f"The text of the section {begin}–{end} is not the gold document's text.", "text")
    label = fields.get("label") or ""
    return Section(begin, end, str(label), source=gold.text, distribution=_scores(entry, fields))


def _position(entry: Prediction, fields: dict[str, Any], name: str) -> int:
    value = fields.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise entry.error(f"A whole number is expected, not {brief(value)}.", name)
    return value


def _scores(entry: Prediction, fields: dict[str, Any]) -> Distribution | None:
    scores = fields.get("scores") or {}
    if not isinstance(scores, dict) or not all(_is_number(value) for value in scores.values()):
        raise entry.error("An object {label: number} is expected.", "scores")
    return Distribution(tuple(scores), np.array(list(scores.values()), dtype=np.float64)) if scores else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
