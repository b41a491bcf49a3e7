"""Prepared data: documents as word numbers, the words' features and the targets, in one compact file without pickle.

All our encoders pool over words, so a sentence is stored as the numbers of its words, and each word's features are
stored once. ``SplitData`` is one of train and validation; ``PreparedData`` is the file.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sector.atomic import replacing
from sector.encoders.features import WordFeatures
from sector.errors import DataError
from sector.tasks import TaskName

FORMAT = 2
"""Raised when the layout of the file changes."""


@dataclass(frozen=True, slots=True, eq=False)
class SplitData:
    """Documents as flat arrays: words by sentence, sentences by document, labels by section."""

    words: NDArray[np.uint32]
    """[words] rows of the word features"""
    word_offsets: NDArray[np.int64]
    """[sentences + 1]"""
    document_offsets: NDArray[np.int64]
    """[documents + 1] in sentences"""
    sections: NDArray[np.int64]
    """[sentences] each sentence's section, counted through the split"""
    labels: NDArray[np.int64]
    """[labels] label numbers"""
    label_offsets: NDArray[np.int64]
    """[sections + 1]"""
    flags: NDArray[np.uint8]
    """[sentences, flags] structure flags; no columns when they are off"""
    mains: NDArray[np.uint8] | None = None
    """[sections] 1 where a main section begins, of which a heading such as ``History | Middle Ages`` tells; headings
    only"""
    teacher: NDArray[np.uint8] | None = None
    """[sentences, labels + 2] what another model says, in 255ths: labels, label changes, section starts; of an open
    vocabulary without labels"""
    vectors: NDArray[np.float16] | None = None
    """[sentences, d] where another model puts them in the space of headings"""

    @property
    def sentences(self) -> int:
        """How many sentences there are."""
        return len(self.word_offsets) - 1

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return len(self.document_offsets) - 1


@dataclass(frozen=True, slots=True, eq=False)
class PreparedData:
    """All that a training run reads."""

    task: TaskName
    labels: tuple[str, ...]
    features: WordFeatures
    splits: Mapping[str, SplitData]
    """``train``, mostly ``validation``, and any other that is to be read with the trained network."""
    about: Mapping[str, Any]
    """What the model folder will say: data names and fingerprint, encoder settings, language, counts."""
    folder: Path = field(default=Path())
    """Where the file is, for a pretrained encoder lies beside it; not part of the file."""

    @property
    def train(self) -> SplitData:
        """The documents to learn from."""
        return self.splits["train"]

    @property
    def validation(self) -> SplitData | None:
        """The documents that decide when to stop, if there are any."""
        return self.splits.get("validation")

    @property
    def encoder_folder(self) -> Path:
        """The encoder's files."""
        return self.folder / str(self.about.get("encoder_folder", "encoder"))

    @property
    def inputs(self) -> int:
        """Width of a sentence vector with its flags."""
        return self.features.width + int(self.train.flags.shape[1])

    def with_about(self, **entries: Any) -> PreparedData:
        """Return a copy that says more about itself."""
        return replace(self, about={**self.about, **entries})

    def fingerprint(self) -> str:
        """Return a name that changes with all that is learned from: words, labels, section starts, of every split."""
        known = [self.about.get(name) for name in ("fingerprint", "encoder")]
        described = [self.task, self.labels, self.features.pooling, self.features.width, known]
        digest = hashlib.sha256(json.dumps(described, sort_keys=True).encode())
        for split_name, split in sorted(self.splits.items()):
            for name in SplitData.__slots__:
                array = getattr(split, name)
                digest.update(f"{split_name}.{name}".encode() + (b"" if array is None else array.tobytes()))
        return digest.hexdigest()[:16]

    def save(self, path: Path, with_features: bool = True) -> None:
        """Write the file; an interrupted write leaves nothing behind.

        ``with_features`` is false for data that shares the features of another file.
        """
        header: dict[str, Any] = {"format": FORMAT, "task": self.task, "labels": self.labels, "about": dict(self.about)}
        header |= {
            "splits": list(self.splits),
            "pooling": self.features.pooling,
            "width": self.features.width,
        }
        arrays: dict[str, NDArray[Any]] = {"header": np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)}
        for name in ("indices", "values", "offsets", "dense"):
            array = getattr(self.features, name)
            if array is not None and with_features:
                arrays[f"features.{name}"] = _compact(name, array)
        for split_name, split in self.splits.items():
            parts = {name: getattr(split, name) for name in SplitData.__slots__}
            arrays |= {f"{split_name}.{name}": _compact(name, a) for name, a in parts.items() if a is not None}
        with replacing(path) as draft, draft.open("wb") as file:
            np.savez_compressed(file, **arrays)  # type: ignore[arg-type]

    @classmethod
    def load(cls, path: Path) -> PreparedData:
        """Read the file back."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                found = cls._from_arrays({name: arrays[name] for name in arrays.files})
        except FileNotFoundError:
            raise DataError("There is no such file.", file=path) from None
        except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
            raise DataError(
                f"This is not a whole file of prepared data ({error}); prepare it again.", file=path
            ) from error
        return replace(found, folder=path.parent)

    @classmethod
    def _from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> PreparedData:
        header = json.loads(arrays["header"].tobytes())
        if header["format"] != FORMAT:
            raise ValueError(f"format {header['format']}, this version reads {FORMAT}")
        wide: dict[str, Any] = {
            "indices": np.int32,
            "values": np.float32,
            "offsets": np.int64,
            "dense": np.float32,
        }
        found = {n: _expand(n, arrays[f"features.{n}"], t) for n, t in wide.items() if f"features.{n}" in arrays}
        return cls(
            task=header["task"],
            labels=tuple(header["labels"]),
            features=WordFeatures(header["pooling"], header["width"], **found),
            splits={name: _split_from(arrays, name) for name in header["splits"]},
            about=header["about"],
        )


def _split_from(arrays: Mapping[str, NDArray[Any]], name: str) -> SplitData:
    types: dict[str, Any] = {"words": np.uint32, "flags": np.uint8, "mains": np.uint8, "teacher": np.uint8}
    types["vectors"] = np.float16
    optional = ("mains", "teacher", "vectors")
    found = [n for n in SplitData.__slots__ if n not in optional or f"{name}.{n}" in arrays]
    return SplitData(**{n: _expand(n, arrays[f"{name}.{n}"], types.get(n, np.int64)) for n in found})


def _compact(name: str, array: NDArray[Any]) -> NDArray[Any]:
    """Store rising numbers as differences, integers in as few bytes as needed, dense features in half precision."""
    if name == "dense":
        return array.astype(np.float16)
    if name.endswith("offsets"):
        array = np.diff(array)
    elif name == "sections":
        array = np.diff(array, prepend=0)
    if array.dtype.kind not in "iu" or array.size == 0:
        return array
    return array.astype(np.min_scalar_type(int(array.max())))


def _expand(name: str, array: NDArray[Any], dtype: Any) -> NDArray[Any]:
    """Undo ``_compact``."""
    if name.endswith("offsets"):
        return np.concatenate([np.zeros(1, dtype), np.cumsum(array, dtype=dtype)])
    return np.cumsum(array, dtype=dtype) if name == "sections" else array.astype(dtype)
