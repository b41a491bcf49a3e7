"""Which systems can be compared, in the order of the paper's tables; none is imported before it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from sector.baselines.base import System
from sector.errors import ConfigError

MODEL = "model:"
"""Before the name or the folder of a trained model of ours."""


@dataclass(frozen=True, slots=True)
class SystemEntry:
    """Where a system is and what its rows are called."""

    name: str
    title: str
    """What its rows are called; ``{T}`` is T for topics and H for headings."""
    place: str
    """Module and class, as ``module:Class``, below this package."""
    options: Mapping[str, Any] = field(default_factory=dict)
    tasks: tuple[str, ...] = ("topics", "headings")
    """What it can learn; a system without labels does not care."""
    usual: bool = True
    """Whether it runs where no systems are named."""

    def make(self, segmentations: tuple[str, ...] = ()) -> System:
        """Import the system and make it with its options."""
        module, name = self.place.split(":")
        options = dict(self.options) | ({"rows": segmentations} if segmentations and self.place == OURS else {})
        made: System = getattr(import_module(f"sector.baselines.{module}"), name)(**options)
        return made

    def title_for(self, task: str) -> str:
        """Return the name of its rows for a task."""
        return self.title.replace("{T}", task[0].upper())


OURS = "ours:ModelSystem"
ENTRIES = (
    SystemEntry("whole", "one section", "whole:Whole"),
    SystemEntry("texttiling", "TextTiling", "texttiling:TextTiling"),
    SystemEntry("c99", "C99", "c99:C99"),
    SystemEntry("c99-known", "C99, number of segments known", "c99:C99", {"known": True}, usual=False),
    SystemEntry("topictiling", "TopicTiling", "topictiling:TopicTiling"),
    SystemEntry("bayesseg", "BayesSeg", "bayesseg:BayesSeg"),
    SystemEntry(
        "bayesseg-known", "BayesSeg, number of segments known", "bayesseg:BayesSeg", {"known": True}, usual=False
    ),
    SystemEntry("graphseg", "GraphSeg", "graphseg:GraphSeg"),
    SystemEntry("textseg", "TextSeg", "textseg:TextSeg"),
    SystemEntry("changepoint", "sector changepoint", "splitters.changepoint:ChangePoints"),
    SystemEntry("ruptures", "ruptures KernelCPD", "splitters.ruptures:Ruptures"),
    SystemEntry("textsplit", "textsplit greedy", "splitters.textsplit:TextSplit"),
    SystemEntry("haystack", "Haystack EmbeddingBasedDocumentSplitter", "splitters.haystack:Haystack"),
    SystemEntry("chonkie", "chonkie SemanticChunker", "splitters.chonkie:Chonkie"),
    SystemEntry("llama-index", "LlamaIndex SemanticSplitter", "splitters.llama_index:LlamaIndex"),
    SystemEntry("langchain", "LangChain SemanticChunker", "splitters.langchain:LangChain"),
    SystemEntry("pv", "PV>T", "paragraph_vectors:ParagraphVectors", tasks=("topics",)),
    SystemEntry("cnn", "CNN>{T}", "cnn:SentenceCNN"),
    SystemEntry("s-lstm", "S-LSTM", "s_lstm:SegmentPoolingLSTM"),
    SystemEntry("sec-bow", "SEC>{T}+bow", "ours:TrainedSector", {"encoder": "bow"}),
    SystemEntry("sec-bloom", "SEC>{T}+bloom", "ours:TrainedSector", {"encoder": "bloom"}),
    SystemEntry("sec-bloom-rank", "SEC>{T}+bloom+rank", "ours:TrainedSector", {"encoder": "bloom", "loss": "rank"}),
    SystemEntry("sec-emb", "SEC>{T}+emb", "ours:TrainedSector", {"encoder": "emb"}),
    SystemEntry(
        "sec-emb-rank", "SEC>{T}+emb+rank", "ours:TrainedSector", {"encoder": "emb", "loss": "rank"}, usual=False
    ),
)
SYSTEMS = {entry.name: entry for entry in ENTRIES}


def find(name: str) -> SystemEntry:
    """Return the entry of a system, or of a trained model: ``model:NAME`` or ``model:FOLDER``."""
    if name.startswith(MODEL):
        model = name.removeprefix(MODEL)
        return SystemEntry(name, f"sector {model.rstrip('/').split('/')[-1]}", OURS, {"model": model})
    if name not in SYSTEMS:
        known = ", ".join(SYSTEMS)
        raise ConfigError(f"There is no system '{name}'; choose of: {known}, or a model of ours as {MODEL}NAME.")
    return SYSTEMS[name]


def usual(task: str) -> list[str]:
    """Return the systems that are compared where none are named."""
    return [entry.name for entry in ENTRIES if entry.usual and task in entry.tasks]


def place_of(name: str) -> int:
    """Return where a system stands among all; trained models stand last."""
    return list(SYSTEMS).index(name) if name in SYSTEMS else len(SYSTEMS)
