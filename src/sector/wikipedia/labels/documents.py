"""Labels into documents."""

from __future__ import annotations

from dataclasses import replace

from sector.document import Document
from sector.wikipedia.labels.labelling import Labelling


def label_document(document: Document, labelling: Labelling) -> Document:
    """Return the document with a label for each section, written like WikiSection's: ``disease.symptom``.

    The prefix is the document's type, where it has one.
    """
    prefix = document.metadata.get("type", "")
    sections = tuple(
        replace(section, label=_written(labelling.label(section.heading), prefix)) for section in document.sections
    )
    return replace(document, sections=sections)


def _written(name: str, prefix: str) -> str:
    label = name.replace(" ", "_").replace(".", "_")
    return f"{prefix}.{label}" if prefix else label
