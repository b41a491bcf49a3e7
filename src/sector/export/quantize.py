"""Quantize the ONNX graph of an encoder: float16, or int8 with a scale for each block of numbers.

With 8 bits the large matrices become ``MatMulNBits``: blocks of ``BLOCK`` weights share a scale, and so do blocks of
the values that they are multiplied with, row by row, so that integers are multiplied. A scale of its own for each
row of the word pieces' table, of which only the rows in use are widened.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCK = 64
"""Numbers of one scale: 32 are more exact, 128 are faster (docs/transformer.md)."""
ACCURACY_LEVEL = 4
"""ONNX Runtime's accuracy level at which values are rounded to 8 bits too, which its fast kernels need."""
SMALL = 1024
"""Constants of fewer numbers stay as they are."""
LARGEST = 127


def quantize(model: Any, precision: str) -> None:
    """Change the ONNX model in place; ``precision`` is "float32", which changes nothing, "float16" or "int8"."""
    if precision == "float32":
        return
    graph = _Quantization(model.graph, precision)
    graph.run()
    if precision == "int8":
        from onnx import helper

        model.opset_import.append(helper.make_opsetid("com.microsoft", 1))


class _Quantization:
    """A graph whose nodes and constants are being replaced."""

    def __init__(self, graph: Any, precision: str) -> None:
        self.graph, self.precision = graph, precision
        self.constants = {constant.name: constant for constant in graph.initializer}
        self.nodes: list[Any] = []

    def run(self) -> None:
        for node in list(self.graph.node):
            if self.precision == "int8" and node.op_type == "MatMul" and self._is_large(node.input[1], axes=2):
                self._multiply(node)
            elif self.precision == "int8" and node.op_type == "Gather" and self._is_table(node):
                self._look_up(node)
            else:
                self.nodes.append(node)
        self._halve()
        del self.graph.node[:], self.graph.initializer[:]
        self.graph.node.extend(self.nodes)
        used = {name for node in self.nodes for name in node.input}
        self.graph.initializer.extend(constant for name, constant in self.constants.items() if name in used)

    def _is_large(self, name: str, axes: int | None = None) -> bool:
        from onnx import TensorProto

        constant = self.constants.get(name)
        if constant is None or constant.data_type != TensorProto.FLOAT:
            return False
        return bool(np.prod(constant.dims) >= SMALL and axes in (None, len(constant.dims)))

    def _is_table(self, node: Any) -> bool:
        along = [attribute.i for attribute in node.attribute if attribute.name == "axis"]
        return self._is_large(node.input[0], axes=2) and along in ([], [0])

    def _constant(self, name: str, array: NDArray[Any]) -> str:
        from onnx import numpy_helper

        self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(array), name)
        return name

    def _array(self, name: str) -> NDArray[Any]:
        from onnx import numpy_helper

        return np.asarray(numpy_helper.to_array(self.constants[name]))

    def _add(self, operator: str, inputs: list[str], output: str, **attributes: Any) -> str:
        from onnx import helper

        self.nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    def _multiply(self, node: Any) -> None:
        """Replace x · W."""
        name = node.input[1]
        matrix = self._array(name)
        numbers, scales = quantize_blocks(matrix)
        inputs = [node.input[0], self._constant(f"{name}_8", numbers), self._constant(f"{name}_scales", scales)]
        sizes = {"K": matrix.shape[0], "N": matrix.shape[1], "bits": 8, "block_size": BLOCK}
        domain = "com.microsoft"
        self._add("MatMulNBits", inputs, node.output[0], domain=domain, accuracy_level=ACCURACY_LEVEL, **sizes)

    def _look_up(self, node: Any) -> None:
        """Replace the look-up of rows in a table."""
        from onnx import TensorProto

        name, chosen, target = node.input[0], node.input[1], node.output[0]
        numbers, scales = quantize_rows(self._array(name))
        rows = self._add("Gather", [self._constant(f"{name}_8", numbers), chosen], f"{target}_8")
        sizes = self._add("Gather", [self._constant(f"{name}_scales", scales), chosen], f"{target}_scales")
        wide = self._add("Cast", [rows], f"{target}_wide", to=TensorProto.FLOAT)
        self._add("Mul", [wide, sizes], target)

    def _halve(self) -> None:
        """Store the other large constants in float16; they are widened when the graph is loaded."""
        from onnx import TensorProto, helper

        casts = []
        used = {name for node in self.nodes for name in node.input}
        for name in [name for name in self.constants if name in used and self._is_large(name)]:
            if name.endswith("_scales"):
                continue
            self._constant(f"{name}_half", self._array(name).astype(np.float16))
            casts.append(helper.make_node("Cast", [f"{name}_half"], [name], to=TensorProto.FLOAT))
            del self.constants[name]
        self.nodes = casts + self.nodes


def quantize_blocks(matrix: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return numbers around 128 [columns, blocks, BLOCK] and scales [columns · blocks] of a matrix [rows, columns]."""
    rows, columns = matrix.shape
    blocks = -(-rows // BLOCK)
    padded = np.zeros((columns, blocks * BLOCK), np.float32)
    padded[:, :rows] = matrix.T
    split = padded.reshape(columns, blocks, BLOCK)
    scales = _scales(split)
    return (np.round(split / scales) + LARGEST + 1).astype(np.uint8), scales.reshape(-1)


def quantize_rows(table: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return numbers from −127 to 127 and the scales [rows, 1]."""
    scales = _scales(table)
    return np.round(table / scales).astype(np.int8), scales


def _scales(array: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.maximum(np.abs(array).max(axis=-1, keepdims=True), 1e-12) / LARGEST, np.float32)
