"""`sector train`: train a model on labelled documents, or several models that share an encoder."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sector.cli import console
from sector.cli.options import DeviceOption
from sector.errors import ConfigError
from sector.files import read_options

if TYPE_CHECKING:
    from sector.training.prepared import PreparedData
    from sector.training.recipe import Recipe
    from sector.training.run_folder import RunFolder


def train(
    data: Annotated[
        Path, typer.Argument(help="Training documents in any supported format; for a multi-task recipe, their folder.")
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The model folder to write; of a recipe, that of all models."),
    ],
    validation: Annotated[Path | None, typer.Option(help="Validation documents, for early stopping.")] = None,
    task: Annotated[str | None, typer.Option(help="topics (default) or headings.")] = None,
    encoder: Annotated[
        str | None,
        typer.Option(help="bow, bloom, emb or transformer; by default the frozen encoder of a pretrained model."),
    ] = None,
    vectors: Annotated[Path | None, typer.Option(help="Word vectors for emb. By default they are trained.")] = None,
    encoder_model: Annotated[
        str | None,
        typer.Option(help="Folder or name of a Hugging Face encoder, or a sector model, whose encoder stays frozen."),
    ] = None,
    loss: Annotated[str | None, typer.Option(help="ce (default), rank, or softmax for headings.")] = None,
    epochs: Annotated[int | None, typer.Option(help="Maximum number of epochs.")] = None,
    seed: Annotated[int | None, typer.Option(help="Random seed (default 1).")] = None,
    device: DeviceOption = "auto",
    language: Annotated[str | None, typer.Option(help="Language of the documents, e.g. en or de.")] = None,
    min_count: Annotated[int | None, typer.Option(help="Minimum frequency of a heading word (default 3).")] = None,
    flags: Annotated[bool | None, typer.Option(help="Paragraph ends and list items as features.")] = None,
    teacher: Annotated[
        list[str] | None,
        typer.Option(help="Distil this model of the same labels; in a recipe TASK=MODEL."),
    ] = None,
    unlabelled: Annotated[Path | None, typer.Option(help="Unlabelled documents, for distillation only.")] = None,
    config: Annotated[
        Path | None, typer.Option(help="A TOML recipe with any options; tables [tasks.NAME] train several models.")
    ] = None,
    precision: Annotated[str, typer.Option(help="Stored as float32, float16 or int8.")] = "float32",
    weights: Annotated[bool, typer.Option(help="Write model.safetensors as well.")] = True,
    shared: Annotated[str, typer.Option(help="Name of a folder for an encoder that the models share.")] = "",
    resume: Annotated[bool, typer.Option("--resume", help="Continue an interrupted run.")] = False,
    prepare_only: Annotated[bool, typer.Option("--prepare-only", help="Only prepare the training data.")] = False,
    tensorboard: Annotated[Path | None, typer.Option(help="Write TensorBoard scalars to this folder.")] = None,
) -> None:
    """Train a model on labelled documents and write a model folder with its card."""
    from sector.export.training_run import export_measured
    from sector.runtime.folder import check_target
    from sector.training.defaults import defaults
    from sector.training.recipe import Recipe
    from sector.training.run_folder import RunFolder, is_frozen

    own = {"train": data, "validation": validation, "task": task, "min_count": min_count}
    own |= {"flags": flags, "unlabelled": unlabelled}
    common = {"encoder": encoder, "language": language, "loss": loss, "epochs": epochs, "seed": seed}
    record = _merged(_from_file(config), own, common, teacher or [])
    _choose_encoder(record, vectors, encoder_model, encoder)
    if config is None and "encoder" not in record and not teacher:
        check_target(output)
        record = defaults(data, record)
    recipe = Recipe.from_dict(record, data if "tasks" in record else Path())
    if shared in recipe.tasks and shared:
        raise ConfigError(f"The shared folder '{shared}' has the name of a task; choose another name for it.")
    for name in recipe.tasks:
        check_target(output / name)
    run = RunFolder(output.with_name(output.name + ".work"))
    prepared = _prepare(run, recipe)
    if prepare_only:
        console.err.print(_next_steps(run.path, output, recipe.is_multitask), markup=False)
        return
    first = next(iter(prepared.values()))
    if is_frozen(first, recipe.training):
        run.check_device(device)
        sentences = sum(split.sentences for one in prepared.values() for split in one.splits.values())
        console.err.print(f"The encoder reads all {sentences:,} sentences once, before the first epoch.")
    _train(run, prepared, recipe, device, resume, tensorboard)
    for name, chosen in recipe.tasks.items():
        options = {"precision": precision, "with_weights": weights, "shared": shared}
        figures = export_measured(
            run.task(name), output / name, chosen.validation, calibration=chosen.validation, **options
        )
        _tell_others(output / name, chosen.train, chosen.validation)
        if figures:
            console.figures(figures)
        console.out.print(str(output / name), markup=False)


def _from_file(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        return tomllib.loads(read_options(path))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path} is not a TOML file: {error}.") from error


def _merged(record: dict[str, Any], own: dict[str, Any], common: dict[str, Any], teachers: list[str]) -> dict[str, Any]:
    """Return a recipe's record in which the options of the command have taken the places of the file's."""
    record |= {name: value for name, value in common.items() if value is not None}
    given = {name: value for name, value in own.items() if value is not None}
    tables = record.get("tasks")
    if tables is None:
        if len(teachers) > 1:
            raise ConfigError("A model has one teacher; give --teacher once.")
        return record | given | ({"teacher": teachers[0]} if teachers else {})
    misplaced = [name for name in given if name != "train"]
    if misplaced:
        raise ConfigError(f"The recipe has several tasks: write '{misplaced[0]}' into a table [tasks.NAME].")
    for entry in teachers:
        name, _, model = entry.partition("=")
        if not isinstance(tables, dict) or not isinstance(tables.get(name), dict) or not model:
            raise ConfigError(f"--teacher {entry!r} names no task of the recipe; give TASK=MODEL.")
        tables[name]["teacher"] = model
    return record


def _choose_encoder(record: dict[str, Any], vectors: Path | None, model: str | None, encoder: str | None) -> None:
    """Add the encoder options of the command line to the recipe."""
    named = ({"vectors": str(vectors)} if vectors else {}) | ({"model": model} if model else {})
    options = record.get("encoder_options", {})
    if named and isinstance(options, dict):
        record["encoder_options"] = options | named
    if model and encoder is None:
        record.setdefault("encoder", "transformer")


def _next_steps(work: Path, output: Path, multitask: bool) -> str:
    several, name = ("/*", "/NAME") if multitask else ("", "")
    return (
        f"Prepared {work}. Train with: python -m sector.training {work}{several}/prepared.npz --output {work}\n"
        f"Then{', for each' if multitask else ''}: sector export {work}{name} --output {output}{name}"
    )


def _prepare(run: RunFolder, recipe: Recipe) -> dict[str, PreparedData]:
    with console.progress("documents") as bar:
        task = bar.add_task("preparing", total=None)
        return run.prepared(recipe, lambda count: bar.advance(task, count))


def _train(
    run: RunFolder,
    prepared: dict[str, PreparedData],
    recipe: Recipe,
    device: str,
    resume: bool,
    tensorboard: Path | None,
) -> None:
    writer = _writer(tensorboard)
    with console.progress("epochs") as bar:
        task = bar.add_task("training", total=recipe.training.epochs)

        def report(entry: dict[str, float]) -> None:
            shown = f"loss {entry['loss']:.3f}  MAP {entry['map']:.3f}  {entry['documents_per_second']:.0f} docs/s"
            bar.update(task, completed=entry["epoch"], description=shown)
            if recipe.is_multitask:
                console.err.print(_line(entry), markup=False)
            if writer:
                for name in ("loss", "map", "documents_per_second"):
                    writer.add_scalar(name, entry[name], int(entry["epoch"]))

        run.train(prepared, recipe, device, resume, report)
    if writer:
        writer.close()


def _line(entry: dict[str, float]) -> str:
    maps = " ".join(f"{value:.4f}" for key, value in entry.items() if key.startswith("map_"))
    return f"epoch {entry['epoch']:.0f}: loss {entry['loss']:.4f}, validation MAP {maps}, {entry['seconds']:.0f} s"


def _tell_others(folder: Path, train: Path, validation: Path | None) -> None:
    """Let the model learn what its documents are like; too few are no failure of the training."""
    from sector.errors import DataError
    from sector.export.domain import learn_domain

    try:
        learn_domain(folder, train, validation)
    except DataError as error:
        console.warn(f"{folder} cannot tell documents of other kinds: {error}")


def _writer(folder: Path | None) -> Any:
    if folder is None:
        return None
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError as error:
        from sector.errors import MissingExtraError

        raise MissingExtraError("tensorboard", "tensorboard") from error
    return SummaryWriter(str(folder))
