"""`sector models` and `sector info`: the embedded models, and a model's card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from sector.cli import console

if TYPE_CHECKING:
    from sector.runtime import ModelFolder


def models(as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False) -> None:
    """List the embedded models; MB counts the encoder that a model shares with others."""
    from rich.table import Table

    from sector import runtime

    records = [_described(runtime.find(name)) for name in runtime.models()]
    if as_json:
        console.print_json(records)
        return
    table = Table("name", "task", "language", box=None)
    for column in ("labels", "MB"):
        table.add_column(column, justify="right")
    for record in records:
        name, task, language, labels, size = record.values()
        table.add_row(name, task, language, f"{labels:,}", f"{size / 1e6:.1f}")
    console.out.print(table)


def _described(folder: ModelFolder) -> dict[str, Any]:
    """Return a model's row; its bytes are those of all its files, with the encoder that it shares."""
    config = folder.config()
    record: dict[str, Any] = {"name": folder.path.name, "task": config.task, "language": config.language}
    size = sum((folder.path / name).stat().st_size for name in config.files)
    return record | {"labels": len(config.labels), "bytes": size}


def info(
    model: Annotated[str, typer.Argument(help="The name of an embedded model, or a model folder.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the model's config.json.")] = False,
) -> None:
    """Show a model's card."""
    from rich.markdown import Markdown

    from sector import runtime

    folder = runtime.find(model)
    config = folder.config()
    if as_json:
        console.print_json(config.to_dict())
        return
    console.out.print(Markdown(folder.card() or f"# {folder.path.name}\n\nThis model has no card."))
