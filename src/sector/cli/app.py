"""The `sector` command: registers the subcommands and turns errors into one line and an exit code."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from sector import __version__
from sector.cli import (
    compare,
    console,
    data,
    embeddings,
    evaluate,
    export,
    models,
    segment,
    serve,
    train,
    wiki,
    wiki_labels,
)
from sector.errors import SectorError

app = typer.Typer(
    name="sector",
    help="Split any document into coherent, labelled sections. Train and evaluate the models that do it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for verb in (
    segment.segment,
    serve.serve,
    train.train,
    embeddings.train_embeddings,
    evaluate.evaluate,
    compare.compare,
    models.models,
    models.info,
    export.export,
):
    app.command()(verb)
app.add_typer(data.app, name="data")
app.add_typer(wiki.app, name="wiki")
wiki.app.command()(wiki_labels.labels)


def _print_version(asked: bool) -> None:
    if asked:
        console.out.print(f"sector {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: bool = typer.Option(False, "--version", callback=_print_version, is_eager=True, help="Print the version."),
) -> None:
    """Take the options that come before the subcommand."""


@contextmanager
def _ended_like_an_interruption() -> Iterator[None]:
    """Let SIGTERM end a verb as Ctrl-C does, so that workers end too and nothing half-written stays."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def main() -> None:
    """Run the command line: exit code 1 on failure, 2 on wrong usage, 130 on Ctrl-C or when asked to end."""
    try:
        with _ended_like_an_interruption():
            app()
    except SectorError as error:
        console.fail(str(error))
        sys.exit(1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        console.fail(f"{error.strerror or error}" + (f": {error.filename}" if error.filename else ""))
        sys.exit(1)
