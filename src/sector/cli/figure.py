"""`sector figure`: draw documents, training runs and comparisons."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sector.cli import console
from sector.cli.options import HeadingsOption, MergeOption
from sector.errors import ConfigError

if TYPE_CHECKING:
    from sector.figures import Panel, Theme


def figure(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="DOC…",
            help="A document of any format, - for stdin, or a data set. Or folders of training runs, or the results of "
            "sector compare.",
        ),
    ],
    model: Annotated[
        list[str] | None, typer.Option("--model", "-m", help="Name or folder of a model. Repeat it for more panels.")
    ] = None,
    segmentation: Annotated[
        list[str] | None, typer.Option(help="Segmentation to draw. Repeat it, or separate names by commas.")
    ] = None,
    merge: MergeOption = False,
    granularity: Annotated[
        float | None, typer.Option(help="2: more and shorter sections, 0.5: fewer and longer.")
    ] = None,
    headings: HeadingsOption = "use",
    labels: Annotated[
        str | None, typer.Option(help="Comma-separated labels of your own, for a model of open vocabulary.")
    ] = None,
    document: Annotated[str, typer.Option(help="Which one of a data set: its number, id or title.")] = "",
    sentences: Annotated[str, typer.Option(metavar="FROM-TO", help="Only these sentences, e.g. 40-120.")] = "",
    rows: Annotated[int, typer.Option(min=1, help="How many labels the heat map shows.")] = 12,
    theme: Annotated[str, typer.Option(help="light, dark or print.")] = "light",
    width: Annotated[float | None, typer.Option(min=4, max=60, help="Width of the figure in inches.")] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="File to write: .png, .svg, .pdf, or .html for a page to explore. By default DOC.png.",
        ),
    ] = None,
) -> None:
    """Draw the heat map of a document with its boundaries; or the curves of training runs; or a comparison."""
    from sector import figures

    chosen = figures.find_theme(theme)
    target = figures.checked_target(output or Path(f"{_stem(sources[0])}.png"), "html")
    paths = [Path(source) for source in sources]
    if all(figures.is_run(path) for path in paths):
        _save(figures.draw_training(figures.read_histories(paths), chosen), target, "Training")
    elif len(paths) == 1 and figures.is_comparison(paths[0]):
        _save(figures.draw_comparison(figures.read_comparison(paths[0]), chosen), target, "Comparison")
    else:
        options = {"merge": merge, "granularity": granularity, "labels": labels}
        panels = _panels(_only(sources), document, model or [], _listed(segmentation), headings, rows, options)
        columns = len(_listed(segmentation)) if len(model or []) > 1 and len(_listed(segmentation)) > 1 else 1
        _write(panels, chosen, target, columns, width, _range(sentences))
    console.out.print(str(target), markup=False)


def _only(sources: list[str]) -> str:
    if len(sources) > 1:
        raise typer.BadParameter("one document makes one figure; call the command once for each", param_hint="DOC")
    return sources[0]


def _stem(source: str) -> str:
    """Return what a figure is called after its source."""
    from sector.compression import bare_name

    return "stdin" if source == "-" else Path(bare_name(Path(source).resolve().name)).stem


def _listed(names: list[str] | None) -> list[str]:
    """Return names that were separated by commas, or given one by one."""
    return [name.strip() for entry in names or [] for name in entry.split(",") if name.strip()]


def _panels(
    source: str,
    wanted: str,
    models: list[str],
    segmentations: list[str],
    headings: str,
    rows: int,
    options: dict[str, Any],
) -> list[Panel]:
    """Read the document with every model and return their panels."""
    from dataclasses import replace

    from sector.figures import gold_sections, read_panels
    from sector.figures.panel import merged
    from sector.figures.source import find_document
    from sector.runtime import default_model, load
    from sector.structure import check_headings

    check_headings(headings)
    document, said = find_document(source, wanted)
    if said:
        console.err.print(said, markup=False, soft_wrap=True)
    gold = gold_sections(document)
    gold = tuple(merged(gold)) if options["merge"] else gold
    document = replace(document, headings=headings)
    panels: list[Panel] = []
    for name in models or [default_model()]:
        panels += read_panels(load(name), document, segmentations or [None], gold=gold, rows=rows, **options)
    return panels


def _write(
    panels: list[Panel],
    theme: Theme,
    target: Path,
    columns: int,
    width: float | None,
    window: tuple[int, int] | None,
) -> None:
    from sector.figures import draw, save_page

    shown = panels[0].document
    title = f"{shown.title or shown.id or 'Text'}: topics by sentence"
    if target.suffix.lower() == ".html":
        save_page(panels, target, title=title)
        return
    _save(draw(panels, theme, columns=columns, width=width, sentences=window), target, title)


def _save(drawn: Any, target: Path, title: str) -> None:
    from sector.figures import save

    missing = save(drawn, target, title=title)
    if missing:
        console.warn(f"No font of this machine has {missing[:20]}; install one, e.g. Noto Sans CJK, or write an .svg.")


def _range(text: str) -> tuple[int, int] | None:
    """Return ``40-120``, numbers from 1 with the last one included, as places from 0."""
    if not text:
        return None
    first, _, last = text.partition("-")
    if not (first.isdecimal() and last.isdecimal() and 0 < int(first) <= int(last)):
        raise ConfigError(f"The sentences are '{text}'; write the first and the last one, e.g. 40-120.")
    return int(first) - 1, int(last)
