"""`sector train-together`: train several models with a shared encoder."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Any

import typer

from sector.cli import console
from sector.errors import ConfigError


def train_together(
    recipe: Annotated[Path, typer.Argument(help="A TOML file: training options, encoder, a [tasks.NAME] per model.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Output folder, with a folder per model.")],
    data: Annotated[Path, typer.Option(help="Folder of the recipe's data files.")] = Path(),
    device: Annotated[str, typer.Option(help="auto, cpu, cuda or cuda:N.")] = "auto",
    encoder_model: Annotated[
        str | None, typer.Option(help="Folder or name of a Hugging Face encoder, for the encoder transformer.")
    ] = None,
    precision: Annotated[str, typer.Option(help="float32, float16 or int8.")] = "float32",
    weights: Annotated[bool, typer.Option(help="Keep model.safetensors, for further training.")] = True,
    shared: Annotated[
        str, typer.Option(help="Name of a folder for the shared encoder. By default each model has a copy.")
    ] = "",
    resume: Annotated[bool, typer.Option("--resume", help="Continue an interrupted run.")] = False,
    prepare_only: Annotated[bool, typer.Option("--prepare-only", help="Only prepare the training data.")] = False,
) -> None:
    """Train several models that share word vectors or a pretrained encoder, each with its own labels."""
    from sector.runtime.folder import check_target
    from sector.training.measure import measure
    from sector.training.together import Recipe, TogetherFolder

    try:
        record = tomllib.loads(recipe.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{recipe} is not a TOML file: {error}.") from error
    chosen = Recipe.from_dict(_with_model(record, encoder_model), data)
    if shared in chosen.tasks:
        raise ConfigError(f"The shared folder '{shared}' has the name of a task; choose another name for it.")
    for name in chosen.tasks:
        check_target(output / name)
    work = TogetherFolder(output.with_name(output.name + ".work"))
    with console.progress("documents") as bar:
        shown = bar.add_task("preparing", total=None)
        prepared = work.prepare(chosen, lambda count: bar.advance(shown, count))
    if prepare_only:
        console.err.print(
            f"Prepared {work.path}. Train with: python -m sector.training {work.path}/*/prepared.npz "
            f"--output {work.path}\nThen, for each: sector export {work.path}/NAME --output {output}/NAME"
        )
        return
    work.train(prepared, chosen, device, resume, lambda entry: console.err.print(_line(entry), markup=False))
    for name, task in chosen.tasks.items():
        work.task(name).export(output / name, precision=precision, with_weights=weights, shared=shared)
        if "validation" in task.files:
            console.figures(measure(output / name, task.files["validation"]))
        console.out.print(str(output / name), markup=False)


def _with_model(record: dict[str, Any], model: str | None) -> dict[str, Any]:
    options = record.get("encoder_options", {})
    return record | {"encoder_options": {**options, "model": model}} if model and isinstance(options, dict) else record


def _line(entry: dict[str, float]) -> str:
    maps = " ".join(f"{value:.4f}" for key, value in entry.items() if key.startswith("map_"))
    return f"epoch {entry['epoch']:.0f}: loss {entry['loss']:.4f}, validation MAP {maps}, {entry['seconds']:.0f} s"
