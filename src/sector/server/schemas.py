"""What a request may say: the models behind the OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from sector.runtime.given import MOST

MethodName = Literal["newline", "max", "emd", "bemd", "joint", "main", "changepoint"]
Length = Annotated[int, Field(ge=1, le=1_000_000_000)]
STRICT = ConfigDict(extra="forbid", allow_inf_nan=False)
LabelName = Annotated[str, Field(min_length=1, max_length=200)]
Description = Annotated[str, Field(max_length=1000)]
Names = Annotated[list[LabelName], Field(min_length=1, max_length=MOST)]
Described = Annotated[dict[LabelName, Description], Field(min_length=1, max_length=MOST)]
OwnLabels = Annotated[
    Names | Described | None,
    Field(
        description="Labels of your own in place of the model's: names, or an object with a description of each. "
        "They need a model of open vocabulary; where the one that is asked has labels of its own, such a one answers."
    ),
]


class Options(BaseModel):
    """How documents are segmented, as the options of `sector segment` say it."""

    model_config = STRICT

    model: str | None = Field(None, description="A name that GET /v1/models lists; else the default.")
    segmentation: MethodName | None = Field(None, description="How sections are found; else as the model does it.")
    granularity: float | None = Field(None, gt=0, le=1000, description="2: more sections, 0.5: fewer.")
    sections: int | None = Field(None, ge=1, le=100_000, description="How many sections there are to be.")
    labels: OwnLabels = None
    merge: bool = Field(False, description="Join neighbours that have the same label.")
    max_chars: Length | None = Field(None, description="No section is longer.")
    min_chars: Length | None = Field(None, description="Shorter sections join a neighbour.")
    headings: Literal["use", "only", "ignore"] = Field("use", description="What the author's headings do.")
    details: bool = Field(False, description="Add sentences, their label probabilities and the deviation.")
    keep: bool = Field(False, description="Keep what the model said in memory for a while, for other options.")

    def decoding(self) -> dict[str, Any]:
        """Return what the model's `decode` takes."""
        return self.model_dump(include={"segmentation", "granularity", "sections", "merge", "max_chars", "min_chars"})


class DocumentIn(BaseModel):
    """A document with what is known of it."""

    model_config = STRICT

    text: str
    id: str = Field("", max_length=300)
    title: str = Field("", max_length=300)
    language: str = Field("", pattern="^([a-z]{2,3})?$", description="ISO 639 code; else the model's language.")


class Documents(BaseModel):
    """One text, or a list of documents."""

    text: str | None = Field(None, description="One document; the answer is one object.")
    documents: list[str | DocumentIn] | None = Field(
        None, min_length=1, description="Several documents; the answer is a list."
    )

    @model_validator(mode="after")
    def _one_of_both(self) -> Documents:
        if (self.text is None) == (self.documents is None):
            raise ValueError("give either 'text' or 'documents'")
        return self


class SegmentRequest(Options, Documents):
    """What to segment, and how."""


class ChunkOptions(BaseModel):
    """How documents are divided into chunks, as the options of `sector chunk` say it."""

    model_config = STRICT

    model: str | None = Field(None, description="A name that GET /v1/models lists; else the default.")
    max_tokens: int = Field(512, ge=16, le=100_000, description="No chunk has more tokens.")
    tokenizer: Literal["estimate", "words", "characters"] = Field("estimate", description="What is counted.")
    overlap: int = Field(0, ge=0, le=10, description="Sentences of the chunk before that are repeated.")
    fill: float = Field(0.8, ge=0, le=1, description="Mean share of max_tokens to reach.")
    headings: Literal["use", "only", "ignore"] = Field("use", description="What the author's headings do.")
    labels: OwnLabels = None
    keep: bool = Field(False, description="Keep what the model said in memory for a while, for other options.")


class ChunkRequest(ChunkOptions, Documents):
    """What to divide into chunks, and how."""


class ChunkOut(BaseModel):
    """A chunk of a document, as `sector chunk` prints it."""

    model_config = ConfigDict(extra="allow")

    id: str
    begin: int
    end: int
    tokens: int
    label: str
    confidence: float
    heading: str
    page: int | None
    previous: str | None
    next: str | None
    text: str


class ChunkedOut(BaseModel):
    """A document's chunks."""

    id: str
    model: str
    length: int
    chunks: list[ChunkOut]


class SectionOut(BaseModel):
    """A section of a document."""

    model_config = ConfigDict(extra="allow")

    begin: int
    end: int
    label: str
    confidence: float
    in_domain: float | None = Field(
        None, description="How much it resembles what the model was trained on; absent where the model cannot tell."
    )
    scores: dict[str, float]
    text: str


class Heatmap(BaseModel):
    """Probabilities of the labels that matter, for up to 1,000 groups of neighbouring sentences."""

    columns: int
    labels: dict[str, list[float]]


class DocumentOut(BaseModel):
    """A segmented document, as `sector segment --format json` prints it."""

    model_config = ConfigDict(extra="allow")

    id: str
    model: str
    length: int
    sections: list[SectionOut]
    sentences: list[tuple[int, int]] | None = Field(None, description="Begin and end of each; with 'details'.")
    deviation: list[float] | None = Field(None, description="What the segmentation looked at; with 'details'.")
    heatmap: Heatmap | None = Field(None, description="With 'details'.")


class ErrorOut(BaseModel):
    """Every answer that is no result."""

    error: str = Field(description="What is wrong and what to do next.")
    error_type: str = Field(description="For programs, e.g. 'validation', 'too_large', 'overloaded'.")


class ModelOut(BaseModel):
    """A configured model."""

    name: str
    task: str = Field(description="'open' where it has no fixed labels and takes yours.")
    language: str
    labels: int = Field(description="How many labels it has.")
    segmentation: str = Field(description="How it finds sections by default.")


class ModelsOut(BaseModel):
    """The configured models."""

    default: str
    models: list[ModelOut]
    options: list[str] = Field(description="What a request to POST /v1/segment may say beside the document.")
    chunk_options: list[str] = Field(description="What a request to POST /v1/chunk may say beside the document.")


class ModelLabels(ModelOut):
    """A configured model with its labels."""

    label_names: list[str]


class Status(BaseModel):
    """Whether the service is well."""

    status: str
    detail: str = ""
