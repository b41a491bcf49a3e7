"""The model card: what a run was, in words, made from its own record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sector.runtime.folder import ModelConfig

PARTS = """# {name}

A SECTOR model of {what} for {language} text, trained with sector {version}.

| | |
| --- | --- |
| task | {task}, {labels} labels |
| encoder | {encoder} |
| network | {network} |
| default segmentation | {segmentation} |
{companion}| trained on | {data} |
| training | {training} |

## Figures

{figures}

A row that names a data set is what `sector evaluate {name} DATA` prints for it, in percent.

## Use

```python
import sector

model = sector.load("{name}")
for section in model.segment(text).sections:
    print(section.begin, section.end, section.label, section.confidence)
```

Labels are only as good as their fit to your documents: on text of another kind the sections remain usable, and a low
confidence says that the label is a guess.
"""


def model_card(name: str, config: ModelConfig) -> str:
    """Write the card as Markdown."""
    return PARTS.format(
        name=name,
        what="topics" if config.task == "topics" else "heading words",
        language=config.language or "any",
        version=config.version,
        task=config.task,
        labels=len(config.labels),
        encoder=_pairs(config.encoder),
        network=_pairs(config.network.to_dict()),
        segmentation=_pairs(config.segmentation),
        companion=f"| companion | {_pairs(config.companion)} |\n" if config.companion else "",
        data=_pairs(config.data),
        training=_pairs(config.training),
        figures=_figures(config.metrics),
    )


def _pairs(record: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {_number(value)}" for key, value in record.items() if value not in ("", None, {}))


def _figures(metrics: Mapping[str, Any]) -> str:
    """Make one table row per data set, and one per plain figure."""
    rows = [
        f"| {name.replace('_', ' ')} | {_pairs(value) if isinstance(value, Mapping) else _number(value)} |"
        for name, value in metrics.items()
    ]
    return "\n".join(["| measure | value |", "| --- | --- |", *rows]) if rows else "None were measured."


def _number(value: Any) -> str:
    """Show a value; of a table only its size."""
    if isinstance(value, list | tuple):
        return f"of {len(value)} rows"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
