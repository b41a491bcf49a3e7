"""scikit-learn: `SectorClassifier`, a model on your own labels with ``fit``, ``predict`` and ``score``.

It learns from documents whose sections have labels, or from texts with one label each. Parameters are those of
`sector train`, so that a grid search can choose them; a fitted one can be pickled, and saved as a model folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from sector.arrays import Floats2d
from sector.document import Document, Section
from sector.errors import ConfigError, DataError, MissingExtraError
from sector.reading.read import read_text
from sector.runtime.installed import pretrained_encoder

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.metrics import accuracy_score
    from sklearn.model_selection import train_test_split
    from sklearn.utils.validation import check_is_fitted
except ImportError as error:
    raise MissingExtraError("scikit-learn", "scikit-learn") from error

if TYPE_CHECKING:
    from sector.evaluation import Report
    from sector.runtime.model import Model

NAMED = ("epochs", "hidden", "embedding", "batch", "learning_rate", "dropout", "boundary")
"""Parameters with the names of options of training."""
WARMUP = 20
"""Steps until the learning rate is reached, where ``options`` say nothing else: small data sets have few steps."""


class SectorClassifier(ClassifierMixin, BaseEstimator):
    """A model that is trained on labels of your own: on sections of documents, or on texts with one label each.

    Args:
        encoder: "bow", "bloom" or "emb", as in `sector train`; "auto": the pretrained one of the embedded models, which
            needs a few dozen documents only, or bloom for a language that they do not know.
        encoder_model: a model of sector, by name or folder, whose encoder is used in the place of all these.
        language: of the documents, e.g. "en"; "auto" takes an empty one for English.
        epochs: at most so many passes over the documents.
        hidden: units of each LSTM.
        embedding: size of the topic embedding per direction.
        batch: documents per step.
        learning_rate: of AdamW.
        dropout: share of the inputs that are left out in training.
        boundary: weight of the boundary loss; 0: sections are cut by ``bemd``.
        validation_fraction: part of the documents that choose the best epoch and calibrate confidences; 0 for none.
        device: "auto", "cpu", "cuda".
        random_state: two fits with one seed on one machine give the same model.
        verbose: 1 prints a line for each epoch.
        options: any other of `TrainingConfig`, e.g. ``{"patience": 5}``.

    Attributes:
        classes_: the labels, sorted.
        model_: the trained `Model`.
    """

    def __init__(
        self,
        *,
        encoder: str = "auto",
        encoder_model: str | None = None,
        language: str = "",
        epochs: int = 20,
        hidden: int = 128,
        embedding: int = 64,
        batch: int = 4,
        learning_rate: float = 2e-3,
        dropout: float = 0.5,
        boundary: float = 1.0,
        validation_fraction: float = 0.1,
        device: str = "auto",
        random_state: int = 1,
        verbose: int = 0,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.encoder, self.encoder_model, self.language = encoder, encoder_model, language
        self.epochs, self.hidden, self.embedding, self.batch = epochs, hidden, embedding, batch
        self.learning_rate, self.dropout, self.boundary = learning_rate, dropout, boundary
        self.validation_fraction, self.device, self.random_state = validation_fraction, device, random_state
        self.verbose, self.options = verbose, options

    def fit(self, X: Iterable[str | Document], y: Iterable[str] | None = None) -> SectorClassifier:
        """Train.

        Args:
            X: documents whose sections have labels; or, with ``y``, texts.
            y: the label of each text.

        Raises:
            ConfigError: parameters that cannot be, or fewer or more labels than texts.
            DataError: no document has a labelled section, or what is no document.
        """
        documents = [one for one in (_documents(X) if y is None else _labelled(X, y)) if one.text.strip()]
        labels = sorted({section.label for one in documents for section in one.sections} - {""})
        if not labels:
            raise DataError("No document has a section with a label; give documents with labels, or texts and y.")
        self._folder = TemporaryDirectory(prefix="sector-")
        self.model_ = self._trained(documents, Path(self._folder.name))
        self.classes_ = np.array(labels)
        self.per_text_ = y is not None
        return self

    def predict(self, X: Iterable[str | Document]) -> Any:
        """Return the label of each text; after a fit to documents, each document with its sections.

        The result is an array of strings or of `Document`, [texts].
        """
        if not self._fitted().per_text_:
            return _objects(self.segment(X))
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def predict_proba(self, X: Iterable[str | Document]) -> Floats2d:
        """Return how much each text is about each label: the mean over its sentences, float32 [texts, classes]."""
        model = self._fitted().model_
        columns = np.searchsorted(self.classes_, model.labels)
        found = np.full((len(documents := _documents(X)), len(self.classes_)), 1 / len(self.classes_), np.float32)
        for row, reading in enumerate(model.read(documents) if documents else ()):
            if len(reading.probabilities):
                found[row] = 0
                found[row, columns] = reading.probabilities.astype(np.float32).mean(axis=0)
        return found

    def segment(self, X: Iterable[str | Document], **options: Any) -> list[Document]:
        """Return documents with sections; the options are those of `Model.segment_all`."""
        return list(self._fitted().model_.segment_all(_documents(X), **options))

    def score(self, X: Iterable[str | Document], y: Iterable[str] | None = None, sample_weight: Any = None) -> float:
        """Return the accuracy: the share of texts, or of the characters in labelled sections, that get their label."""
        if y is not None:
            return float(accuracy_score(list(y), self.predict(X), sample_weight=sample_weight))
        return float(self.evaluate(X).character_accuracy or 0.0)

    def evaluate(self, X: Iterable[str | Document], **options: Any) -> Report:
        """Return every figure on documents whose sections have labels; the options are those of
        `sector.evaluation.evaluate`."""
        from sector.evaluation import evaluate

        return evaluate(self._fitted().model_, _documents(X), **options)

    def save(self, path: str | Path) -> None:
        """Write the model folder, which `sector.load` and every command take."""
        from sector.runtime.folder import write_folder

        source = self._fitted().model_.folder.path
        write_folder(Path(path), lambda draft: _copied(source, draft))

    def _fitted(self) -> SectorClassifier:
        check_is_fitted(self, "model_")
        return self

    def _trained(self, documents: list[Document], folder: Path) -> Model:
        from sector import datasets
        from sector.export.training_run import export_from
        from sector.runtime.model import load
        from sector.training.recipe import Recipe
        from sector.training.run_folder import RunFolder

        with TemporaryDirectory(prefix="sector-") as work:
            files = {name: Path(work) / f"{name}.jsonl" for name in ("train", "validation")}
            splits = self._split(documents)
            for name, part in splits.items():
                datasets.write(part, files[name])
            recipe = Recipe.from_dict(self._settings() | {name: str(files[name]) for name in splits})
            run = RunFolder(Path(work) / "model.work")
            run.train(run.prepared(recipe), recipe, self.device, report=_printed if self.verbose else None)
            export_from(run.path, folder / "model")
        return load(folder / "model")

    def _split(self, documents: list[Document]) -> dict[str, list[Document]]:
        held = round(self.validation_fraction * len(documents))
        if not 0 <= self.validation_fraction < 1:
            raise ConfigError(f"'validation_fraction' is {self.validation_fraction}; it must be from 0 to below 1.")
        if not held or held == len(documents):
            return {"train": documents}
        train, validation = train_test_split(documents, test_size=held, random_state=self.random_state)
        return {"train": train, "validation": validation}

    def _settings(self) -> dict[str, Any]:
        """Return the record of a recipe, without its files."""
        values = {name: getattr(self, name) for name in NAMED} | {"seed": self.random_state}
        record: dict[str, Any] = {"warmup": WARMUP} | values | dict(self.options or {}) | {"language": self.language}
        model = pretrained_encoder(self.language) if self.encoder == "auto" else None
        model = model if self.encoder_model is None else str(self.encoder_model)
        if model is not None:
            return record | {"encoder": "transformer", "encoder_options": {"model": model}}
        return record | {"encoder": "bloom" if self.encoder == "auto" else self.encoder}

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        if state.pop("_folder", None) is not None:
            root = state.pop("model_").folder.path
            files = (path for path in sorted(root.rglob("*")) if path.is_file())
            state["files"] = {path.relative_to(root).as_posix(): path.read_bytes() for path in files}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        files = state.pop("files", None)
        super().__setstate__(state)
        if files is None:
            return
        from sector.runtime.model import load

        self._folder = TemporaryDirectory(prefix="sector-")
        root = Path(self._folder.name) / "model"
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        self.model_ = load(root)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.two_d_array = True, False
        return tags


def _documents(texts: Iterable[str | Document]) -> list[Document]:
    """Return texts as documents; raises ConfigError for one text alone, DataError for what is neither."""
    if isinstance(texts, str | Document):
        raise ConfigError("A list of texts or documents is expected, not one alone; give [text].")
    found = []
    for number, one in enumerate(texts):
        if not isinstance(one, str | Document):
            raise DataError(f"A text or a Document is expected, not {type(one).__name__}.", record=number)
        found.append(read_text(one) if isinstance(one, str) else one)
    return found


def _labelled(texts: Iterable[str | Document], y: Iterable[str]) -> list[Document]:
    """Return each text as a document of one section with its label."""
    documents, labels = _documents(texts), [str(label) for label in y]
    if len(documents) != len(labels):
        raise ConfigError(f"There are {len(documents)} texts and {len(labels)} labels; give one for each text.")
    return [
        replace(one, sections=(Section(0, len(one.text), label, source=one.text),))
        for one, label in zip(documents, labels, strict=True)
    ]


def _objects(documents: Sequence[Document]) -> Any:
    """Return an array with a document in each place, [documents]; numpy would make sequences of them."""
    found = np.empty(len(documents), dtype=object)
    for number, document in enumerate(documents):
        found[number] = document
    return found


def _printed(entry: Mapping[str, float]) -> None:
    print(f"epoch {entry['epoch']:.0f}: loss {entry['loss']:.3f}, validation MAP {entry['map']:.3f}")


def _copied(source: Path, target: Path) -> None:
    copytree(source, target, dirs_exist_ok=True)
