"""`sector search`: find sections in an index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sector.cli import console

if TYPE_CHECKING:
    from sector.retrieval import Index


def search(
    place: Annotated[str, typer.Argument(metavar="DB", help="An index that `sector index` wrote.")],
    query: Annotated[str, typer.Argument(help="Words, or a question.")],
    labels: Annotated[
        list[str] | None,
        typer.Option("--label", "-l", help="Only sections with this label; several may be given. * is anything."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="At most as many results.")] = 10,
    mode: Annotated[str, typer.Option(help="Rank by words, by meaning, or both.", metavar="hybrid|bm25|embedding")] = (
        "hybrid"
    ),
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list of whole sections.")] = False,
) -> None:
    """Find the sections that fit a query, best first. In a pipe: a tab-separated line for each."""
    from sector.output.hits import TextHits, table_of
    from sector.retrieval import Index

    with Index(place, create=False) as index:
        hits = index.search(query, limit=limit, labels=labels or (), mode=mode)
        if as_json:
            console.print_json([hit.to_dict() for hit in hits], indent=1)
        elif console.out.is_terminal:
            shown = TextHits(console.out.width, coloured=not console.out.no_color)
            print(shown.render(hits), end="")
        else:
            console.write(table_of(hits))
        if not hits:
            _say_nothing(index, labels or [])


def _say_nothing(index: Index, labels: list[str]) -> None:
    """Say why nothing may have been found."""
    there = ", ".join(list(index.labels())[:10])
    told = f"; the most frequent labels are: {there}" if labels else ""
    console.err.print(f"nothing found{told}", markup=False, soft_wrap=True)
