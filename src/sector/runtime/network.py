"""Execute a model's graph: the sentences' inputs of several documents in, one reading per document out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Floats2d
from sector.errors import ModelError
from sector.network.config import NetworkConfig
from sector.segmentation import Reading

Floats3d: TypeAlias = NDArray[np.float32]
"""float32 [steps, documents, columns]"""
PARTS = ("probabilities", "forward", "backward")
"""What the graph gives and a reading has."""
THREADS = 1
"""Of one run. The steps of an LSTM are too small to share: two threads were slower than one on two cores, and the
second core has the text of the next documents to prepare."""
BATCH_SENTENCES = 1024
"""Most padded sentences in one run of the graph, unless one document alone has more: little of it is padding."""
WINDOW = 2048
"""A document of more sentences is read in windows of this many, and its probabilities are kept in float16."""
CONTEXT = 256
"""Sentences that a window sees on either side beyond its own: embeddings are then within 1e-5 of an undivided run's."""
TOGETHER = 2
"""Windows in one run: two take 0.6 times as long as one after the other."""
SMALLEST = np.float32(2**-14)
"""Probabilities below it are 0 in float16, where numpy takes ten times as long to convert them."""


class NetworkSession:
    """An ONNX session. Safe to use from several threads."""

    def __init__(self, graph: bytes, config: NetworkConfig, width: int) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = THREADS
        options.log_severity_level = 3
        options.enable_cpu_mem_arena = False  # it would keep the memory of the largest run
        try:
            self._session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime raises its own kinds, which are not exported
            raise ModelError(f"model.onnx is broken: {error}") from error
        self._config = config
        self._check(width)

    def _check(self, width: int) -> None:
        """Compare the graph's last axes with what the model's other files say."""
        try:
            found = {node.name: node.shape[-1] for node in (*self._session.get_inputs(), *self._session.get_outputs())}
        except IndexError:
            found = {}
        expected = {"x": width, "probabilities": self._config.labels}
        expected |= dict.fromkeys(("forward", "backward"), self._config.embedding)
        for name, size in expected.items():
            if found.get(name) != size:
                raise ModelError(f"model.onnx has {found.get(name)} values in '{name}', but the model needs {size}.")

    def read(self, inputs: Sequence[Floats2d]) -> list[Reading]:
        """Give the reading of each document, [sentences, width]; documents of like length share a run."""
        readings = [self._blank(0)] * len(inputs)
        for group in _groups([len(rows) for rows in inputs]):
            long = len(inputs[group[0]]) > WINDOW
            found = [self._windows(inputs[group[0]])] if long else self._batch([inputs[i] for i in group])
            for number, reading in zip(group, found, strict=True):
                readings[number] = reading
        return readings

    def _batch(self, inputs: Sequence[Floats2d]) -> list[Reading]:
        """Give readings of their own from one run."""
        probabilities, forward, backward = self._run(inputs)
        return [
            Reading(probabilities[:n, i].copy(), forward[:n, i].copy(), backward[:n, i].copy())
            for i, n in enumerate(map(len, inputs))
        ]

    def _windows(self, rows: Floats2d) -> Reading:
        """Read a long document window by window, each with its context, of which nothing is kept."""
        whole = self._blank(len(rows), np.float16)
        begins = range(0, len(rows), WINDOW)
        for i in range(0, len(begins), TOGETHER):
            chosen = begins[i : i + TOGETHER]
            outputs = self._run([rows[max(0, begin - CONTEXT) : begin + WINDOW + CONTEXT] for begin in chosen])
            for number, begin in enumerate(chosen):
                _fill(whole, begin, [part[min(begin, CONTEXT) :, number] for part in outputs])
        return whole

    def _run(self, inputs: Sequence[Floats2d]) -> list[Floats3d]:
        """Run the graph over documents of at least one sentence; [steps, documents, …] for each part of a reading."""
        lengths = np.array([len(document) for document in inputs], dtype=np.int32)
        x = np.zeros((int(lengths.max()), len(inputs), inputs[0].shape[1]), np.float32)
        for number, document in enumerate(inputs):
            x[: len(document), number] = document
        outputs: list[Floats3d] = self._session.run(list(PARTS), {"x": x, "lengths": lengths})
        return outputs

    def _blank(self, sentences: int, precision: type[np.floating] = np.float32) -> Reading:
        """Give a reading to be filled."""
        forward, backward = (np.zeros((sentences, self._config.embedding), np.float32) for _ in range(2))
        return Reading(np.zeros((sentences, self._config.labels), precision), forward, backward)


def _fill(whole: Reading, begin: int, parts: Sequence[Floats2d]) -> None:
    """Copy the window that begins with sentence ``begin``."""
    size = min(WINDOW, len(whole) - begin)
    for name, part in zip(PARTS, parts, strict=True):
        target = getattr(whole, name)[begin : begin + size]
        kept = part[:size] >= SMALLEST if name == "probabilities" else True
        np.multiply(part[:size], kept, out=target, casting="same_kind")


def _groups(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Group documents of like length; no group has more than ``BATCH_SENTENCES`` unless one document alone has."""
    group: list[int] = []
    for number in sorted((i for i, n in enumerate(lengths) if n), key=lengths.__getitem__):
        if group and lengths[number] * (len(group) + 1) > BATCH_SENTENCES:
            yield group
            group = []
        group.append(number)
    if group:
        yield group
