"""`sector models` and `sector info`: the embedded models, and a model's card."""

from __future__ import annotations

from typing import Annotated

import typer

from sector.cli import console


def models(as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list.")] = False) -> None:
    """List the embedded models."""
    from rich.table import Table

    from sector import runtime

    rows = [(name, runtime.ModelFolder(runtime.EMBEDDED / name).config()) for name in runtime.models()]
    if as_json:
        records = [{"name": n, "task": c.task, "language": c.language, "labels": len(c.labels)} for n, c in rows]
        console.print_json(records)
        return
    table = Table("name", "task", "language", "labels", box=None)
    for name, config in rows:
        table.add_row(name, config.task, config.language, str(len(config.labels)))
    console.out.print(table)


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
