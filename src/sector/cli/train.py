"""`sector train`: train a model on labelled documents."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sector.cli import console
from sector.errors import ConfigError

if TYPE_CHECKING:
    from sector.training.config import TrainingConfig
    from sector.training.job import DataOptions, RunFolder
    from sector.training.prepared import PreparedData

DATA_KEYS = ("task", "encoder", "language", "min_count", "flags")
"""Keys of a configuration file besides the training options and the table ``encoder_options``."""


def train(
    data: Annotated[Path, typer.Argument(help="Training documents in any supported format.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The model folder to write.")],
    validation: Annotated[Path | None, typer.Option(help="Validation documents, for early stopping.")] = None,
    task: Annotated[str | None, typer.Option(help="topics (default) or headings.")] = None,
    encoder: Annotated[
        str | None, typer.Option(help="bow, bloom (default), emb or transformer (default with --encoder-model).")
    ] = None,
    vectors: Annotated[Path | None, typer.Option(help="Word vectors for emb. By default they are trained.")] = None,
    encoder_model: Annotated[
        str | None,
        typer.Option(help="Folder or name of a Hugging Face encoder, or a sector model, whose encoder stays frozen."),
    ] = None,
    loss: Annotated[str | None, typer.Option(help="ce (default), rank, or softmax for headings.")] = None,
    epochs: Annotated[int | None, typer.Option(help="Maximum number of epochs (default 20).")] = None,
    seed: Annotated[int | None, typer.Option(help="Random seed (default 1).")] = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda or cuda:N.")] = "auto",
    language: Annotated[str | None, typer.Option(help="Language of the documents, e.g. en or de.")] = None,
    min_count: Annotated[int | None, typer.Option(help="Minimum frequency of a heading word (default 3).")] = None,
    flags: Annotated[
        bool | None, typer.Option(help="Give the network paragraph ends and list items as features.")
    ] = None,
    teacher: Annotated[str, typer.Option(help="Distil this model, which must have the same labels.")] = "",
    unlabelled: Annotated[Path | None, typer.Option(help="Unlabelled documents, for distillation only.")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with training options.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue an interrupted run.")] = False,
    prepare_only: Annotated[bool, typer.Option("--prepare-only", help="Only prepare the training data.")] = False,
    tensorboard: Annotated[Path | None, typer.Option(help="Write TensorBoard scalars to this folder.")] = None,
) -> None:
    """Train a model on labelled documents and write a model folder with its card."""
    from sector.runtime.folder import check_target
    from sector.training.job import DataOptions, RunFolder, is_frozen
    from sector.training.measure import measure

    check_target(output)
    given = _from_file(config)
    choices = {"task": task, "encoder": encoder, "language": language, "min_count": min_count, "flags": flags}
    chosen = {key: given.pop(key) for key in DATA_KEYS if key in given}
    chosen |= {key: value for key, value in choices.items() if value is not None}
    if encoder_model:
        chosen.setdefault("encoder", "transformer")
    encoder_options = _encoder_options(given.pop("encoder_options", {}), vectors, encoder_model)
    overridden = {"loss": loss, "epochs": epochs, "seed": seed}
    training = _training_config(given | {key: value for key, value in overridden.items() if value is not None})
    chosen |= {"teacher": teacher, "unlabelled": unlabelled}
    options = DataOptions(train=data, validation=validation, encoder_options=encoder_options, **chosen)
    work = RunFolder(output.with_name(output.name + ".work"))
    prepared = _prepare(work, options)
    if prepare_only:
        console.err.print(
            f"Prepared {work.path}. Train with: python -m sector.training {work.path}/prepared.npz "
            f"--output {work.path}\nThen: sector export {work.path} --output {output}"
        )
        return
    if is_frozen(prepared, training):
        sentences = sum(split.sentences for split in prepared.splits.values())
        console.err.print(f"The encoder reads all {sentences:,} sentences once, before the first epoch.")
    _train(work, prepared, training, device, resume, tensorboard)
    work.export(output)
    if validation:
        console.figures(measure(output, validation))
    console.out.print(str(output), markup=False)


def _from_file(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not a TOML file: {error}.") from error


def _encoder_options(given: Any, vectors: Path | None, model: str | None) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise ConfigError(f"'encoder_options' must be a table of the encoder's options, not {given!r}.")
    return given | ({"vectors": str(vectors)} if vectors else {}) | ({"model": model} if model else {})


def _training_config(options: dict[str, Any]) -> TrainingConfig:
    from sector.training.config import TrainingConfig

    return TrainingConfig.from_dict(options)


def _prepare(work: RunFolder, options: DataOptions) -> PreparedData:
    with console.progress("documents") as bar:
        task = bar.add_task("preparing", total=None)
        return work.prepared(options, lambda count: bar.advance(task, count))


def _train(
    work: RunFolder,
    prepared: PreparedData,
    config: TrainingConfig,
    device: str,
    resume: bool,
    tensorboard: Path | None,
) -> None:
    writer = _writer(tensorboard)
    with console.progress("epochs") as bar:
        task = bar.add_task("training", total=config.epochs)

        def report(entry: dict[str, float]) -> None:
            shown = f"loss {entry['loss']:.3f}  MAP {entry['map']:.3f}  {entry['documents_per_second']:.0f} docs/s"
            bar.update(task, completed=entry["epoch"], description=shown)
            if writer:
                for name in ("loss", "map", "documents_per_second"):
                    writer.add_scalar(name, entry[name], int(entry["epoch"]))

        work.train(prepared, config, device, resume, report)
    if writer:
        writer.close()


def _writer(folder: Path | None) -> Any:
    if folder is None:
        return None
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError as error:
        from sector.errors import MissingExtraError

        raise MissingExtraError("tensorboard", "tensorboard") from error
    return SummaryWriter(str(folder))
