"""`sector export`: turn the work folder of a training into a model folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sector.cli import console


def export(
    work: Annotated[Path, typer.Argument(help="The work folder of a training, with prepared.npz and weights.npz.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The model folder to write.")],
) -> None:
    """Turn the work folder of a training into a model folder."""
    from sector.training.job import WorkFolder

    WorkFolder(work).export(output)
    console.out.print(str(output), markup=False)
