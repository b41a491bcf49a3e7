"""A tiny model: documents made by rule from our own sentences, and a training of seconds through the real pipeline."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from sector.export.training_run import export_from
from sector.training.config import TrainingConfig
from sector.training.recipe import Recipe
from sector.training.run_folder import RunFolder

PATTERNS = {
    "symptom": (
        "Most patients complain of {0} and {1}.",
        "The first symptom is often {0}, followed by {1}.",
        "Some people feel {0} for days before {1} begins.",
        "A doctor should see anyone with {0} or {1}.",
    ),
    "treatment": (
        "Treatment begins with {0} and continues with {1}.",
        "Doctors prescribe {0}; in severe cases {1} is given.",
        "A course of {0} helps more than {1}.",
        "Therapy with {0} may be combined with {1}.",
    ),
    "history": (
        "The town was founded by {0} and later ruled by {1}.",
        "In the war {0} destroyed the castle of {1}.",
        "A charter of the century names {0} beside {1}.",
        "After the treaty {0} sold the market to {1}.",
    ),
    "climate": (
        "Winters bring {0}, while summers have {1}.",
        "The average month has {0} and little {1}.",
        "Near the coast {0} is common and {1} is rare.",
        "The valley sees {0} in spring and {1} in autumn.",
    ),
}
FILLINGS = {
    "symptom": ("fever", "headache", "nausea", "a dry cough", "dizziness", "a rash", "chest pain", "fatigue"),
    "treatment": ("antibiotics", "surgery", "physiotherapy", "aspirin", "an ointment", "insulin", "radiation", "rest"),
    "history": ("the bishop", "Roman soldiers", "the duke", "merchants", "the emperor", "monks", "the guild", "a king"),
    "climate": ("heavy rain", "snow", "dry wind", "morning fog", "mild sunshine", "frost", "thunderstorms", "hail"),
}
LABELS = tuple(PATTERNS)
HEADINGS = {
    "symptom": "Signs and symptoms",
    "treatment": "Treatment | Drugs",
    "history": "History",
    "climate": "Geography | Climate",
}
HELD_OUT = (
    "The first symptom is often nausea, followed by fatigue. Most patients complain of a rash and chest pain.\n"
    "A doctor should see anyone with dizziness or fever.\n\n"
    "Therapy with insulin may be combined with rest. Doctors prescribe an ointment; in severe cases surgery is given. "
    "A course of aspirin helps more than radiation.\n\n"
    "Winters bring frost, while summers have mild sunshine. Near the coast hail is common and snow is rare. "
    "The average month has morning fog and little dry wind.\n"
)
"""A text of symptom, treatment and climate that is not in the training documents."""
HELD_OUT_LABELS = ("symptom", "treatment", "climate")
TINY = TrainingConfig(
    hidden=32, embedding=16, epochs=12, batch=4, learning_rate=1e-2, warmup=5, dropout=0.2, patience=12, seed=1
)


def record(number: int, seed: int = 7) -> dict[str, Any]:
    """Make one document as a line of our JSON Lines: two to four topics of three to five sentences."""
    chance = random.Random(seed * 1000 + number)
    text, sections = "", []
    for label in chance.sample(LABELS, chance.randint(2, 4)):
        begin = len(text)
        text += " ".join(sentence(label, chance) for _ in range(chance.randint(3, 5))) + "\n\n"
        sections.append({"begin": begin, "end": len(text), "label": label, "heading": HEADINGS[label]})
    return {"id": f"doc-{number}", "text": text, "sections": sections}


def sentence(label: str, chance: random.Random) -> str:
    """Fill one of the label's patterns."""
    return chance.choice(PATTERNS[label]).format(*chance.sample(FILLINGS[label], 2))


def write_documents(path: Path, count: int, seed: int = 7) -> Path:
    """Write documents as JSON Lines."""
    lines = (json.dumps(record(number, seed)) + "\n" for number in range(count))
    path.write_text("".join(lines), encoding="utf-8")
    return path


def options(folder: Path, config: TrainingConfig = TINY, **others: Any) -> Recipe:
    """Return a recipe for training documents that this writes into the folder, unless they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    train = folder / "train.jsonl"
    if not train.exists():
        write_documents(train, 24)
    chosen: dict[str, Any] = {"language": "en", "min_count": 1, "encoder_options": {"positions": 512}} | others
    return Recipe.from_dict(config.to_dict() | {"train": str(train)} | chosen)


def make_model(folder: Path, config: TrainingConfig = TINY, **others: Any) -> Path:
    """Train and give the path of the model folder; there is no validation, so the last epoch counts."""
    work = RunFolder(folder / "tiny.work")
    recipe = options(folder, config, **others)
    work.train(work.prepared(recipe), recipe, "cpu")
    export_from(work.path, folder / "tiny")
    return folder / "tiny"
