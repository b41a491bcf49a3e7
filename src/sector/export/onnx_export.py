"""A torch encoder as an ONNX graph: the pieces of one sentence in, its vector out. Any architecture can be traced.

One sentence at a time needs neither padding nor a mask, and its vector cannot depend on any other sentence: not by a
rounding error, and not by the scale of 8-bit numbers.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from sector.atomic import replacing
from sector.encoders.piece_encoder import PIECES, VECTORS
from sector.errors import MissingExtraError, ModelError
from sector.export.quantize import quantize

OPSET = 20
EXAMPLE = 7
"""Pieces of the sentence that is read while tracing; any number does."""


def write_graph(path: Path, model: Any, longest: int, precision: str) -> None:
    """Write a torch encoder as an ONNX file for sentences of up to ``longest`` pieces, begin and end included.

    ``precision`` is that of the weights: "float32", "float16" or "int8".
    """
    graph = export_onnx(model, longest)
    quantize(graph, precision)
    with replacing(path) as draft:
        draft.write_bytes(graph.SerializeToString())


def export_onnx(model: Any, most: int) -> Any:
    """Return the ONNX model of a torch encoder for sentences of 2 to ``most`` pieces, begin and end included.

    Its input is int64 [1, pieces], its output float32 [1, width]. Raises ModelError for a kind of encoder that
    ``torch.onnx`` cannot trace, MissingExtraError if a package is not installed.
    """
    try:
        import onnx
        import onnxscript  # noqa: F401
        import torch
    except ImportError as error:
        raise MissingExtraError(str(error.name), "transformer") from error
    length = torch.export.Dim("length", min=2, max=most)
    example = torch.arange(EXAMPLE, dtype=torch.int64)[None] + 5
    with _quietly(), torch.no_grad():
        try:
            program = torch.onnx.export(
                _mean_reader(model).eval(),
                (example,),
                input_names=[PIECES],
                output_names=[VECTORS],
                opset_version=OPSET,
                dynamic_shapes={PIECES: {1: length}},
                dynamo=True,
            )
        except Exception as error:  # whatever the tracer meets in foreign code
            raise ModelError(f"This kind of encoder cannot be written as an ONNX graph: {error}") from error
    assert program is not None
    graph = program.model_proto
    _tidy(graph)
    onnx.checker.check_model(graph)
    return graph


def _mean_reader(model: Any) -> Any:
    import torch

    class MeanReader(torch.nn.Module):
        """The mean of the last layer over a sentence's pieces, its begin and its end."""

        def __init__(self) -> None:
            super().__init__()
            self.model = model.float()
            model.set_attn_implementation("eager")

        def forward(self, pieces: torch.Tensor) -> torch.Tensor:
            """Encode pieces [1, length] as a vector [1, width]."""
            states: torch.Tensor = self.model(input_ids=pieces).last_hidden_state
            return states.mean(dim=1)

    return MeanReader()


def _tidy(graph: Any) -> None:
    """Remove what only the tracer needs: source lines and shapes between nodes."""
    parts = graph.graph
    del graph.metadata_props[:], parts.metadata_props[:], parts.value_info[:]
    for part in (*parts.node, *parts.input, *parts.output, *parts.initializer):
        del part.metadata_props[:]
        part.doc_string = ""


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep the tracer's own reports off the terminal."""
    before = logging.root.manager.disable
    with warnings.catch_warnings(), redirect_stdout(StringIO()):
        warnings.simplefilter("ignore")
        logging.disable(logging.WARNING)
        try:
            yield
        finally:
            logging.disable(before)
