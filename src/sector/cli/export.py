"""`sector export`: write a model folder from a training run or another one, or add to one what its domain is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sector.cli import console
from sector.errors import ConfigError


def export(
    source: Annotated[Path, typer.Argument(help="The work folder of a training run, or a model folder with weights.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The model folder to write; not needed with --domain.")
    ] = None,
    precision: Annotated[
        str, typer.Option(help="float32, float16 (half the size) or int8 (a quarter of the size, and faster).")
    ] = "float32",
    weights: Annotated[bool, typer.Option(help="Keep model.safetensors, for further training.")] = True,
    segmentation: Annotated[
        str, typer.Option(help="Default segmentation of the model: joint where it has a boundary layer, else bemd.")
    ] = "",
    shared: Annotated[
        str, typer.Option(help="Name of a folder next to the model's, for an encoder that several models share.")
    ] = "",
    companion: Annotated[
        str,
        typer.Option(
            help="Name of a faster model next to it, with the same labels, to be averaged with it; or NAME=WEIGHT."
        ),
    ] = "",
    calibrate: Annotated[
        Path | None,
        typer.Option(help="Choose on these validation documents how many sections the model finds (joint)."),
    ] = None,
    measure: Annotated[
        Path | None, typer.Option(help="Evaluate the model on this data and put the result on the model card.")
    ] = None,
    domain: Annotated[
        Path | None, typer.Option(help="Documents like the training ones: the model learns to tell others from them.")
    ] = None,
    held_out: Annotated[
        Path | None, typer.Option(help="With --domain: documents of the same kind that were not trained on.")
    ] = None,
    against: Annotated[
        list[Path] | None, typer.Option(help="With --domain: documents of another kind. May be given up to four times.")
    ] = None,
) -> None:
    """Write a model folder: ONNX graph, input matrix, weights and model card."""
    from sector import segmentation as segmentations
    from sector.export.domain import learn_domain
    from sector.export.training_run import export_measured, recalibrate

    if output is None and (not (domain or calibrate) or measure or segmentation or shared or companion):
        raise ConfigError(
            "Name the model folder to write with --output; only --domain and --calibrate change SOURCE itself."
        )
    if domain is None and (held_out or against):
        raise ConfigError("--held-out and --against belong to --domain; give the documents of the domain, too.")
    if segmentation:
        segmentations.make(segmentation)
    chosen: dict[str, Any] = {
        "precision": precision,
        "with_weights": weights,
        "segmentation": segmentation,
        "shared": shared,
        "companion": companion,
    }
    figures = export_measured(source, output, measure, calibration=calibrate, **chosen) if output else {}
    if calibrate and not output:
        figures = recalibrate(source, calibrate)
    if domain:
        console.figures(learn_domain(output or source, domain, held_out, against or []))
    if figures:
        console.figures(figures)
    console.out.print(str(output or source), markup=False)
