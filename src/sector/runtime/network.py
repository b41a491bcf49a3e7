"""Execute a model's graph: the sentences' inputs of several documents in, one reading per document out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Floats2d
from sector.devices import providers
from sector.errors import ModelError
from sector.network.config import NetworkConfig
from sector.segmentation import Reading

Floats3d: TypeAlias = NDArray[np.float32]
"""float32 [steps, documents, columns]"""
THREADS = 1
"""Of one run. The steps of an LSTM are too small to share: two threads were slower than one on two cores, and the
second core has the text of the next documents to prepare."""
BATCH_SENTENCES = 1024
"""Most padded sentences in one run of the graph, unless one document alone has more: little of it is padding."""
STEP = 1
"""What a step of the LSTMs takes beside the documents, in documents."""
FLOAT = "tensor(float)"
MOST = 1.001
"""A probability, in whatever precision."""
WINDOW = 2048
"""A document of more sentences is read in windows of this many, and its probabilities are kept in float16."""
CONTEXT = 256
"""Sentences that a window sees on either side beyond its own: embeddings are then within 1e-5 of an undivided run's."""
WINDOWS = 2
"""Windows in one run: two take 0.6 times as long as one after the other."""
SMALLEST = np.float32(2**-14)
"""Probabilities below it are 0 in float16, where numpy takes ten times as long to convert them."""


class NetworkSession:
    """An ONNX session. Safe to use from several threads."""

    def __init__(self, graph: bytes, config: NetworkConfig, width: int) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = THREADS
        options.log_severity_level = 4
        options.enable_cpu_mem_arena = False  # it would keep the memory of the largest run
        devices = providers()
        try:
            self._session = onnxruntime.InferenceSession(graph, options, providers=devices, enable_fallback=0)
        except Exception as error:  # onnxruntime raises its own kinds, which are not exported
            raise ModelError(f"model.onnx is broken: {error}") from error
        self._outputs, self._task = config.graph_outputs, config.task
        self._check(width)

    def _check(self, width: int) -> None:
        """Compare the graph's inputs and outputs with what the model's other files say."""
        nodes = (*self._session.get_inputs(), *self._session.get_outputs())
        found = {node.name: (node.type, [*node.shape][2:]) for node in nodes if len(node.shape) == 3}
        for name, size in {"x": width, **self._outputs}.items():
            if found.get(name) != (FLOAT, [size]):
                raise ModelError(f"model.onnx has {found.get(name)} in '{name}', but the model needs {size} values.")
        inputs = sorted(node.name for node in self._session.get_inputs())
        if inputs != ["lengths", "x"]:
            raise ModelError(f"model.onnx has the inputs {', '.join(inputs)}, but 'lengths' and 'x' are expected.")

    def read(self, inputs: Sequence[Floats2d]) -> list[Reading]:
        """Return the reading of each document, [sentences, width]; documents of like length share a run."""
        readings = [self._nothing()] * len(inputs)
        for group in _groups([len(rows) for rows in inputs]):
            long = len(inputs[group[0]]) > WINDOW
            found = [self._windows(inputs[group[0]])] if long else self._batch([inputs[i] for i in group])
            for number, reading in zip(group, found, strict=True):
                readings[number] = reading
        return readings

    def _batch(self, inputs: Sequence[Floats2d]) -> list[Reading]:
        """Return readings of their own from one run."""
        found = self._run(inputs)
        return [
            self._reading({name: part[:n, i].copy() for name, part in found.items()})
            for i, n in enumerate(map(len, inputs))
        ]

    def _windows(self, rows: Floats2d) -> Reading:
        """Read a long document window by window, each with its context, of which nothing is kept."""
        whole = {name: np.zeros((len(rows), size), np.float32) for name, size in self._outputs.items()}
        for name in {"probabilities", "vectors"} & set(whole):
            whole[name] = whole[name].astype(np.float16)
        begins = range(0, len(rows), WINDOW)
        for i in range(0, len(begins), WINDOWS):
            chosen = begins[i : i + WINDOWS]
            found = self._run([rows[max(0, begin - CONTEXT) : begin + WINDOW + CONTEXT] for begin in chosen])
            for number, begin in enumerate(chosen):
                _fill(whole, begin, {name: part[min(begin, CONTEXT) :, number] for name, part in found.items()})
        return self._reading(whole)

    def _nothing(self) -> Reading:
        return self._reading({name: np.zeros((0, size), np.float32) for name, size in self._outputs.items()})

    def _reading(self, parts: Mapping[str, Floats2d]) -> Reading:
        """Make a reading of a document's outputs; a boundary is between two sentences, and each has its part in it."""
        boundary = None
        if "boundary" in parts:
            boundary = parts["boundary"][:, :2].copy()
            boundary[1:] += parts["boundary"][:-1, 2:]
        vectors = parts.get("vectors")
        rows = parts["probabilities"] if vectors is None else np.zeros((len(vectors), 0), np.float32)
        return Reading(rows, parts["forward"], parts["backward"], boundary=boundary, task=self._task, vectors=vectors)

    def _run(self, inputs: Sequence[Floats2d]) -> dict[str, Floats3d]:
        """Run the graph over documents of at least one sentence; [steps, documents, …] for each output."""
        lengths = np.array([len(document) for document in inputs], dtype=np.int32)
        x = np.zeros((int(lengths.max()), len(inputs), inputs[0].shape[1]), np.float32)
        for number, document in enumerate(inputs):
            x[: len(document), number] = document
        try:
            found = self._session.run(list(self._outputs), {"x": x, "lengths": lengths})
        except Exception as error:  # onnxruntime's own kinds again
            raise ModelError(f"model.onnx cannot be run: {error}") from error
        parts = dict(zip(self._outputs, found, strict=True))
        for name, part in parts.items():
            if part.shape != (*x.shape[:2], self._outputs[name]) or not _is_sound(name, part):
                raise ModelError(f"model.onnx is broken: '{name}' has a wrong shape, or numbers that cannot be.")
        return parts


def _is_sound(name: str, part: Floats3d) -> bool:
    """Whether numbers are finite, and probabilities between 0 and 1."""
    if name == "probabilities":
        return bool(part.min() >= 0 and part.max() <= MOST)  # neither holds where there is a NaN
    return bool(np.isfinite(part.sum(dtype=np.float32)))


def _fill(whole: Mapping[str, Floats2d], begin: int, parts: Mapping[str, Floats2d]) -> None:
    """Copy the window that begins with sentence ``begin``."""
    for name, part in parts.items():
        target = whole[name][begin : begin + WINDOW]
        kept = part[: len(target)] >= SMALLEST if name == "probabilities" else True
        np.multiply(part[: len(target)], kept, out=target, casting="same_kind")


def _groups(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Group documents of like length so that the runs take the least time; none has more than `BATCH_SENTENCES` unless
    one document alone has.

    A step of a run takes as long as `STEP` + the number of documents, and a run has as many steps as its longest
    document has sentences.
    """
    order = sorted((i for i, n in enumerate(lengths) if n), key=lengths.__getitem__)
    costs, begins = [0], [0]
    for end, number in enumerate(order, start=1):
        steps = lengths[number]
        first = max(0, end - max(1, BATCH_SENTENCES // steps))
        cost, begin = min((costs[i] + steps * (STEP + end - i), i) for i in range(first, end))
        costs.append(cost)
        begins.append(begin)
    end = len(order)
    while end:
        yield order[begins[end] : end]
        end = begins[end]
