"""Execute a model's graph: sentence vectors of several documents in, one reading per document out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sector.arrays import Floats2d
from sector.encoders.base import SparseRows
from sector.errors import ModelError
from sector.network.config import NetworkConfig
from sector.segmentation import Reading

THREADS = 2


class NetworkSession:
    """An ONNX session with the matrix that stands before it. Safe to use from several threads."""

    def __init__(self, graph: bytes, matrix: Floats2d | None, config: NetworkConfig) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = THREADS
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime raises its own kinds, which are not exported
            raise ModelError(f"model.onnx is broken: {error}") from error
        self._matrix, self._config = matrix, config

    def nothing(self) -> Reading:
        """Give the reading of a document without sentences."""
        embedding = np.zeros((0, self._config.embedding), np.float32)
        return Reading(np.zeros((0, self._config.labels), np.float32), embedding, embedding)

    def project(self, vectors: SparseRows | Floats2d, flags: Floats2d | None) -> Floats2d:
        """Turn sentence vectors (and structure flags) into the graph's input [sentences, width]."""
        if isinstance(vectors, SparseRows):
            if self._matrix is None:
                raise ModelError("The model has no input.npy, which its sparse encoder needs.")
            product = vectors.dot(self._matrix[: vectors.width])
            return product if flags is None else product + flags @ self._matrix[vectors.width :]
        return vectors if flags is None else np.concatenate([vectors, flags], axis=1)

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
