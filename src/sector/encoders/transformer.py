"""A pretrained encoder of a model: an ONNX graph whose vector is the mean of the last layer over a sentence's pieces.

onnxruntime suffices to run it. Another model can be trained on what it gives: it is then a frozen encoder.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from sector.arrays import Floats1d, Floats2d
from sector.atomic import replacing
from sector.devices import own_cores, providers
from sector.encoders.base import Encoder, EncoderSettings, Weights
from sector.encoders.files import encoder_folder, read_model_file
from sector.encoders.hugging_face import HuggingFaceEncoder
from sector.encoders.piece_encoder import EXPORTED, GRAPH, PIECES, VECTORS, EncoderShape, PieceEncoder, read_json
from sector.encoders.settings import check_positive
from sector.errors import ConfigError, ModelError

if TYPE_CHECKING:
    from sector.training.config import TrainingConfig
    from sector.training.prepared import PreparedData
    from sector.training.readers import SentenceReader


class TransformerEncoder(PieceEncoder):
    """The graph and its pieces. Encoding may be called from several threads, and uses all cores by itself."""

    name: ClassVar[str] = EXPORTED

    def __init__(self, shape: EncoderShape, folder: Path) -> None:
        super().__init__(shape)
        self._file = folder / GRAPH
        self._session = _Session(self._file, shape.width)

    @staticmethod
    def make(model: str | Path = "", tokens: int = 48, layers: Sequence[int] = ()) -> Encoder:
        """Return the encoder of a model of ours, frozen, or one of Hugging Face, which is trained with the network.

        ``model`` is the folder of one, or a name on Hugging Face's hub. Of a sentence the first ``tokens`` pieces are
        read. ``layers`` are the numbers of those that are kept, for speed; training must make good what is lost.
        Raises ConfigError for options that cannot work, ModelError where there is no such encoder.
        """
        check_positive("tokens", tokens)
        if not isinstance(model, (str, Path)) or not str(model):
            raise ConfigError("The encoder 'transformer' needs the option 'model': a Hugging Face folder or name.")
        frozen = _frozen(Path(model), tokens)
        if frozen and layers:
            raise ConfigError("The option 'layers' is for encoders that are trained; that of a model stays as it is.")
        return frozen or HuggingFaceEncoder.of(model, tokens, layers)

    def encode_tokens(self, sentences: Sequence[Sequence[int]]) -> Floats2d:
        """Return float32 [sentences, width] of sentences that are given as their pieces."""
        if not sentences:
            return np.zeros((0, self.width), np.float32)
        return self._session.vectors([[self.shape.begin, *numbers, self.shape.end] for numbers in sentences])

    @classmethod
    def reader(cls, data: PreparedData, config: TrainingConfig) -> SentenceReader:
        """Return the reader that runs the graph once for every sentence."""
        from sector.training.encoded import EncodedReader

        return EncodedReader(cls.load(data.encoder_folder, data.about["encoder"]))

    @classmethod
    def is_frozen(cls, config: TrainingConfig) -> bool:
        """A graph cannot be trained."""
        return True

    def save(self, folder: Path, precision: str = "float16") -> EncoderSettings:
        """Copy the graph, whatever its precision, and write what it reads."""
        with replacing(folder / GRAPH) as draft:
            shutil.copyfile(self._file, draft)
        return {"name": self.name, **self.shape.save(folder)}

    def export(self, folder: Path, weights: Weights, precision: str) -> EncoderSettings:
        """Write the graph anew from the weights of a model's training, or copy it where there are none."""
        if not weights:
            return self.save(folder)
        return HuggingFaceEncoder(self.shape, self._file).export(folder, weights, precision)

    @classmethod
    def load(cls, folder: Path, settings: Mapping[str, Any]) -> Self:
        """Read what ``save`` or ``export`` wrote; raises ModelError for files that are missing or broken."""
        return cls(EncoderShape.load(folder, settings), folder)


def _frozen(folder: Path, tokens: int) -> TransformerEncoder | None:
    """Return the encoder of a model of ours; None if the folder is something else."""
    try:
        record = read_json(folder / "config.json")
    except ModelError:
        return None
    settings = record.get("encoder")
    if "format" not in record or not isinstance(settings, dict):  # Hugging Face's
        return None
    if settings.get("name") != TransformerEncoder.name:
        raise ConfigError(f"The model {folder} has no pretrained encoder; name one of the accurate models.")
    place = encoder_folder(folder, settings)
    shape = EncoderShape.load(place, settings)
    return TransformerEncoder(replace(shape, tokens=min(tokens, shape.tokens), source=folder.name), place)


class _Session:
    """The graph, one sentence a run: no sentence's vector can depend on another, and cores share the sentences."""

    def __init__(self, file: Path, width: int) -> None:
        try:
            import onnxruntime
        except ImportError as error:
            raise ModelError(f"The encoder {file} needs the package onnxruntime; install it: {error}") from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 4
        graph = read_model_file(file)
        self._width, self._threads = width, own_cores()
        devices = providers()
        try:
            self._run = onnxruntime.InferenceSession(graph, options, providers=devices, enable_fallback=0)
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
            rows[number] = self._vector(sentences[number])

        order = sorted(range(len(sentences)), key=lambda number: -len(sentences[number]))
        if self._threads == 1 or len(sentences) == 1:
            for number in order:
                fill(number)
            return rows
        with ThreadPoolExecutor(self._threads, thread_name_prefix="sector-encoder") as pool:
            for done in [pool.submit(fill, number) for number in order]:
                done.result()
        return rows

    def _vector(self, pieces: Sequence[int]) -> Floats1d:
        try:
            return np.asarray(self._run.run([VECTORS], {PIECES: np.array([pieces], np.int64)})[0][0], np.float32)
        except Exception as error:  # a piece that the graph does not have, for instance
            raise ModelError(f"The model's encoder cannot be run: {error}") from error
