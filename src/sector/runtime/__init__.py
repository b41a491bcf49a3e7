"""Running a trained model: a folder in, segmented documents out, with numpy and onnxruntime alone."""

from sector.runtime.folder import ModelFolder
from sector.runtime.model import EMBEDDED, Model, find, load, models

__all__ = ["EMBEDDED", "Model", "ModelFolder", "find", "load", "models"]
