"""Execute a model's graph: the sentences' inputs of several documents in, one reading per document out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sector.arrays import Floats2d
from sector.errors import ModelError
from sector.network.config import NetworkConfig
from sector.segmentation import Reading

THREADS = 2


class NetworkSession:
    """An ONNX session. Safe to use from several threads."""

    def __init__(self, graph: bytes, config: NetworkConfig, width: int) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = THREADS
        options.log_severity_level = 3
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

    def nothing(self) -> Reading:
        """Give the reading of a document without sentences."""
        embedding = np.zeros((0, self._config.embedding), np.float32)
        return Reading(np.zeros((0, self._config.labels), np.float32), embedding, embedding)

    def read(self, inputs: Sequence[Floats2d]) -> list[Reading]:
        """Run the graph over one batch of documents, each [sentences, width] with at least one sentence."""
        lengths = np.array([len(document) for document in inputs], dtype=np.int32)
        x = np.zeros((int(lengths.max()), len(inputs), inputs[0].shape[1]), np.float32)
        for number, document in enumerate(inputs):
            x[: len(document), number] = document
        probabilities, forward, backward = self._session.run(
            ["probabilities", "forward", "backward"], {"x": x, "lengths": lengths}
        )
        return [
            Reading(probabilities[:n, i].copy(), forward[:n, i].copy(), backward[:n, i].copy())
            for i, n in enumerate(lengths.tolist())
        ]
