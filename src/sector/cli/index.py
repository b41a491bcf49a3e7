"""`sector index`: put documents into an index that `sector search` finds them in."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sector.cli import console
from sector.cli.inputs import input_names, say_problems
from sector.cli.options import HEADINGS, EncodingOption, IdFieldOption, InputArguments, ModelOption, TextFieldOption
from sector.visible import amount

if TYPE_CHECKING:
    from sector.corpus import Problem, Source
    from sector.document import Document
    from sector.retrieval import Index, Update


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
    encoding: EncodingOption = None,
    text_field: TextFieldOption = "text",
    id_field: IdFieldOption = "id",
) -> None:
    """Put the sections of documents into an index. Run again, it reads only what is new or has changed."""
    from sector.corpus import InputOptions, Problem, find_sources, readable
    from sector.corpus.records import Fields
    from sector.retrieval import Index

    if not output:
        raise typer.BadParameter("name the index, e.g. --output notes.db", param_hint="--output")
    problems: list[Problem] = []
    options = InputOptions(encoding, Fields(text_field, id_field), Path(output))
    sources = list(readable(find_sources(input_names(inputs), options), problems))
    with Index(
        output, model, max_tokens=max_tokens, tokenizer=tokenizer, headings=headings, overwrite=overwrite
    ) as opened:
        try:
            update = opened.add(_documents(sources, problems))
        except KeyboardInterrupt:
            console.err.print("interrupted; the same command continues where this one stopped")
            raise
        _say(update, opened)
        if prune:
            _prune(opened, update, problems)
    problems += [Problem(name, "Another document has the same id; the first one counts.") for name in update.repeated]
    say_problems(problems)


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


def _prune(index: Index, update: Update, problems: list[Problem]) -> None:
    """Remove what is not among the inputs, if all of these could be read."""
    if problems:
        console.warn("nothing was removed, because not all inputs could be read")
        return
    console.err.print(f"{amount(index.prune(update.seen), 'document')} removed", markup=False)
