"""What is trained: every run is `sector train` with a few options."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

RECIPE = Path(__file__).parents[2] / "recipes" / "en_fast.toml"
TOPICS = ("en_disease", "en_city", "pt_disease", "pt_city")
HEADINGS = {"en_disease": 3, "en_city": 3, "en_wiki": 20, "de_wiki": 10}
"""Data sets of headings and the least frequency of a word."""
EMB = {"dropout": 0.3}
BLOOM = {"learn_vectors": False, "word_dropout": 0.0, "dropout": 0.5}


@dataclass(frozen=True)
class PlannedRun:
    data: str
    task: str = "topics"
    encoder: str = "bloom"
    loss: str = "ce"
    seed: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    encoder_options: Mapping[str, Any] = field(default_factory=dict)
    change: str = ""
    """How it differs from the recipe, in the ablation."""
    noise: bool = False
    """Whether noise takes the place of word vectors."""

    @property
    def name(self) -> str:
        parts = (self.data, self.task, self.encoder, self.loss, self.change, str(self.seed))
        return "-".join("".join(char if char.isalnum() else "_" for char in part) for part in parts if part)

    def toml(self) -> str:
        """Return the file that `sector train --config` reads."""
        values: dict[str, Any] = {
            "task": self.task,
            "language": self.data[:2],
            "encoder": self.encoder,
            "loss": self.loss,
        }
        values |= {"seed": self.seed, **self.options}
        lines = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
        lines += ["[encoder_options]", *(f"{key} = {json.dumps(value)}" for key, value in self.encoder_options.items())]
        return "\n".join(lines) + "\n"


def paper(seeds: int) -> Iterator[PlannedRun]:
    """Three seeds of SEC>T+bloom on the English topics, one of everything else."""
    for data in TOPICS:
        for seed in range(1, (seeds if data.startswith("en") else 1) + 1):
            yield PlannedRun(data, seed=seed)
        yield from (
            PlannedRun(data, encoder="bow"),
            PlannedRun(data, encoder="emb", options=EMB),
            PlannedRun(data, loss="rank"),
        )
    for data, count in HEADINGS.items():
        options = {"min_count": count} | ({"epochs": 8} if data == "en_wiki" else {})
        yield PlannedRun(data, "headings", options=options)
        yield PlannedRun(data, "headings", "emb", options=options | EMB)
    for data in ("en_disease", "en_city"):
        yield PlannedRun(data, "headings", loss="rank")


CHANGES: dict[str, Mapping[str, Any]] = {
    "the recipe": {},
    "no boundary layer": {"options": {"boundary": 0.0}},
    "all sentences count alike (balance 0)": {"options": {"balance": 0.0}},
    "last weights instead of their running mean": {"options": {"averaging": 0.0}},
    "no word is dropped": {"options": {"word_dropout": 0.0}},
    "dropout 0.5": {"options": {"dropout": 0.5}},
    "word vectors stay as word2vec made them": {"options": {"learn_vectors": False}},
    "word vectors begin with noise": {"noise": True},
    "mean of the words instead of sum/√n": {"encoder_options": {"pooling": "mean"}},
    "Bloom filter instead of vectors": {"options": BLOOM, "encoder": "bloom"},
    "half as many units (128)": {"options": {"hidden": 128}},
    "twice as many units (512)": {"options": {"hidden": 512}},
    "half of the documents cut to a part (crop 0.5)": {"options": {"crop": 0.5}},
}


def ablation(seeds: int) -> Iterator[PlannedRun]:
    """The recipe of the fast models on en_disease with one change each, and the paper's SEC>T+emb."""
    recipe = tomllib.loads(RECIPE.read_text(encoding="utf-8"))
    vectors = {key: value for key, value in recipe.pop("encoder_options").items() if key != "vectors"}
    options = {key: value for key, value in recipe.items() if key not in ("language", "encoder", "tasks")}
    for seed in range(1, seeds + 1):
        for change, made in CHANGES.items():
            encoder = made.get("encoder", "emb")
            yield PlannedRun(
                "en_disease",
                encoder=encoder,
                seed=seed,
                options=options | made.get("options", {}),
                encoder_options=vectors | made.get("encoder_options", {}) if encoder == "emb" else {},
                change=change,
                noise=made.get("noise", False),
            )
        yield PlannedRun("en_disease", encoder="emb", seed=seed, options=EMB, change="SEC>T+emb, the paper's")


PLANS: dict[str, Callable[[int], Iterator[PlannedRun]]] = {"paper": paper, "ablation": ablation}
