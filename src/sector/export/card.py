"""The model card: what a model does, what it reaches and how it was trained, made from the record of its run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sector.runtime.folder import ModelConfig
from sector.training.config import TrainingConfig

LANGUAGES = {"en": "English", "de": "German", "pt": "Portuguese", "fr": "French", "es": "Spanish", "it": "Italian"}
LISTED = 60
"""Labels that a card names; of more, the first ones."""
SPLITS = {"train": "training documents", "validation": "validation documents"}
COUNTED = ("documents", "sentences")
TITLES = {
    "multitask": "multi-task training of",
    "together": "multi-task training of",  # in models of older versions
    "fingerprint": "fingerprint of the data",
}
MEASURES = {
    "documents": "documents",
    "segmentation": "segmentation",
    "protocol": "protocol",
    "start_f1": "exact section starts, F1",
    "start_ratio": "sections predicted / gold",
    "pk": "Pk ↓",
    "wd": "WindowDiff ↓",
    "boundary_f1": "boundary F1",
    "f1": "F1",
    "map": "MAP",
    "p1": "P@1",
    "gold_f1": "F1, gold sections only",
    "gold_p1": "P@1, gold sections only",
    "sentence_accuracy": "sentence accuracy",
    "ece": "calibration error ↓",
    "change_by_precision": "change by fewer bits",
    "date": "measured",
}
"""What is shown of each data set."""
CARD = """# {name}

{purpose}

## Labels

{labels}

## Results

{results}

## Training

{training}

## Use

```python
import sector

model = sector.load("{name}")
for section in model.segment(text).sections:
    print(section.begin, section.end, section.label, section.confidence)
```

The labels fit documents like those that the model was trained on. On other kinds of text the sections remain usable; a
low confidence means that a label is a guess, and a low `section.in_domain` that the text is unlike what the model was
trained on. `config.json` has every option of the training.
"""


def model_card(name: str, config: ModelConfig) -> str:
    """Return the card as Markdown."""
    return CARD.format(
        name=name,
        purpose=_purpose(config),
        labels=_labels(config),
        results="\n\n".join(_results(name, config.metrics)) or "None were measured.",
        training=_table("", "", _training(config)),
    )


def _purpose(config: ModelConfig) -> str:
    language = LANGUAGES.get(config.language, f"'{config.language}'" if config.language else "")
    named = {
        "topics": f"labels each of them with one of {len(config.labels)} topics",
        "headings": f"labels each of them with the words of its heading, out of {len(config.labels):,} words",
        "open": "titles each of them with a heading from an inventory, or with words of its own",
    }[config.task]
    return f"Splits {f'{language} ' if language else ''}documents into sections and {named}."


def _labels(config: ModelConfig) -> str:
    if not config.labels:
        return (
            "Titles come from the inventory `headings.txt` of its space of headings; where none fits, a title is a key "
            "phrase of the section. Any labels of yours work too, without training: `--labels`, `segment(labels=…)`. "
            "F1 and MAP below ask for the author's very words, out of the whole inventory."
        )
    shown = ", ".join(f"`{label}`" for label in config.labels[:LISTED])
    return shown + (f" and {len(config.labels) - LISTED:,} more." if len(config.labels) > LISTED else ".")


def _results(name: str, metrics: Mapping[str, Any]) -> Iterator[str]:
    """Yield a table with a column per data set, and what is known of single sentences."""
    measured = {data: found for data, found in metrics.items() if isinstance(found, Mapping)}
    if measured:
        head = " | ".join(measured)
        hidden = {"p1", "gold_p1"} if any("f1" in found for found in measured.values()) else set()
        shown = [key for key in MEASURES if key not in hidden and any(key in found for found in measured.values())]
        rows = [(MEASURES[key], " | ".join(_value(found.get(key)) for found in measured.values())) for key in shown]
        yield f"Printed by `sector evaluate {name} DATA`, in percent where a measure is a share."
        yield _table("measure", head, rows, len(measured))
    plain = [f"{key.replace('_', ' ')} {_value(value)}" for key, value in metrics.items() if key not in measured]
    if plain:
        yield f"Single sentences and calibration: {', '.join(plain)}."


def _training(config: ModelConfig) -> Iterator[tuple[str, str]]:
    data = dict(config.data)
    for split, title in SPLITS.items():
        if data.get(f"{split}_data"):
            counts = {part: data.get(f"{split}_{part}") for part in COUNTED}
            numbers = ", ".join(f"{count:,} {part}" for part, count in counts.items() if count)
            yield title, f"{data[f'{split}_data']}: {numbers}"
    used = {f"{split}_{part}" for split in SPLITS for part in ("data", *COUNTED)}
    named = {key: TITLES.get(key, key.replace("_", " ")) for key in data if key not in used}
    yield from ((title, _value(data[key])) for key, title in named.items() if data[key])
    if config.domain.get("medians"):
        medians = config.domain["medians"].items()
        yield "in-domain score, medians", ", ".join(f"{name} {_value(value)}" for name, value in medians)
    encoder = dict(config.encoder)
    yield "encoder", f"`{encoder.pop('name', '')}`: {_options(encoder)}"
    if config.companion:
        yield "companion", f"`{config.companion.get('model')}`, with the weight {config.companion.get('share')}"
    yield "network", _options(config.network.to_dict())
    yield "default segmentation", str(config.segmentation.get("name", ""))
    defaults = TrainingConfig().to_dict()
    changed = {key: value for key, value in config.training.items() if defaults.get(key) != value}
    yield "options that are not the defaults", _options(changed) or "none"
    yield "written by", f"sector {config.version}"


def _options(record: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} = {_value(value)}" for key, value in record.items() if value not in ("", None, {}))


def _value(value: Any) -> str:
    """Return a value as it is read in a table; of a list only its length."""
    if value is None:
        return "–"
    if isinstance(value, Mapping):
        return f"({_options(value)})"
    if isinstance(value, list | tuple):
        return f"{len(value)} rows"
    return f"{value:.4g}" if isinstance(value, float) else str(value).replace("|", "\\|")


def _table(left: str, right: str, rows: Iterator[tuple[str, str]] | list[tuple[str, str]], columns: int = 1) -> str:
    lines = [f"| {left} | {right} |", "| --- |" + " --- |" * columns]
    return "\n".join([*lines, *(f"| {one} | {other} |" for one, other in rows)])
