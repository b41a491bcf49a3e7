"""`sector segment`: split documents into labelled sections."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.progress import ProgressColumn, Task
from rich.text import Text

from sector.cli import console
from sector.cli.corpora import in_parts, part_engine, run_corpus
from sector.cli.inputs import input_names, say_problems, say_skipped
from sector.cli.labels import read_labels
from sector.cli.options import (
    AddressOption,
    EncodingOption,
    HeadingsOption,
    IdFieldOption,
    InputArguments,
    MergeOption,
    ModelOption,
    TextFieldOption,
)
from sector.visible import amount, visible

if TYPE_CHECKING:
    from sector.corpus import FolderRun, LocalEngine, Problem, Source
    from sector.output import Format, Frame

Item = TypeVar("Item")
LINES = "jsonl"
"""The format that collects the results of a source in one file."""


def segment(
    inputs: InputArguments = None,
    model: ModelOption = None,
    segmentation: Annotated[
        str | None, typer.Option(help="newline, max, emd, bemd, joint, main or changepoint. By default the model's.")
    ] = None,
    granularity: Annotated[
        float | None,
        typer.Option(help="2: about twice as many sections, 0.5: half as many (joint, main, changepoint)."),
    ] = None,
    sections: Annotated[int | None, typer.Option(min=1, help="How many sections there are to be (joint).")] = None,
    labels: Annotated[
        str | None,
        typer.Option(
            help="Labels of your own, separated by commas; or a file, 'name' or 'name: description' per line."
        ),
    ] = None,
    merge: MergeOption = False,
    format_name: Annotated[
        str | None,
        typer.Option(
            "--format", "-f", help="text (default), json, jsonl (with --output), markdown, html. Ray: parquet."
        ),
    ] = None,
    max_chars: Annotated[int | None, typer.Option(min=1, help="Maximum length of a section in characters.")] = None,
    min_chars: Annotated[int | None, typer.Option(min=1, help="Merge shorter sections with a neighbour.")] = None,
    headings: HeadingsOption = "use",
    output: Annotated[str | None, typer.Option("--output", "-o", help="Output folder, or address of one.")] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace earlier results instead of continuing them.")
    ] = False,
    engine: Annotated[str, typer.Option(help="Processes of this machine, or Ray.", metavar="local|ray")] = "local",
    address: AddressOption = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Number of processes. By default 1; on Ray one per CPU.")
    ] = None,
    encoding: EncodingOption = None,
    text_field: TextFieldOption = "text",
    id_field: IdFieldOption = "id",
) -> None:
    """Split documents into labelled sections. With --output, an interrupted run is continued."""
    from sector.corpus import FolderRun, InputOptions, Job, LocalEngine, find_sources, readable
    from sector.corpus.records import Fields
    from sector.output import TextFormat
    from sector.runtime import default_model

    fields = Fields(text_field, id_field)
    chosen: dict[str, Any] = {
        "segmentation": segmentation,
        "granularity": granularity,
        "sections": sections,
        "labels": None if labels is None else read_labels(labels),
        "merge": merge,
        "max_chars": max_chars,
        "min_chars": min_chars,
        "headings": headings,
    }
    if in_parts(engine, address, *(inputs or ()), output or "") or format_name == "parquet":
        from sector.scale import SegmentTask

        task, parts = SegmentTask(model, **chosen), part_engine(engine, address, workers)
        run_corpus(
            inputs, output, task, parts, format_name=format_name, fields=fields, encoding=encoding, overwrite=overwrite
        )
        return
    folder = Path(output) if output is not None else None
    chosen_format = format_name or (LINES if folder else "text")
    options = InputOptions(encoding, fields, folder, corpora=folder is None or chosen_format == LINES)
    inputs_read = {"encoding": encoding or "detected", "text_field": text_field, "id_field": id_field}
    problems: list[Problem] = []
    sources = list(readable(find_sources(input_names(inputs), options), problems))
    several = bool(problems) or [source.is_single for source in sources] != [True]
    shown = _format(chosen_format, folder, several)
    name = model or default_model()
    job = Job(name, shown, by_language=not model, **chosen)
    say_skipped(sources)
    with LocalEngine(job, workers or 1) as local:
        if folder is None:
            problems += _to_stdout(local, sources, shown.frame(several), is_shown=isinstance(shown, TextFormat))
        else:
            problems += _to_folder(FolderRun(local, job, folder, overwrite, inputs_read), sources)
    _say_languages(local.unknown, name)
    say_problems(problems)


def _format(name: str, output: Path | None, several: bool) -> Format:
    from sector.output import MarkdownFormat, TextFormat, find_format

    if name == "markdown":
        return MarkdownFormat(titled=several and output is None)
    if name == "text" and output is None and console.out.is_terminal:
        return TextFormat(console.out.width, coloured=not console.out.no_color)
    return find_format(name)


def _to_stdout(engine: LocalEngine, sources: Sequence[Source], frame: Frame, *, is_shown: bool) -> list[Problem]:
    """Print all documents; return what could not be read."""
    from sector.corpus import readable

    problems: list[Problem] = []
    documents = chain.from_iterable(readable(source.documents(), problems) for source in sources)
    before = frame.before
    for _, text in _tracked(engine.run(documents), sources, visible=not console.out.is_terminal):
        _print(before + (visible(text) if console.out.is_terminal and not is_shown else text))
        before = frame.between
    _print(frame.after if before == frame.between else frame.before + frame.after)
    return problems


def _to_folder(run: FolderRun, sources: Sequence[Source]) -> list[Problem]:
    """Write a file per document, or one .jsonl per source; return what could not be read."""
    run.check(sources)
    written = chain.from_iterable(run.write(source) for source in sources)
    try:
        count = sum(1 for _ in _tracked(written, sources))
    except KeyboardInterrupt:
        console.err.print("interrupted; the same command continues where this one stopped")
        raise
    for path, found in run.continued.items():
        console.err.print(f"{path}: {amount(found, 'document')} already done", markup=False, soft_wrap=True)
    console.err.print(f"{amount(count, 'document')} written to {run.folder}", markup=False, soft_wrap=True)
    return run.problems


class _Speed(ProgressColumn):
    """Documents per second."""

    def render(self, task: Task) -> Text:
        """Return the speed, once there is one."""
        return Text(f"{task.speed:,.0f} documents/s" if task.speed else "")


def _tracked(items: Iterator[Item], sources: Sequence[Source], *, visible: bool = True) -> Iterator[Item]:
    """Yield documents and count them on a progress bar."""
    totals = [source.total for source in sources]
    known = None if None in totals else sum(total or 0 for total in totals)
    bar = console.progress("documents")
    bar.columns = (*bar.columns, _Speed())
    bar.disable = bar.disable or not visible
    with bar:
        task = bar.add_task("segmenting", total=known)
        for item in items:
            bar.advance(task)
            yield item


def _print(text: str) -> None:
    """Write to stdout as UTF-8, whatever the locale, and at once."""
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def _say_languages(unknown: Mapping[str, int], model: str) -> None:
    """Warn about documents in languages that no model was trained on."""
    counts = ", ".join(f"'{language}' ({count:,})" for language, count in unknown.items() if count)
    if counts:
        console.warn(f"No model was trained on documents in {counts}; the labels of {model} are guesses there.")
