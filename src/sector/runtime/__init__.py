"""Running a trained model: a folder in, segmented documents out, with numpy and onnxruntime alone."""

from sector.runtime.default import chunk
from sector.runtime.folder import ModelFolder
from sector.runtime.installed import EMBEDDED, default_model, find, models
from sector.runtime.languages import is_supported, model_for
from sector.runtime.model import Model, load

__all__ = [
    "EMBEDDED",
    "Model",
    "ModelFolder",
    "chunk",
    "default_model",
    "find",
    "is_supported",
    "load",
    "model_for",
    "models",
]
