"""Write documents in any format that can hold them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from sector.compression import SUFFIXES, bare_name
from sector.datasets.json_writers import write_jsonl, write_wikisection
from sector.datasets.line_writers import write_chen, write_ref, write_wiki727
from sector.datasets.targets import replacing
from sector.document import Document
from sector.documents import documents_among
from sector.errors import ConfigError
from sector.values import path_of
from sector.visible import brief

Writer = Callable[[Iterable[Document], Path, str], None]
"""Writes documents to a draft's path; the third argument is the final name, which says how to compress."""
WRITERS: dict[str, Writer] = {
    "wikisection": write_wikisection,
    "jsonl": write_jsonl,
    "wiki727": write_wiki727,
    "ref": write_ref,
    "chen": write_chen,
}
_SUFFIXES = {".json": "wikisection", ".jsonl": "jsonl", ".ndjson": "jsonl"}
_PACKED = ("wikisection", "jsonl")


def write(documents: Iterable[Document], target: str | Path, format: str | None = None, *, force: bool = False) -> None:
    """Write documents as a data set, whole or not at all.

    Args:
        documents: what to write, which need not fit into memory.
        target: a file or, for formats of many files, a folder.
        format: a name of `WRITERS`; None takes it from the target's name.
        force: replace an existing data set.

    Raises:
        ConfigError: an unknown format, or a target that exists.
        DataError: a document that the format cannot hold.
    """
    path = path_of(target)
    name = target_format(path) if format is None else format
    writer = _writer(name, path)
    with replacing(path, force=force) as draft:
        writer(documents_among(documents), draft, path.name)


def target_format(target: Path) -> str:
    """Find the format that a target's name asks for."""
    bare = Path(bare_name(target.name.lower()))
    if bare.suffix not in _SUFFIXES:
        raise ConfigError(f"The name {target.name} does not say the format; add --to {'|'.join(WRITERS)}.")
    return _SUFFIXES[bare.suffix]


def _writer(name: str, target: Path) -> Writer:
    if name == "multiseg":
        raise ConfigError("multiseg cannot be written: it needs groups of documents that share their topics.")
    if not isinstance(name, str) or name not in WRITERS:
        raise ConfigError(f"There is no format {brief(name)} to write; choose one of {', '.join(WRITERS)}.")
    if target.name.lower().endswith(SUFFIXES) and name not in _PACKED:
        raise ConfigError(f"The format {name} is not compressed; choose a target without {target.suffix}.")
    return WRITERS[name]
