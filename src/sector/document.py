"""Document, Sentence and Section: what flows through the whole package.

All positions are half-open character spans ``[begin, end)`` in ``Document.text``. A document that a reader
made carries its gold sections; one that a model segmented carries sections that cover the text without a gap.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from sector.arrays import Floats1d, Floats2d
from sector.distribution import Distribution
from sector.errors import DataError
from sector.json_text import json_object, surrogates_apart
from sector.structure import Block, Constraints, Flow, constrain, flow
from sector.text.sentences import SentenceSpans, split_sentences
from sector.visible import amount, escaped, shortened

if TYPE_CHECKING:
    from pandas import DataFrame

JSON_SCORES = 5
"""How many of the best labels a section's JSON carries."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a document, without the white space around it."""

    begin: int
    end: int
    paragraph_end: bool = False
    """Whether a line break, or the end of the text, follows."""
    source: str = field(default="", repr=False, compare=False)
    distribution: Distribution | None = field(default=None, repr=False, compare=False)

    @property
    def text(self) -> str:
        """The sentence itself."""
        return self.source[self.begin : self.end]

    @property
    def scores(self) -> dict[str, float]:
        """``{label: probability}`` of this sentence, best first; empty before a model has read it."""
        return self.distribution.ranked() if self.distribution else {}


@dataclass(frozen=True, slots=True, repr=False)
class Section:
    """A run of sentences on one topic."""

    begin: int
    end: int
    label: str = ""
    """The topic; for a model of headings its best words. Empty where a data set has headings only."""
    heading: str = ""
    """The author's heading, as far as a data set has one; parts of its path are joined by `` | ``."""
    confidence: float = 1.0
    source: str = field(default="", repr=False, compare=False)
    distribution: Distribution | None = field(default=None, repr=False, compare=False)
    level: int = 1
    """1 for a main section, 2 for one inside it."""
    embedding: Floats1d | None = field(default=None, repr=False, compare=False)
    """float32 [dim] of length 1: what the section is about; None before a model has read it. A model of open vocabulary
    puts it into the space of ``Model.embed``."""
    page: int | None = None
    """The page that it begins on, from 1, where the document has pages."""
    label_source: str = ""
    """Where the label of an open vocabulary is from: ``inventory`` (a heading of the model's), ``keyphrase`` (words of
    the section, which no heading fits) or ``given`` (the caller's). Empty for a model with labels of its own."""
    in_domain: float | None = None
    """How much the section resembles what the model was trained on, 0 to 1; None where the model cannot tell."""

    @property
    def text(self) -> str:
        """The section's text, white space included."""
        return self.source[self.begin : self.end]

    @property
    def name(self) -> str:
        """The label, or the heading where there is no label: what neighbours are merged by."""
        return self.label or self.heading

    @property
    def scores(self) -> dict[str, float]:
        """``{label: probability}``, best first."""
        return self.distribution.ranked() if self.distribution else {}

    def __repr__(self) -> str:
        named = [f"{name}={value!r}" for name in ("label", "heading") if (value := getattr(self, name))]
        shown = [f"{self.begin}, {self.end}", *named, f"confidence={self.confidence:.2f}"]
        return f"Section({', '.join(shown)}, text={shortened(self.text)!r})"

    def to_dict(self, scores: int | None = JSON_SCORES) -> dict[str, Any]:
        """Return the JSON object of this section with the ``scores`` best labels (None: all of them)."""
        ranked = self.distribution.ranked(scores) if self.distribution else {}
        record: dict[str, Any] = {"begin": self.begin, "end": self.end, "level": self.level, "label": self.label}
        if self.heading:
            record["heading"] = self.heading
        if self.page is not None:
            record["page"] = self.page
        if self.label_source:
            record["label_source"] = self.label_source
        record["confidence"] = self.confidence
        if self.in_domain is not None:
            record["in_domain"] = round(self.in_domain, 4)
        return record | {"scores": ranked, "text": self.text}


@dataclass(frozen=True, eq=False, repr=False)
class Document:
    """A text with its sentences and sections; immutable."""

    text: str = field(repr=False)
    id: str = ""
    title: str = ""
    language: str = ""
    """ISO 639-1 code, e.g. ``de``; empty when unknown."""
    sections: tuple[Section, ...] = field(default=(), repr=False)
    given_spans: SentenceSpans | None = field(default=None, repr=False)
    """Sentence spans of a data set that fixes them; otherwise the text is split on first use."""
    model: str = ""
    labels: tuple[str, ...] = field(default=(), repr=False)
    probabilities: Floats2d | None = field(default=None, repr=False)
    """float32 [sentences, labels]; float16 for long documents"""
    embeddings: Floats2d | None = field(default=None, repr=False)
    """float32 [sentences, 2·dim]: forward ⊕ backward topic embedding."""
    measure: Callable[[], Floats1d] | None = field(default=None, repr=False)
    """Computes ``deviation``, which not everybody asks for."""
    metadata: Mapping[str, str] = field(default_factory=dict, repr=False)
    """What else a data set says of the document, e.g. its abstract."""
    blocks: tuple[Block, ...] = field(default=(), repr=False)
    """The parts of the layout, in order; none where it says nothing but the ends of paragraphs."""
    format: str = ""
    """What `sector.read` found it to be, e.g. ``pdf``."""
    headings: str = "use"
    """Whether the author's headings cut and name sections: ``use``, ``only`` or ``ignore``."""
    given_texts: Sequence[str] | None = field(default=None, repr=False)
    """What an encoder reads of each sentence, where that is known."""

    @cached_property
    def flow(self) -> Flow:
        """The sentences of the blocks."""
        return flow(self.text, self.blocks, self.language)

    @cached_property
    def constraints(self) -> Constraints | None:
        """Where sections may and must begin by the structure; None without blocks."""
        return constrain(self.blocks, self.flow, self.headings) if self.blocks else None

    @cached_property
    def deviation(self) -> Floats1d | None:
        """float32 [sentences]: what the segmentation looked at; None before a model has read the document."""
        return self.measure() if self.measure else None

    @cached_property
    def spans(self) -> SentenceSpans:
        """The sentences' positions as arrays."""
        if self.given_spans is not None:
            return self.given_spans
        return self.flow.spans if self.blocks else split_sentences(self.text, self.language)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences in order, with scores once a model has read the document."""
        rows: Sequence[Distribution | None] = [None] * len(self.spans)
        if self.probabilities is not None:
            rows = [Distribution(self.labels, row) for row in self.probabilities]
        begins, ends, lasts = (a.tolist() for a in (self.spans.begin, self.spans.end, self.spans.paragraph_end))
        columns = zip(begins, ends, lasts, rows, strict=True)
        return tuple(Sentence(begin, end, last, self.text, row) for begin, end, last, row in columns)

    @cached_property
    def sentence_texts(self) -> list[str]:
        """The sentences as strings: what an encoder reads. Markup and the breaks of wrapped lines are left out."""
        if self.given_texts is not None:
            return list(self.given_texts)
        if self.blocks and self.given_spans is None:
            return self.flow.texts
        begins, ends = self.spans.begin.tolist(), self.spans.end.tolist()
        return [self.text[begin:end] for begin, end in zip(begins, ends, strict=True)]

    def __repr__(self) -> str:
        names = (f"{name}={getattr(self, name)!r}" for name in ("id", "title", "language", "model"))
        shown = ", ".join([amount(len(self.text), "character"), amount(len(self.sections), "section"), *names])
        return f"Document({shown})"

    def __len__(self) -> int:
        return len(self.spans)

    def __iter__(self) -> Iterator[Section]:
        return iter(self.sections)

    def _repr_html_(self) -> str:
        from sector.output.notebook import notebook_html

        return notebook_html(self)

    def to_pandas(self) -> DataFrame:
        """Return a pandas data frame with a row per section."""
        from sector.integrations.pandas import sections_frame

        return sections_frame([self])

    def to_dict(self, scores: int | None = JSON_SCORES) -> dict[str, Any]:
        """Return the JSON object of a segmented document; ``scores=None`` keeps every label."""
        record: dict[str, Any] = {"id": self.id, "model": self.model, "length": len(self.text)}
        if self.title:
            record["title"] = self.title
        if self.language:
            record["language"] = self.language
        return record | {"sections": [section.to_dict(scores) for section in self.sections]}

    def to_json(self, scores: int | None = JSON_SCORES) -> str:
        """Return ``to_dict`` as one line of JSON that any encoding, terminal and reader of lines can be given."""
        record = self.to_dict(scores)
        line = json.dumps(record, ensure_ascii=False)
        return escaped(line)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Document:
        """Read what ``to_dict`` wrote; the text is put together from the sections, which must cover it."""
        try:
            text = "".join(section["text"] for section in record["sections"])
            sections = tuple(_section_from(entry, text) for entry in record["sections"])
            document = cls(
                text=text,
                id=str(record.get("id", "")),
                title=str(record.get("title", "")),
                language=str(record.get("language", "")),
                model=str(record.get("model", "")),
                sections=sections,
            )
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise DataError(
                f"This is not the JSON of a segmented document ({type(error).__name__}: {error})."
            ) from error
        if len(text) != record.get("length", len(text)) or not document.is_covered():
            raise DataError("The sections do not cover the document's text; it was changed after it was written.")
        return document

    @classmethod
    def from_json(cls, line: str) -> Document:
        """Read one line of JSON that ``to_json`` wrote; raises DataError where it is something else.

        Two halves of a surrogate pair that were two characters of the text stay two.
        """
        try:
            return cls.from_dict(json_object(line))
        except DataError:
            if not isinstance(line, str) or (apart := surrogates_apart(line)) == line:
                raise
            return cls.from_dict(json_object(apart))

    def is_covered(self) -> bool:
        """Whether the sections are contiguous, in order and cover the text exactly."""
        edges = [0, *(section.end for section in self.sections)]
        begins = [section.begin for section in self.sections]
        filled = all(section.begin < section.end for section in self.sections)
        return filled and begins == edges[:-1] and edges[-1] == len(self.text)


def _section_from(record: Mapping[str, Any], text: str) -> Section:
    scores = {str(label): float(value) for label, value in record.get("scores", {}).items()}
    values = np.fromiter(scores.values(), dtype=np.float64, count=len(scores))
    return Section(
        begin=int(record["begin"]),
        end=int(record["end"]),
        label=str(record["label"]),
        heading=str(record.get("heading", "")),
        confidence=float(record.get("confidence", 1.0)),
        level=int(record.get("level", 1)),
        page=None if record.get("page") is None else int(record["page"]),
        label_source=str(record.get("label_source", "")),
        in_domain=None if record.get("in_domain") is None else float(record["in_domain"]),
        source=text,
        distribution=Distribution(tuple(scores), values) if scores else None,
    )


def as_document(text: str | Document, language: str = "") -> Document:
    """Return a document of a text; one that says neither its language nor its sentences is split as ``language`` is.

    Raises DataError for what is neither.
    """
    if not isinstance(text, str | Document):
        raise DataError(f"A text is expected, not {type(text).__name__}; give a str, or a Document.")
    if not isinstance(text, Document):
        return Document(text, language=language)
    return text if text.language or text.given_spans is not None else replace(text, language=language)
