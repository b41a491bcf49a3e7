"""The `sector` command: registers the subcommands and turns errors into one line and an exit code."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import typer
from typer.core import TyperGroup

from sector import __version__
from sector.blas import VARIABLE
from sector.cli import (
    chunk,
    compare,
    console,
    data,
    embeddings,
    evaluate,
    export,
    figure,
    index,
    models,
    search,
    segment,
    serve,
    train,
    wiki,
    wiki_labels,
)
from sector.errors import MissingExtraError, SectorError
from sector.visible import visible

_USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]
"""Of the click that this version of typer uses, which may be one of its own."""


class _Commands(TyperGroup):
    """The group of subcommands. Messages on wrong usage repeat what was typed, escaped for the terminal."""

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        """Parse the options before the subcommand."""
        with _visible_usage():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: Any) -> Any:
        """Parse the options of the subcommand and run it."""
        with _visible_usage():
            return super().invoke(ctx)


@contextmanager
def _visible_usage() -> Iterator[None]:
    try:
        yield
    except _USAGE_ERROR as error:
        vars(error)["message"] = visible(str(vars(error)["message"]))
        raise


app = typer.Typer(
    cls=_Commands,
    name="sector",
    help="Split any document into coherent, labelled sections. Train and evaluate the models that do it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    segment.segment,
    chunk.chunk,
    index.index,
    search.search,
    serve.serve,
    train.train,
    embeddings.train_embeddings,
    evaluate.evaluate,
    compare.compare,
    figure.figure,
    models.models,
    models.info,
    export.export,
):
    app.command()(command)
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
    """Read the options that come before the subcommand."""


@contextmanager
def _ended_like_an_interruption() -> Iterator[None]:
    """Handle SIGTERM as Ctrl-C: workers end too, and no incomplete file remains."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


WIDEST = 4
"""Digits of a terminal's width."""
EXTRAS = dict.fromkeys(("torch", "safetensors", "onnx", "gensim"), "train") | {"transformers": "transformer"}
"""The extras of the packages that whole commands need."""


def main() -> None:
    """Run the command line: exit code 1 on failure, 2 on wrong usage, 130 on Ctrl-C or when asked to end."""
    os.environ.setdefault(VARIABLE, "1")  # numpy is loaded later
    _open_closed_streams()
    _write_in_any_locale()
    try:
        with _ended_like_an_interruption():
            try:
                app()
            finally:
                sys.stdout.flush()
    except SectorError as error:
        console.fail(str(error))
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        console.fail(str(MissingExtraError(str(error.name), extra)))
    except BrokenPipeError:  # whoever read the results has seen enough
        _give_up_stdout()
    except MemoryError:
        console.fail("The memory did not suffice. Give less at once, fewer --workers, or smaller documents.")
    except OSError as error:
        _give_up_stdout()
        console.fail(f"{error.strerror or error}" + (f": {error.filename}" if error.filename else ""))
    sys.exit(1)


def _give_up_stdout() -> None:
    """Discard what could not be written, so that Python does not try again at exit."""
    with suppress(OSError):  # what stands in for stdout in tests is no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write_in_any_locale() -> None:
    """Let results that are piped be UTF-8, and what a terminal cannot show be a question mark."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")
    if len(os.environ.get("COLUMNS", "")) > WIDEST:  # rich would write as many blanks
        del os.environ["COLUMNS"]
        console.out.width = console.err.width = 80


def _open_closed_streams() -> None:
    """Replace streams that the caller closed: writing results is an error, messages are discarded."""
    if sys.stdout is None:
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w")  # noqa: PTH123, SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115
