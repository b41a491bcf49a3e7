"""From a finished training, or from another model folder, to a model folder; measured, where there is data for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sector import datasets, encoders
from sector.document import Document
from sector.errors import ModelError
from sector.export.calibration import calibrate_sections
from sector.export.domain import copy_domain
from sector.export.given_labels import calibrate_given
from sector.export.measure import measure
from sector.export.model_folder import export_model, read_weights
from sector.export.open_model import calibrate_titles, export_space, space_folder, space_name
from sector.network.config import NetworkConfig
from sector.runtime.folder import CONFIG, ModelConfig, ModelFolder
from sector.training.prepared import PreparedData
from sector.training.run_folder import PREPARED, TRAINED
from sector.training.sequences import joint_options


def export_from(
    source: Path,
    path: Path,
    *,
    precision: str = "float32",
    with_weights: bool = True,
    segmentation: str = "",
    shared: str = "",
    companion: str = "",
) -> None:
    """Write a model folder from the folder of a training run, or from another model folder that has its weights.

    Without ``segmentation`` the model keeps its own default; ``shared`` is the name of a folder beside the model's for
    an encoder that several models have in common, ``companion`` that of a model that is to be mixed into this one.
    Raises ModelError if the training is not finished or its files do not fit together.
    """
    options: dict[str, Any] = {"precision": precision, "with_weights": with_weights}
    options |= {"shared": shared, "companion": companion}
    if not (source / CONFIG).is_file():
        _export_run(source, path, segmentation, options)
        return
    folder = ModelFolder(source)
    config = folder.config()
    encoder = encoders.load(source, config.encoder)
    config = replace(config, domain={})
    if segmentation and segmentation != config.segmentation.get("name"):
        config = replace(config, segmentation={"name": segmentation})
    export_model(path, config, encoder, read_weights(folder), **options)
    copy_domain(source, path)


def export_measured(
    source: Path, path: Path, data: Path | None, *, calibration: Path | None = None, **options: Any
) -> dict[str, Any]:
    """Export with the options of `export_from`; return the figures on ``data``, which the card then has too.

    Of a model that is stored in fewer bits the figures say what that changed. Without data there are none. On the
    documents of ``calibration`` is chosen how many sections the model finds and how sure its titles are.
    """
    export_from(source, path, **options)
    if calibration:
        _calibrate(source, path, calibration)
    if data is None:
        return {}
    if options.get("precision", "float32") == "float32" or ModelFolder(path).config().task == "open":
        return measure(path, data)
    with TemporaryDirectory(prefix=".sector-", dir=path.parent) as folder:  # a companion is beside it
        exact = Path(folder)
        export_from(source, exact, **options | {"precision": "float32", "with_weights": False, "shared": ""})
        return measure(path, data, exact)


def recalibrate(path: Path, data: Path) -> dict[str, float]:
    """Choose on documents how many sections a finished model finds, and how near labels of a caller must be.

    Returns the F1 of section starts on them, in percent, and how many there are per gold section.
    """
    return _recalibrate(path, datasets.load(data, language=ModelFolder(path).config().language))


def _recalibrate(path: Path, documents: Sequence[Document]) -> dict[str, float]:
    figures = calibrate_sections(path, documents)
    if ModelFolder(path).config().task == "open":
        calibrate_given(path, documents)
    return figures


def _calibrate(source: Path, path: Path, data: Path) -> None:
    config = ModelFolder(path).config()
    documents = datasets.load(data, language=config.language)
    _recalibrate(path, documents)
    if config.task == "open" and (source / PREPARED).is_file():
        from sector.training.checkpoint import read_arrays

        calibrate_titles(path, PreparedData.load(source / PREPARED), read_arrays(source / TRAINED)[0], documents)


def _export_run(source: Path, path: Path, segmentation: str, options: Mapping[str, Any]) -> None:
    """Turn prepared data and weights into a model folder."""
    from sector.training.checkpoint import read_arrays

    for name in (PREPARED, TRAINED):
        if not (source / name).is_file():
            raise ModelError(f"{source} is not the folder of a finished training: it has no {name}.")
    data = PreparedData.load(source / PREPARED)
    weights, run = read_arrays(source / TRAINED)
    network = NetworkConfig.from_dict(run["network"])
    labels = network.labels if data.task == "open" else len(data.labels)
    if (network.inputs, network.labels, network.task) != (data.inputs, labels, data.task):
        raise ModelError(f"{source}/{TRAINED} was trained on other data than {PREPARED}; train again.")
    encoder = encoders.load(data.encoder_folder, data.about["encoder"])
    config = replace(_model_config(data, network, run, segmentation), space=_space(path, data))
    export_model(path, config, encoder, weights, **options)
    if data.task == "open":
        export_space(path, data, weights)


def _model_config(data: PreparedData, network: NetworkConfig, run: Mapping[str, Any], segmentation: str) -> ModelConfig:
    about = dict(data.about)
    chosen = segmentation or ("joint" if network.boundary else "bemd")
    return ModelConfig(
        task=data.task,
        labels=() if data.task == "open" else data.labels,
        encoder=about.pop("encoder"),
        network=network,
        language=str(about.pop("language", "")),
        flags=bool(about.pop("flags", False)),
        segmentation={"name": chosen, **(joint_options(data) if chosen == "joint" else {})},
        metrics=_sentence_metrics(run["best"]) if data.validation else {},
        data={name: value for name, value in about.items() if name not in ("key", "encoder_folder")},
        training=run["training"],
    )


def _space(path: Path, data: PreparedData) -> dict[str, Any]:
    """Return which space a model of open vocabulary is going to have: that of another one, or its own."""
    if data.task != "open":
        return {}
    return {"folder": space_name(data) if data.about.get("space_of") else space_folder(path).name}


def _sentence_metrics(best: Mapping[str, float]) -> dict[str, float]:
    names = {"map": "validation_sentence_map", "temperature": "temperature"}
    if "starts" in best:
        names = {"starts": "validation_starts", "starts_without_lines": "validation_starts_without_line_breaks"}
        names |= {"p1": "validation_titles"}
    names |= {name: f"validation_sentence_{name}" for name in ("ece_before", "ece_after")}
    return {name: best[key] for key, name in names.items() if key in best}
