"""`sector index`: put documents into an index that `sector search` finds them in."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sector.cli import console
from sector.cli.corpora import corpus_inputs, following, in_parts, part_engine, say_failures
from sector.cli.inputs import input_names, say_problems
from sector.cli.options import (
    HEADINGS,
    AddressOption,
    EncodingOption,
    IdFieldOption,
    InputArguments,
    ModelOption,
    TextFieldOption,
)
from sector.visible import amount

if TYPE_CHECKING:
    from sector.corpus import Problem, Source
    from sector.document import Document
    from sector.retrieval import Index, Update
    from sector.scale import IndexRun


def index(
    inputs: InputArguments = None,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="DB", help="The index: a file, or postgresql://….")
    ] = "",
    model: ModelOption = None,
    max_tokens: Annotated[
        int | None, typer.Option(min=1, help="Index chunks of at most as many tokens. By default whole sections.")
    ] = None,
    tokenizer: Annotated[
        str | None,
        typer.Option(help="Counts them: estimate, words, characters, a tokenizer.json, or an encoding of tiktoken."),
    ] = None,
    headings: Annotated[str | None, HEADINGS] = None,
    prune: Annotated[bool, typer.Option("--prune", help="Remove documents that are not among the inputs.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Empty the index before.")] = False,
    engine: Annotated[str, typer.Option(help="This process, or workers on Ray.", metavar="local|ray")] = "local",
    address: AddressOption = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Number of processes. By default 1; on Ray one per CPU.")
    ] = None,
    staging: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Of results on their way, seen by all workers. By default DB.parts."),
    ] = None,
    encoding: EncodingOption = None,
    text_field: TextFieldOption = "text",
    id_field: IdFieldOption = "id",
) -> None:
    """Put the sections of documents into an index. Run again, it reads only what is new or has changed."""
    from sector.corpus import InputOptions, find_sources, readable
    from sector.corpus.records import Fields
    from sector.retrieval import Index

    if not output:
        raise typer.BadParameter("name the index, e.g. --output notes.db", param_hint="--output")
    fields = Fields(text_field, id_field)
    making: dict[str, Any] = {
        "max_tokens": max_tokens,
        "tokenizer": tokenizer,
        "headings": headings,
        "overwrite": overwrite,
    }
    if workers or in_parts(engine, address, *(inputs or ())):
        from sector.scale.indexing import index_run

        place, named = _staging(staging, output), corpus_inputs(inputs)
        workers_of = part_engine(engine, address, workers)
        with Index(output, model, **making) as opened:
            _index_in_parts(index_run(opened, named, place, workers_of, fields, encoding), prune=prune)
        return
    problems: list[Problem] = []
    options = InputOptions(encoding, fields, Path(output), corpora=True)
    sources = list(readable(find_sources(input_names(inputs), options), problems))
    with Index(output, model, **making) as opened:
        try:
            update = opened.add(_documents(sources, problems))
        except KeyboardInterrupt:
            console.err.print("interrupted; the same command continues where this one stopped")
            raise
        _say(update, opened)
        if prune:
            _prune(opened, update, complete=not problems)
    say_problems([*problems, *_repeated(update)])


def _repeated(update: Update) -> list[Problem]:
    from sector.corpus import Problem

    return [Problem(name, "Another document has the same id; the first one counts.") for name in update.repeated]


def _staging(given: str | None, output: str) -> str:
    """Return where rows wait on their way into an index."""
    if given is None and "://" in output:
        raise typer.BadParameter("name a folder or an address that all workers see", param_hint="--staging")
    return given or f"{output}.parts"


def _index_in_parts(run: IndexRun, *, prune: bool) -> None:
    """Index a corpus, show its progress and say what was done; exit code 1 if parts are not done."""
    with following("indexing") as tell:
        summary, update = run.run(tell)
    _say(update, run.index)
    say_failures(summary, run.corpus.output)
    if prune:
        _prune(run.index, update, complete=not summary.failures)
    say_problems(_repeated(update))


def _documents(sources: list[Source], problems: list[Problem]) -> Iterator[Document]:
    """Yield the documents and count them on a progress bar."""
    from sector.corpus import readable

    totals = [source.total for source in sources]
    known = None if None in totals else sum(total or 0 for total in totals)
    with console.progress("documents") as bar:
        task = bar.add_task("indexing", total=known)
        for document in chain.from_iterable(readable(source.documents(), problems) for source in sources):
            yield document
            bar.advance(task)


def _say(update: Update, index: Index) -> None:
    done = f"{amount(update.added, 'document')} added, {update.replaced:,} replaced, {update.unchanged:,} unchanged"
    whole = f"{amount(index.documents, 'document')} with {amount(len(index), 'chunk')}"
    console.err.print(f"{done}; {whole} in {index.name}", markup=False, soft_wrap=True)


def _prune(index: Index, update: Update, *, complete: bool) -> None:
    """Remove what is not among the inputs, if all of these could be read."""
    if not complete:
        console.warn("nothing was removed, because not all inputs could be read")
        return
    console.err.print(f"{amount(index.prune(update.seen), 'document')} removed", markup=False)
