"""The network as an ONNX graph, built weight by weight: no tracing, the same equations as `sector.network.model`.

Sparse sentence vectors meet their first matrix outside the graph, where only the non-zero columns are multiplied.
With a projection layer that matrix is the projection and the graph begins with the LSTMs; without one (the paper's
form) it is the LSTMs' own input matrix, and the graph's LSTMs pass their input through an identity.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector.arrays import Floats2d
from sector.encoders.base import Weights
from sector.errors import MissingExtraError
from sector.network.config import NetworkConfig

OPSET = 17
QUANTIZED = "com.microsoft"
"""The domain of onnxruntime's integer operators."""
EXTRA = 2
"""Units that are always 1 and −1."""
SATURATED = 20.0
"""A sigmoid or tanh of it is 1."""
RANGE = 8.0
"""Inputs of int8 LSTMs are clipped at this: sentence vectors have dimensions of about 1."""
SMALL = 1024
"""Constants of fewer numbers stay in float32: nothing is gained by halving them."""


def input_matrix(config: NetworkConfig, weights: Weights) -> Floats2d:
    """Return the matrix [inputs, columns] that sparse sentence vectors are multiplied with before the graph."""
    if config.projection:
        return np.ascontiguousarray(weights["projection.weight"].T)
    both = [weights["lstm_forward.weight_ih_l0"], weights["lstm_backward.weight_ih_l0"]]
    return np.ascontiguousarray(np.concatenate([_gates(w) for w in both]).T)


def build(config: NetworkConfig, weights: Weights, sparse: bool, *, precision: str = "float32") -> Any:
    """Return the ONNX model; ``sparse``: ``input_matrix`` is applied outside.

    ``precision``: "float16" is stored and computed with in float32; "int8" lets LSTMs multiply integers, for
    sentence vectors whose dimensions are of about 1 in size.
    """
    try:
        import onnx
    except ImportError as error:
        raise MissingExtraError("onnx", "train") from error
    graph = _Graph(config, weights, precision)
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
            for name, size in config.graph_outputs.items()
        ],
        initializer=graph.constants,
    )
    operators = [onnx.helper.make_opsetid("", OPSET), onnx.helper.make_opsetid(QUANTIZED, 1)]
    model = onnx.helper.make_model(made, opset_imports=operators, producer_name="sector")
    model.ir_version = 8
    onnx.checker.check_model(model)
    return model


class _Graph:
    """Nodes and constants under construction."""

    def __init__(self, config: NetworkConfig, weights: Weights, precision: str) -> None:
        self.config, self.weights = config, weights
        self.half, self.whole = precision != "float32", precision == "int8"
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
        if self.whole:
            source = self._add_range(inputs[0])
            for name in ("forward", "backward"):
                self._add_whole_lstm(name, source)
            return
        for name, source in zip(("forward", "backward"), inputs, strict=True):
            self._add_lstm(name, source, direct)

    def _add_range(self, source: str) -> str:
        """Add two columns with the ends of the input's range, and the states with which the LSTMs begin.

        onnxruntime derives the scale of its integers from the smallest and the largest value that it multiplies.
        With constants for both, a document is read alike alone and beside any others.
        """
        ends = [self.constant(f"end_{sign}", np.array(sign * RANGE, np.float32)) for sign in (-1, 1)]
        self.node("Clip", [source, *ends], ["clipped"])
        pads = self.constant("one_column", np.array([0, 0, 0, 0, 0, 1], np.int64))
        self.node("Pad", ["clipped", pads, ends[0]], ["with_least"])
        self.node("Pad", ["with_least", pads, ends[1]], ["ranged"])
        self.node("Shape", ["lengths"], ["documents"])
        size = self.config.hidden + EXTRA
        edges = [self.constant(f"edge_{n}", np.array([n], np.int64)) for n in (1, size)]
        self.node("Concat", [edges[0], "documents", edges[1]], ["state_shape"], axis=0)
        for state, value in (("h", 1.0), ("c", SATURATED)):
            rows = np.zeros((1, 1, size), np.float32)
            rows[0, 0, -EXTRA:] = value, -value
            self.node("Expand", [self.constant(f"first_{state}", rows), "state_shape"], [f"begin_{state}"])
        return "ranged"

    def _add_whole_lstm(self, name: str, source: str) -> None:
        """Add an LSTM with two more units, which are always 1 and −1 and which nothing listens to."""
        parts = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        own = {part: _gates(self.weights[f"lstm_{name}.{part}_l0"]) for part in parts}
        keep = np.array([-SATURATED, SATURATED, SATURATED, 0.0], np.float32)  # input, output, forget, cell
        bias = np.concatenate([_widened(own["bias_ih"], keep), _widened(own["bias_hh"], 0 * keep)])
        wide = {part: np.pad(_widened(own[part]), ((0, 0), (0, EXTRA))) for part in ("weight_ih", "weight_hh")}
        quantized = [self._whole(f"{part}_{name}", matrix.T) for part, matrix in wide.items()]
        inputs = [source, quantized[0][0], quantized[1][0], self.constant(f"B_{name}", bias[None]), "lengths"]
        inputs += ["begin_h", "begin_c", "", *quantized[0][1:], *quantized[1][1:]]
        direction = "forward" if name == "forward" else "reverse"
        size = self.config.hidden + EXTRA
        self.node("DynamicQuantizeLSTM", inputs, [f"y_{name}"], domain=QUANTIZED, hidden_size=size, direction=direction)
        self._squeeze(name)

    def _whole(self, name: str, matrix: NDArray[np.float32]) -> tuple[str, str, str]:
        """Add a quantized matrix [inputs, gates], with a scale and a zero point per column."""
        scales = np.maximum(np.abs(matrix).max(axis=0), 1e-9) / 127
        numbers = np.round(matrix / scales).astype(np.int8)
        return (
            self.constant(name, numbers[None]),
            self.constant(f"{name}_scale", scales.astype(np.float32)[None]),
            self.constant(f"{name}_zero", np.zeros((1, len(scales)), np.int8)),
        )

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
        self._squeeze(name)

    def _squeeze(self, name: str) -> None:
        axis = self.constant(f"axis_{name}", np.array([1], dtype=np.int64))
        self.node("Squeeze", [f"y_{name}", axis], [f"h_{name}"])

    def add_labels(self) -> None:
        """Add →e, ←e and the label distribution."""
        last = 0 if self.config.tied else 1
        for name, number in (("forward", 0), ("backward", last)):
            self._add_linear(f"h_{name}", f"embedding.{number}", f"a_{name}", name, self._silent(1))
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
        self._activate("logits", next(iter(self.config.graph_outputs)))

    def add_boundaries(self) -> None:
        """Add the boundary layer, of every sentence for itself: whoever runs the graph adds up neighbours."""
        if self.config.boundary:
            self.node("Concat", ["h_forward", "h_backward"], ["h_both"], axis=2)
            self._add_linear("h_both", "boundary", "boundary", "boundary", self._silent(2))

    def _add_mean_of_outputs(self, last: int) -> None:
        for name, number in (("forward", 0), ("backward", last)):
            self._add_linear(name, f"label.{number}", f"s_{name}", f"label_{name}")
            self._activate(f"s_{name}", f"p_{name}")
        self.node("Mean", ["p_forward", "p_backward"], ["probabilities"])

    def _silent(self, states: int) -> NDArray[np.int64] | None:
        """Return where rows of zeros go into a matrix that reads LSTM states, for units that nothing listens to."""
        return np.repeat(self.config.hidden * np.arange(1, states + 1), EXTRA) if self.whole else None

    def _add_linear(
        self, source: str, layer: str, target: str, name: str, silent: NDArray[np.int64] | None = None
    ) -> None:
        rows = self.weights[f"{layer}.weight"].T
        matrix = self.constant(f"M_{name}", rows if silent is None else np.insert(rows, silent, 0.0, axis=0))
        self.node("MatMul", [source, matrix], [f"{target}_product"])
        self.node("Add", [f"{target}_product", self.constant(f"b_{name}", self.weights[f"{layer}.bias"])], [target])

    def _activate(self, source: str, target: str) -> None:
        if self.config.task == "open":
            self.node("Identity", [source], [target])
        elif self.config.exclusive:
            self.node("Softmax", [source], [target], axis=2)
        else:
            self.node("Sigmoid", [source], [target])


def _widened(array: NDArray[np.float32], value: NDArray[np.float32] | float = 0.0) -> NDArray[np.float32]:
    """Add the units that are always 1 and −1 to each of the four gates; ``value`` is what they have there."""
    gates = np.split(array, 4, axis=0)
    values = np.broadcast_to(np.asarray(value, np.float32), (4,))
    return np.concatenate(
        [part for gate, v in zip(gates, values, strict=True) for part in (gate, np.full((EXTRA, *gate.shape[1:]), v))]
    ).astype(np.float32)


def _gates(array: NDArray[np.float32]) -> NDArray[np.float32]:
    """Reorder the gates from torch's input, forget, cell, output to ONNX's input, output, forget, cell."""
    i, f, g, o = np.split(array, 4, axis=0)
    return np.concatenate([i, o, f, g], axis=0)
