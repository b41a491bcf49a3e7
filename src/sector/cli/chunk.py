"""`sector chunk`: divide documents into chunks for retrieval."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sector.cli import console
from sector.cli.corpora import in_parts, part_engine, run_corpus
from sector.cli.inputs import input_names, say_problems
from sector.cli.options import (
    AddressOption,
    EncodingOption,
    HeadingsOption,
    IdFieldOption,
    InputArguments,
    ModelOption,
    TextFieldOption,
)
from sector.visible import amount, visible

if TYPE_CHECKING:
    from sector.chunks import Chunk


def chunk(
    inputs: InputArguments = None,
    max_tokens: Annotated[int, typer.Option(min=1, help="No chunk has more tokens.")] = 512,
    tokenizer: Annotated[
        str | None,
        typer.Option(help="estimate (default), words, characters, a tokenizer.json, or an encoding of tiktoken."),
    ] = None,
    overlap: Annotated[int, typer.Option(min=0, help="Sentences of the chunk before that are repeated.")] = 0,
    fill: Annotated[float, typer.Option(min=0, max=1, help="Mean share of --max-tokens to reach.")] = 0.8,
    format_name: Annotated[str, typer.Option("--format", "-f", help="jsonl, markdown or parquet.")] = "jsonl",
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="A file; else standard output. On Ray a folder or an address.")
    ] = None,
    model: ModelOption = None,
    headings: HeadingsOption = "use",
    engine: Annotated[str, typer.Option(help="This process, or Ray.", metavar="local|ray")] = "local",
    address: AddressOption = None,
    workers: Annotated[int | None, typer.Option(min=1, help="On Ray: workers. By default one per CPU.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="On Ray: replace earlier results.")] = False,
    encoding: EncodingOption = None,
    text_field: TextFieldOption = "text",
    id_field: IdFieldOption = "id",
) -> None:
    """Divide documents into chunks for retrieval: coherent, full, never longer than --max-tokens."""
    from sector.chunks.names import tokenizer_named
    from sector.corpus import InputOptions, Problem, find_sources, readable
    from sector.corpus.chunking import chunk_documents
    from sector.corpus.records import Fields
    from sector.output.chunks import check_chunk_format, chunk_text, write_chunks
    from sector.runtime import load

    fields = Fields(text_field, id_field)
    if in_parts(engine, address, *(inputs or ()), output or ""):
        from sector.scale import ChunkTask

        task = ChunkTask(model, max_tokens, tokenizer, overlap, fill, headings)
        parts = part_engine(engine, address, workers)
        run_corpus(
            inputs, output, task, parts, format_name=format_name, fields=fields, encoding=encoding, overwrite=overwrite
        )
        return
    if workers and workers > 1:
        hint = "several are for --engine ray, or for an address as --output, e.g. file:///…"
        raise typer.BadParameter(hint, param_hint="--workers")
    file = Path(output) if output is not None else None
    check_chunk_format(format_name, file is not None)
    options = {
        "max_tokens": max_tokens,
        "tokenizer": tokenizer_named(tokenizer),
        "overlap": overlap,
        "fill": fill,
        "headings": headings,
    }
    loaded = load(model)
    loaded.chunk_all([], **options)
    problems: list[Problem] = []
    found = find_sources(input_names(inputs), InputOptions(encoding, fields, file, corpora=True))
    documents = chain.from_iterable(readable(source.documents(), problems) for source in readable(found, problems))
    results = (chunks for _, chunks in chunk_documents(documents, loaded, by_language=model is None, **options))
    if file is None:
        for chunks in results:
            _print(chunk_text(chunks, format_name))
    else:
        count = write_chunks(file, _counted(results), format_name)
        console.err.print(f"{amount(count, 'chunk')} written to {output}", markup=False, soft_wrap=True)
    say_problems(problems)


def _counted(results: Iterator[list[Chunk]]) -> Iterator[list[Chunk]]:
    """Yield the chunks of each document and count documents on a progress bar."""
    with console.progress("documents") as bar:
        task = bar.add_task("chunking", total=None)
        for chunks in results:
            bar.advance(task)
            yield chunks


def _print(text: str) -> None:
    shown = visible(text) if console.out.is_terminal else text
    sys.stdout.buffer.write(shown.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()
