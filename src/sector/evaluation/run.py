"""Evaluate a model: let it segment the documents and score what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

from sector.document import Document
from sector.documents import documents_among
from sector.errors import ConfigError
from sector.evaluation.labels import Relevant
from sector.evaluation.protocols import EvaluationProtocol, find_protocol
from sector.evaluation.report import Report
from sector.evaluation.scoring import Scorer, pair_up, score_pairs
from sector.evaluation.segments import cut
from sector.tasks import TaskName


class Segmenter(Protocol):
    """Anything that segments documents: a loaded model, a baseline, a wrapped foreign system."""

    def segment_all(self, documents: Iterable[str | Document], /, *, segmentation: Any = None) -> Iterator[Document]:
        """Return a segmented document for each document, in order."""
        ...


def evaluate(
    model: Segmenter,
    documents: Iterable[Document],
    segmentation: Any = None,
    protocol: str | EvaluationProtocol = "sector",
    task: TaskName | None = None,
    *,
    relevant: Relevant | None = None,
    watch: Callable[[Iterator[Document]], Iterable[Document]] = iter,
    bootstrap: int = 0,
    seed: int = 0,
) -> Report:
    """Segment gold documents with a model and score the result.

    Args:
        model: anything with `segment_all`. It sees the text and the sentences of a document, never its gold sections.
        documents: gold documents, which need not fit into memory.
        segmentation: passed to the model; None is its own default.
        protocol: the name of a protocol, or one of your own.
        task: "topics" or "headings"; by default the model's.
        relevant: returns the right labels of a gold section; by default its topic, or the words of its heading.
        watch: is given the iterator of predictions and passes it on, e.g. to count them on a progress bar.
        bootstrap: number of resamples for 95 % intervals; 0 for none.
        seed: of the resampling.

    Returns:
        The figures as fractions from 0 to 1.

    Raises:
        ConfigError: an unknown segmentation, protocol or task.
        DataError: there is no document with a sentence.
    """
    chosen = find_protocol(protocol)
    config = getattr(model, "config", None)
    scorer = Scorer(
        chosen,
        getattr(model, "task", None) or "topics" if task is None else task,
        getattr(model, "labels", ()),
        relevant,
        getattr(config, "language", ""),
    )
    if not callable(getattr(model, "segment_all", None)):
        raise ConfigError(f"A model with 'segment_all' is expected, not {type(model).__name__}; see sector.load.")
    gold = [cut(document, chosen.truncation) for document in documents_among(documents)]
    predicted = model.segment_all((unlabelled(document) for document in gold), segmentation=segmentation)
    name = segmentation_name(segmentation, model)
    return score_pairs(pair_up(gold, watch(predicted)), scorer, segmentation=name, bootstrap=bootstrap, seed=seed)


def unlabelled(document: Document) -> Document:
    """Return the document without its gold sections, so that no model can read the answer."""
    return Document(
        text=document.text,
        id=document.id,
        title=document.title,
        language=document.language,
        given_spans=document.spans,
    )


def segmentation_name(segmentation: Any, model: object) -> str:
    """Return what the report calls a segmentation; for None the model's configuration is asked."""
    if segmentation is None:
        settings = getattr(getattr(model, "config", None), "segmentation", None)
        return str(settings.get("name", "default")) if isinstance(settings, Mapping) else "default"
    if isinstance(segmentation, str):
        return segmentation
    return str(getattr(segmentation, "name", type(segmentation).__name__))
