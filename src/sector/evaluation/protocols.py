"""Evaluation protocols by name: what published figures mean by Pk, F1 and MAP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sector.errors import ConfigError
from sector.visible import brief


@dataclass(frozen=True, slots=True)
class EvaluationProtocol:
    """The choices that make figures comparable, or not."""

    name: str
    window: Literal["global", "document"] | int = "global"
    """k from the mean gold segment of the whole test set, or of each document, or a number."""
    merging: bool = True
    """Whether neighbours of one name are one segment, in gold and prediction; never for F1 and MAP."""
    candidates: Literal["sentences", "paragraphs", "words"] = "sentences"
    """The units that windows count and between which a boundary may lie."""
    truncation: int | None = None
    """Only so many first sentences of a document are read and scored."""
    pool: Literal["matched+extra", "gold"] = "matched+extra"
    """Examples of F1 and MAP: gold sections only, or also the predicted sections that none matched."""


PROTOCOLS = {
    protocol.name: protocol
    for protocol in (
        EvaluationProtocol("sector"),
        EvaluationProtocol("sections", window="document", merging=False, pool="gold"),
        EvaluationProtocol("per-document-k", window="document"),
        EvaluationProtocol("koshorek", window="document", merging=False),
        EvaluationProtocol("transformer2", window=10, truncation=150),
        EvaluationProtocol("spokennlp", window="document", merging=False, candidates="paragraphs"),
        EvaluationProtocol("choi", window="document", merging=False, candidates="words"),
    )
}


def find_protocol(protocol: str | EvaluationProtocol) -> EvaluationProtocol:
    """Return the protocol of this name; one of your own passes through."""
    if isinstance(protocol, EvaluationProtocol):
        return protocol
    if not isinstance(protocol, str) or protocol not in PROTOCOLS:
        raise ConfigError(f"There is no evaluation protocol {brief(protocol)}; choose one of {', '.join(PROTOCOLS)}.")
    return PROTOCOLS[protocol]
