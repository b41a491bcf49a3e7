"""What users would call instead, and how long each takes for a file.

docling is not among them: it installs torch and CUDA, gigabytes, and fetches models.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from importlib import import_module, metadata
from pathlib import Path

from harness.clock import seconds

Convert = Callable[[Path], object]


def makers() -> dict[str, Callable[[], Convert]]:
    """Return the others by name; each gives what reads a file."""
    return {
        "markitdown": _markitdown,
        "unstructured": _unstructured,
        "pypandoc_binary": _pandoc,
        "pymupdf4llm": _pymupdf,
        "trafilatura": _trafilatura,
    }


def ready(names: Iterable[str]) -> dict[str, Convert]:
    """Return what reads a file, for each of the others that is installed with all that it needs."""
    found = {}
    for name in names:
        try:
            found[name] = makers()[name]()
        except ImportError:
            continue
    return found


def version(name: str) -> str:
    """Return the version that is installed; empty for none."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _markitdown() -> Convert:
    convert = import_module("markitdown").MarkItDown().convert
    return lambda path: convert(str(path))


def _unstructured() -> Convert:
    partition = import_module("unstructured.partition.auto").partition
    return lambda path: partition(filename=str(path), strategy="fast")


def _pandoc() -> Convert:
    convert = import_module("pypandoc").convert_file
    return lambda path: convert(str(path), "json")


def _pymupdf() -> Convert:
    convert = import_module("pymupdf4llm").to_markdown
    return lambda path: convert(str(path))


def _trafilatura() -> Convert:
    extract = import_module("trafilatura").extract
    return lambda path: _found(extract(path.read_text(encoding="utf-8")))


def _found(text: str | None) -> str:
    if not text:
        raise ValueError("nothing found")
    return text


def timed(convert: Convert, paths: Iterable[Path]) -> dict[Path, float]:
    """Return the seconds that each file took, the second time that it was read; files that fail are left out."""
    found = {}
    for path in paths:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                convert(path)
                found[path] = seconds(lambda path=path: convert(path))  # type: ignore[misc]
        except Exception:  # whatever a foreign library raises: it does not read this file
            continue
    return found
