"""Chunks as JSON Lines, Markdown or Parquet."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

from sector import atomic
from sector.chunks import Chunk
from sector.errors import ConfigError, MissingExtraError
from sector.visible import escaped

CHUNK_FORMATS = ("jsonl", "markdown", "parquet")
ROWS = 1024
"""Chunks that are written to Parquet together."""


def check_chunk_format(name: str, has_file: bool) -> None:
    """Raise ConfigError for a format that there is not, or that only a file can hold."""
    if name not in CHUNK_FORMATS:
        raise ConfigError(f"There is no format '{name}'; choose one of: {', '.join(CHUNK_FORMATS)}.")
    if name == "parquet" and not has_file:
        raise ConfigError("Parquet needs a file; name it with --output.")


def chunk_text(chunks: Sequence[Chunk], format: str) -> str:
    """Return the chunks of one document as JSON Lines or as Markdown."""
    return "".join(map(_markdown if format == "markdown" else _line, chunks))


def _line(chunk: Chunk) -> str:
    return escaped(json.dumps(chunk.to_dict(), ensure_ascii=False)) + "\n"


def _markdown(chunk: Chunk) -> str:
    """Return one chunk below a comment that says what it is."""
    parts = [chunk.id, f"{chunk.tokens} tokens", chunk.document_id, chunk.breadcrumb]
    about = " · ".join(" ".join(part.split()).replace("--", "- -") for part in parts if part)
    return f"<!-- {about} -->\n\n{chunk.text.strip()}\n\n"


def write_chunks(path: Path, documents: Iterable[Sequence[Chunk]], format: str) -> int:
    """Write the chunks of documents to a file, whole or not at all; return how many there are.

    Raises: MissingExtraError for Parquet without pyarrow.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic.replacing(path) as draft:
        if format == "parquet":
            return _write_parquet(draft, chain.from_iterable(documents))
        with draft.open("wb") as file:
            count = 0
            for chunks in documents:
                file.write(chunk_text(chunks, format).encode("utf-8", "replace"))
                count += len(chunks)
            return count


def _write_parquet(path: Path, chunks: Iterable[Chunk]) -> int:
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError:
        raise MissingExtraError("pyarrow", "parquet") from None
    kinds = {"begin": arrow.int64(), "end": arrow.int64(), "tokens": arrow.int64(), "confidence": arrow.float32()}
    kinds["page"] = arrow.int64()
    schema = arrow.schema([(name, kinds.get(name, arrow.string())) for name in Chunk("", 0, 0, "", 0).to_dict()])
    count = 0
    with parquet.ParquetWriter(path, schema) as writer:
        for rows in _batches(chunks):
            writer.write_table(arrow.Table.from_pylist(rows, schema=schema))
            count += len(rows)
    return count


def _batches(chunks: Iterable[Chunk]) -> Iterator[list[dict[str, Any]]]:
    rows = iter(chunks)
    while batch := [_clean(chunk.to_dict()) for chunk in islice(rows, ROWS)]:
        yield batch


def _clean(record: dict[str, Any]) -> dict[str, Any]:
    """Replace lone surrogates, which UTF-8 cannot hold."""
    texts = {
        name: value.encode("utf-8", "replace").decode() for name, value in record.items() if isinstance(value, str)
    }
    return record | texts
