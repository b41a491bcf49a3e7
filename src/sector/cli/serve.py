"""`sector serve`: the HTTP service and its page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sector.cli import console


def serve(
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", help="A model's name or folder; again for more. The first is the default."),
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen at; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535)] = 8000,
    workers: Annotated[int, typer.Option(min=1, help="Processes that share the port and nothing else.")] = 1,
    api_key: Annotated[
        str, typer.Option(envvar="SECTOR_API_KEY", show_envvar=True, help="What clients must send.")
    ] = "",
    cors_origin: Annotated[
        list[str] | None, typer.Option(help="An origin whose pages may call the service; again for more.")
    ] = None,
    max_body: Annotated[int, typer.Option(min=1, help="Most bytes of a request.")] = 2_000_000,
    max_documents: Annotated[int, typer.Option(min=1, help="Most documents of a request.")] = 32,
    max_characters: Annotated[int, typer.Option(min=1, help="Most characters of a request.")] = 1_048_576,
    deadline: Annotated[float, typer.Option(help="Seconds until a request is answered with 504.")] = 30.0,
    queue: Annotated[int, typer.Option(min=1, help="Most documents that wait; more are answered with 429.")] = 128,
    batch: Annotated[int, typer.Option(min=1, help="Most documents that are read together.")] = 16,
    threads: Annotated[int, typer.Option(min=1, help="Threads that run models, per process.")] = 1,
    cache_bytes: Annotated[
        int, typer.Option(min=0, help="Memory for documents that the page has open, per process.")
    ] = 64_000_000,
    export: Annotated[
        Path | None, typer.Option(help="Write the page with three examples as files into this folder, and end.")
    ] = None,
    page: Annotated[bool, typer.Option("--page/--no-page", help="Serve the page at /.")] = True,
) -> None:
    """Serve models over HTTP, with a page to try them. Ctrl-C or SIGTERM ends it when all requests are answered."""
    from sector.server import Settings, write_page
    from sector.server import serve as start

    settings = Settings(
        models=tuple(model or ()),
        host=host,
        port=port,
        workers=workers,
        api_key=api_key,
        cors_origins=tuple(cors_origin or ()),
        max_body_bytes=max_body,
        max_documents=max_documents,
        max_characters=max_characters,
        deadline=deadline,
        queue_documents=queue,
        batch_documents=batch,
        threads=threads,
        cache_bytes=cache_bytes,
        page=page,
    )
    if export:
        write_page(export, settings)
        console.err.print(f"The page is in {export}.", markup=False)
        return
    console.err.print(f"sector on http://{host}:{port} — Ctrl-C ends it", markup=False)
    start(settings)
