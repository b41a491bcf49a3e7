"""The network as an ONNX graph, built weight by weight: no tracing, the same equations as `sector.network.model`.

Sparse sentence vectors meet their first matrix outside the graph, where only the non-zero columns are multiplied.
With a projection layer that matrix is the projection and the graph begins with the LSTMs; without one (the paper's
form) it is the LSTMs' own input matrix, and the graph's LSTMs pass their input through an identity.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Floats2d
from sector.errors import MissingExtraError
from sector.network.config import NetworkConfig

OPSET = 17
SMALL = 1024
"""Constants of fewer numbers stay in float32: nothing is gained by halving them."""
BOUNDARIES = 4
"""Values of the boundary layer: two logits of a sentence, and their parts from the sentence before, not yet added."""
Weights = Mapping[str, NDArray[np.float32]]


def input_matrix(config: NetworkConfig, weights: Weights) -> Floats2d:
    """Give the matrix [inputs, columns] that sparse sentence vectors are multiplied with before the graph."""
    if config.projection:
        return np.ascontiguousarray(weights["projection.weight"].T)
    both = [weights["lstm_forward.weight_ih_l0"], weights["lstm_backward.weight_ih_l0"]]
    return np.ascontiguousarray(np.concatenate([_gates(w) for w in both]).T)


def outputs(config: NetworkConfig) -> dict[str, int]:
    """Give the graph's outputs and how many values each has per sentence."""
    sizes = {"probabilities": config.labels, "forward": config.embedding, "backward": config.embedding}
    return sizes | ({"boundary": BOUNDARIES} if config.boundary else {})


def build(config: NetworkConfig, weights: Weights, sparse: bool, *, half: bool = False) -> Any:
    """Give the ONNX model; ``sparse``: ``input_matrix`` is applied outside; ``half``: float16 is stored."""
    try:
        import onnx
    except ImportError as error:
        raise MissingExtraError("onnx", "train") from error
    graph = _Graph(config, weights, half)
    graph.add_reading(sparse)
    graph.add_labels()
    graph.add_boundaries()
    made = onnx.helper.make_graph(
        graph.nodes,
        "sector",
        [
            onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, ["steps", "documents", graph.width]),
            onnx.helper.make_tensor_value_info("lengths", onnx.TensorProto.INT32, ["documents"]),
        ],
        [
            onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["steps", "documents", size])
            for name, size in outputs(config).items()
        ],
        initializer=graph.constants,
    )
    model = onnx.helper.make_model(made, opset_imports=[onnx.helper.make_opsetid("", OPSET)], producer_name="sector")
    model.ir_version = 8
    onnx.checker.check_model(model)
    return model


class _Graph:
    """Nodes and constants under construction."""

    def __init__(self, config: NetworkConfig, weights: Weights, half: bool) -> None:
        self.config, self.weights, self.half = config, weights, half
        self.width = 0
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, name: str, array: NDArray[Any]) -> str:
        """Add a constant; a matrix in half precision is widened when the graph is loaded."""
        from onnx import TensorProto, numpy_helper

        array = np.ascontiguousarray(array)
        if self.half and array.dtype == np.float32 and array.size >= SMALL:
            self.constants.append(numpy_helper.from_array(array.astype(np.float16), f"{name}_half"))
            self.node("Cast", [f"{name}_half"], [name], to=TensorProto.FLOAT)
        else:
            self.constants.append(numpy_helper.from_array(array, name))
        return name

    def node(self, operator: str, inputs: list[str], outputs: list[str], **attributes: Any) -> None:
        from onnx import helper

        self.nodes.append(helper.make_node(operator, inputs, outputs, **attributes))

    def add_reading(self, sparse: bool) -> None:
        """Add both LSTMs: →h and ←h."""
        gates = 4 * self.config.hidden
        direct = sparse and not self.config.projection
        self.width = 2 * gates if direct else (self.config.projection or self.config.inputs)
        inputs = ["x", "x"]
        if self.config.projection and not sparse:
            self.width = self.config.inputs
            self.node("MatMul", ["x", self.constant("P", self.weights["projection.weight"].T)], ["projected"])
            inputs = ["projected", "projected"]
        if direct:
            inputs = ["x_forward", "x_backward"]
            self.node("Split", ["x", self.constant("halves", np.array([gates, gates]))], inputs, axis=2)
        for name, source in zip(("forward", "backward"), inputs, strict=True):
            self._add_lstm(name, source, direct)

    def _add_lstm(self, name: str, source: str, direct: bool) -> None:
        parts = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        own = {part: self.weights[f"lstm_{name}.{part}_l0"] for part in parts}
        matrix = np.eye(4 * self.config.hidden, dtype=np.float32) if direct else _gates(own["weight_ih"])
        bias = np.concatenate([_gates(own["bias_ih"]), _gates(own["bias_hh"])])
        inputs = [
            source,
            self.constant(f"W_{name}", matrix[None]),
            self.constant(f"R_{name}", _gates(own["weight_hh"])[None]),
            self.constant(f"B_{name}", bias[None]),
            "lengths",
        ]
        direction = "forward" if name == "forward" else "reverse"
        self.node("LSTM", inputs, [f"y_{name}"], hidden_size=self.config.hidden, direction=direction)
        axis = self.constant(f"axis_{name}", np.array([1], dtype=np.int64))
        self.node("Squeeze", [f"y_{name}", axis], [f"h_{name}"])

    def add_labels(self) -> None:
        """Add →e, ←e and the label distribution."""
        last = 0 if self.config.tied else 1
        for name, number in (("forward", 0), ("backward", last)):
            self._add_linear(f"h_{name}", f"embedding.{number}", f"a_{name}", name)
            self.node("Tanh", [f"a_{name}"], [name])
        if self.config.output == "mean":
            self._add_mean_of_outputs(last)
            return
        if self.config.tied:
            self.node("Add", ["forward", "backward"], ["both"])
            self._add_linear("both", "label.0", "logits", "label")
        else:
            self._add_linear("forward", "label.0", "s_forward", "label_forward")
            self._add_linear("backward", "label.1", "s_backward", "label_backward")
            self.node("Add", ["s_forward", "s_backward"], ["logits"])
        self._activate("logits", "probabilities")

    def add_boundaries(self) -> None:
        """Add the boundary layer, of every sentence for itself: whoever runs the graph adds up neighbours."""
        if self.config.boundary:
            self.node("Concat", ["h_forward", "h_backward"], ["h_both"], axis=2)
            self._add_linear("h_both", "boundary", "boundary", "boundary")

    def _add_mean_of_outputs(self, last: int) -> None:
        for name, number in (("forward", 0), ("backward", last)):
            self._add_linear(name, f"label.{number}", f"s_{name}", f"label_{name}")
            self._activate(f"s_{name}", f"p_{name}")
        self.node("Mean", ["p_forward", "p_backward"], ["probabilities"])

    def _add_linear(self, source: str, layer: str, target: str, name: str) -> None:
        matrix = self.constant(f"M_{name}", self.weights[f"{layer}.weight"].T)
        self.node("MatMul", [source, matrix], [f"{target}_product"])
        self.node("Add", [f"{target}_product", self.constant(f"b_{name}", self.weights[f"{layer}.bias"])], [target])

    def _activate(self, source: str, target: str) -> None:
        if self.config.exclusive:
            self.node("Softmax", [source], [target], axis=2)
        else:
            self.node("Sigmoid", [source], [target])


def _gates(array: NDArray[np.float32]) -> NDArray[np.float32]:
    """Reorder the gates from torch's input, forget, cell, output to ONNX's input, output, forget, cell."""
    i, f, g, o = np.split(array, 4, axis=0)
    return np.concatenate([i, o, f, g], axis=0)
