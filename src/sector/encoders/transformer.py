"""A pretrained encoder that is trained on with the network: the mean of its last layer over a sentence's pieces.

It is known in two forms. Before training it is a copy of Hugging Face's files (``config.json``, ``model.safetensors``)
in a job's work folder. In a model's folder it is an ONNX graph with the learned weights, and onnxruntime suffices;
another model can be trained on what such a graph gives, which is then left as it is.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Floats2d
from sector.atomic import replacing
from sector.encoders import pieces
from sector.encoders.base import Settings
from sector.encoders.pieces import Tokenizer
from sector.encoders.settings import check_positive
from sector.errors import ConfigError, ModelError

GRAPH, ARCHITECTURE, WEIGHTS = "encoder.onnx", "architecture.json", "model.safetensors"
PIECES, VECTORS = "pieces", "vectors"
NUMBERS = ("tokens", "width", "begin", "end")
"""Settings that are whole numbers."""


class TransformerEncoder:
    """Hugging Face's encoders. Encoding may be called from several threads, and uses all cores by itself."""

    name: ClassVar[str] = "transformer"
    pooling: ClassVar[str] = "transformer"

    def __init__(self, model: str | Path = "", tokens: int = 48) -> None:
        """``model`` is a folder or a name on Hugging Face's hub, or the folder of a model of ours that has an encoder.

        Of a sentence the first ``tokens`` pieces are read.
        """
        self.tokens = check_positive("tokens", tokens)
        if not isinstance(model, (str, Path)) or not str(model):
            raise ConfigError("The encoder 'transformer' needs the option 'model': a Hugging Face folder or name.")
        other = _encoder_of(Path(model))
        if other:
            vars(self).update(vars(other), tokens=min(tokens, other.tokens), source=Path(model).name)
            return
        from sector.export.pretrained import describe

        found = describe(model)
        if tokens > found.longest:
            raise ConfigError(f"The option 'tokens' is {tokens}; the encoder '{model}' reads {found.longest} at most.")
        self.source = Path(model).name
        self.width, self.begin, self.end = found.width, found.begin, found.end
        self.architecture: Mapping[str, Any] = found.architecture
        self.tokenizer: Tokenizer = found.tokenizer
        self._weights_at: str | Path = model
        self._learned: Mapping[str, NDArray[np.float32]] | None = None
        self._session: _Session | None = None

    def fit(self, documents: Iterable[Sequence[str]]) -> Self:
        """Learn nothing: what there is to learn is learned with the network."""
        return self

    def pieces(self, sentences: Sequence[str]) -> list[list[int]]:
        """Return the pieces of each sentence that are read, without begin and end."""
        return [numbers[: self.tokens] for numbers in self.tokenizer.numbers(sentences)]

    def encode(self, sentences: Sequence[str]) -> Floats2d:
        """Return one row per sentence."""
        return self.encode_pieces(self.pieces(sentences))

    def encode_tokens(self, sentences: Sequence[Sequence[str]]) -> Floats2d:
        """Return one row per sentence, each given as its words."""
        return self.encode([" ".join(words) for words in sentences])

    def encode_pieces(self, sentences: Sequence[Sequence[int]]) -> Floats2d:
        """Return one row per sentence, each given as its pieces."""
        if not sentences:
            return np.zeros((0, self.width), np.float32)
        if self._session is None:
            raise ConfigError("The encoder 'transformer' can be used when it has been exported: train a model first.")
        return self._session.vectors([[self.begin, *numbers, self.end] for numbers in sentences])

    def with_weights(self, weights: Mapping[str, NDArray[np.float32]]) -> Self:
        """Return a copy to be exported with these weights, or with the pretrained ones where there are none."""
        changed = copy(self)
        changed._learned = weights
        return changed

    def save(self, folder: Path, precision: str = "float32") -> Settings:
        """Write what training needs or, with learned weights, what a model needs; a graph stays as it is."""
        if self._session and not self._learned:
            with replacing(folder / GRAPH) as draft:
                shutil.copyfile(Path(self._weights_at) / GRAPH, draft)
        elif self._learned is None:
            from sector.export.pretrained import copy_weights

            copy_weights(self._weights_at, folder)
        else:
            self._save_graph(folder, precision)
        with replacing(folder / ARCHITECTURE) as draft:
            draft.write_text(json.dumps(self.architecture, indent=1) + "\n", encoding="utf-8")
        kept = {name: getattr(self, name) for name in NUMBERS}
        return {"name": self.name, "source": self.source, **kept, "spelling": pieces.save(self.tokenizer, folder)}

    def _save_graph(self, folder: Path, precision: str) -> None:
        from sector.export.onnx_export import export_onnx
        from sector.export.quantize import quantize

        graph = export_onnx(self._torch_model(), self.tokens + 2)
        quantize(graph, precision)
        with replacing(folder / GRAPH) as draft:
            draft.write_bytes(graph.SerializeToString())

    def _torch_model(self) -> Any:
        from sector.export.pretrained import build, load_weights

        if not self._learned:
            return load_weights(self._weights_at)
        import torch

        model = build(self.architecture)
        missing = {name for name, _ in model.named_parameters()} - set(self._learned)
        if missing:
            raise ModelError(f"The weights do not belong to this encoder: {len(missing)} are missing; train again.")
        weights = {name: torch.from_numpy(np.array(value)) for name, value in self._learned.items()}
        model.load_state_dict(weights, strict=False)
        return model

    @classmethod
    def load(cls, folder: Path, settings: Mapping[str, Any]) -> Self:
        """Read either form; raises ModelError for files that are missing or broken."""
        for name in NUMBERS:
            if not isinstance(settings.get(name), int):
                raise ModelError(f"The encoder in the model's config.json is broken: '{name}' must be a whole number.")
        encoder = cls.__new__(cls)
        encoder.tokens, encoder.width, encoder.begin, encoder.end = (settings[name] for name in NUMBERS)
        encoder.source = str(settings.get("source", ""))
        encoder.architecture = _read_json(folder / ARCHITECTURE)
        encoder.tokenizer = pieces.load(folder, settings.get("spelling") or {})
        encoder._weights_at, encoder._learned = folder, None
        trainable = (folder / WEIGHTS).is_file() and not (folder / GRAPH).is_file()
        encoder._session = None if trainable else _Session(folder / GRAPH, encoder.width)
        return encoder


class _Session:
    """The graph, one sentence a run: no sentence's vector can depend on another, and cores share the sentences."""

    def __init__(self, file: Path, width: int) -> None:
        try:
            import onnxruntime
        except ImportError as error:
            raise ModelError(f"The encoder {file} needs the package onnxruntime; install it: {error}") from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        self._width, self._threads = width, _cores()
        try:
            self._run = onnxruntime.InferenceSession(file.read_bytes(), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime raises its own kinds, which are not exported
            raise ModelError(
                f"The model's file {file} cannot be used ({error}); fetch it again, or update onnxruntime "
                "(8-bit encoders need 1.22)."
            ) from error
        found = [(node.name, node.shape[-1:]) for node in self._run.get_outputs()]
        if found != [(VECTORS, [width])] or [node.name for node in self._run.get_inputs()] != [PIECES]:
            raise ModelError(f"The model's file {file} does not give vectors of {width} values; fetch it again.")

    def vectors(self, sentences: Sequence[Sequence[int]]) -> Floats2d:
        """Return [sentences, width]; the longest sentences come first, so that all cores end together."""
        rows = np.zeros((len(sentences), self._width), np.float32)

        def fill(number: int) -> None:
            rows[number] = self._run.run([VECTORS], {PIECES: np.array([sentences[number]], np.int64)})[0][0]

        order = sorted(range(len(sentences)), key=lambda number: -len(sentences[number]))
        if self._threads == 1 or len(sentences) == 1:
            for number in order:
                fill(number)
            return rows
        with ThreadPoolExecutor(self._threads, thread_name_prefix="sector-encoder") as pool:
            for done in [pool.submit(fill, number) for number in order]:
                done.result()
        return rows


def _encoder_of(folder: Path) -> TransformerEncoder | None:
    """Return the encoder of a model of ours; None if the folder is something else."""
    try:
        record = _read_json(folder / "config.json")
    except ModelError:
        return None
    settings = record.get("encoder")
    if "format" not in record or not isinstance(settings, dict):  # Hugging Face's
        return None
    if settings.get("name") != TransformerEncoder.name:
        raise ConfigError(f"The model {folder} has no pretrained encoder; name one of the accurate models.")
    return TransformerEncoder.load(folder / str(settings.get("folder", "")), settings)


def _cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _read_json(path: Path) -> dict[str, Any]:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"The model's file {path} cannot be read ({error}); fetch it again.") from error
    if not isinstance(record, dict):
        raise ModelError(f"The model's file {path} is broken: it is not a JSON object.")
    return record
