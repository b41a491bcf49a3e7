"""`sector wiki labels`: topic labels for the headings of a data set, and their quality."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sector.atomic import write_text
from sector.cli import console
from sector.cli.options import ForceOption
from sector.errors import ConfigError, DataError

if TYPE_CHECKING:
    from sector.wikipedia.labels import Agreement, Labelling, LabelReport, TopicRange

REPORT = "report.json"


@dataclass
class Headings:
    """The headings and labels that were read from the data."""

    documents: list[list[str]] = field(default_factory=list)
    """Headings of each document, in order."""
    given: list[list[str]] = field(default_factory=list)
    """The labels that the data gives them."""
    language: str = ""


def labels(
    data: Annotated[list[Path], typer.Argument(help="Data sets with headings, in any supported format.")],
    lexicon: Annotated[str, typer.Option(help="wordnet, wn, babelnet or thesaurus.")] = "wordnet",
    path: Annotated[
        str | None,
        typer.Option(
            help="Location of the lexicon: folder of WordNet, .dat of a thesaurus, name of a wordnet, or cache."
        ),
    ] = None,
    language: Annotated[str | None, typer.Option(help="Language; by default that of the documents, else en.")] = None,
    override: Annotated[Path | None, typer.Option(help="A TOML file that overrides topics and names.")] = None,
    topics: Annotated[str, typer.Option(help="Number of topics: a range such as 25-35, or a maximum.")] = "25-35",
    against: Annotated[bool, typer.Option("--against", help="Compare with the labels in the data.")] = False,
    output: Annotated[Path | None, typer.Option(help="Output folder for the labelled data and report.json.")] = None,
    force: ForceOption = False,
    key: Annotated[str | None, typer.Option(help="API key of BabelNet; or set BABELNET_KEY.")] = None,
    endpoint: Annotated[str | None, typer.Option(help="Another address of the BabelNet API.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Label sections with topics that are found by clustering the synsets of their headings."""
    from sector.wikipedia.labels import Overrides, build_labelling, describe, load_overrides, open_lexicon

    wanted = topic_range(topics)
    steered = load_overrides(override) if override else Overrides()
    targets = _targets(data, output, force=force)
    found = read_headings(data)
    spoken = language or found.language or "en"
    words = open_lexicon(lexicon, spoken, path, key=key, endpoint=endpoint)
    labelling, counts = build_labelling(found.documents, words, spoken, wanted, steered)
    report = describe(labelling, counts, spoken, _compared(labelling, found) if against else None)
    if output is not None:
        write(labelling, report, targets, output, force=force)
    if as_json:
        console.print_json(report.to_dict(), indent=2)
    else:
        show(report)


def topic_range(text: str) -> TopicRange:
    """Read ``25-35`` or ``30``."""
    from sector.wikipedia.labels import TopicRange

    found = re.fullmatch(r"\s*(?:(\d+)\s*[-–]\s*)?(\d+)\s*", text)
    if found is None or int(found[2]) < max(1, int(found[1] or 0)):
        raise typer.BadParameter(f"'{text}' is neither a number nor a range such as 25-35", param_hint="--topics")
    return TopicRange(int(found[1] or 1), int(found[2]))


def read_headings(paths: Iterable[Path]) -> Headings:
    """Return the headings of the data sets, without their texts."""
    from sector.datasets import read

    found = Headings()
    with console.progress("documents") as progress:
        bar = progress.add_task("reading", total=None)
        for path in paths:
            for document in read(path):
                found.documents.append([section.heading for section in document.sections])
                found.given.append([section.label for section in document.sections])
                found.language = found.language or document.language
                progress.advance(bar)
    return found


def write(
    labelling: Labelling, report: LabelReport, targets: dict[Path, Path], output: Path, *, force: bool = False
) -> None:
    """Write each labelled data set, then the report."""
    from sector.datasets import read
    from sector.datasets import write as write_documents
    from sector.wikipedia.labels import label_document

    output.mkdir(parents=True, exist_ok=True)
    for source, target in targets.items():
        write_documents((label_document(document, labelling) for document in read(source)), target, force=force)
        console.err.print(f"wrote {target}", markup=False)
    write_text(output / REPORT, json.dumps(report.to_dict(), ensure_ascii=False, indent=2) + "\n")
    console.err.print(f"wrote {output / REPORT}", markup=False)


def show(report: LabelReport) -> None:
    """Print the topics, their coverage and, if compared, the agreement with the given labels."""
    from rich.markup import escape

    from sector.output.topic_report import agreement_table, topics_table, worst_table

    console.out.print(topics_table(report))
    console.out.print(
        f"{report.documents:,} documents: {100 * report.covered_sections:.2f} % of {report.sections:,} sections and "
        f"{100 * report.covered_headings:.2f} % of {report.headings:,} distinct headings have one of "
        f"{len(report.topics)} topics."
    )
    left = ", ".join(f"{heading or '(none)'} ({number})" for heading, number in report.other[:20])
    console.out.print(f"[bold]other:[/bold] {escape(left) or 'nothing'}")
    if report.agreement is not None:
        console.out.print(agreement_table(report.agreement))
        console.out.print(worst_table(report.agreement))


def _targets(data: list[Path], output: Path | None, *, force: bool) -> dict[Path, Path]:
    """Return the output file of each data set; raise ConfigError before any work is done."""
    if output is None:
        return {}
    if output.exists() and not output.is_dir():
        raise ConfigError(f"{output} is a file; --output is a folder.")
    targets = {source: output / _labelled_name(source) for source in data}
    if len(set(targets.values())) < len(targets):
        raise ConfigError("Two of the data sets have the same name; label them one by one.")
    for source, target in targets.items():
        if target.exists() and target.resolve() == source.resolve():
            raise ConfigError(f"{target} would replace its own source; choose another --output.")
        if target.exists() and not force:
            raise ConfigError(f"{target} exists already; choose another --output, or --force to replace it.")
    return targets


def _labelled_name(source: Path) -> str:
    """Return the name of the output file. Formats without labels become WikiSection JSON."""
    is_json = re.search(r"\.(json|jsonl|ndjson)(\.(gz|bz2|xz))?$", source.name.lower())
    return source.name if is_json else f"{source.name.partition('.')[0]}.json"


def _compared(labelling: Labelling, found: Headings) -> Agreement:
    from sector.wikipedia.labels import compare

    pairs = [
        (labelling.label(heading), label)
        for headings, given in zip(found.documents, found.given, strict=True)
        for heading, label in zip(headings, given, strict=True)
        if label
    ]
    if not pairs:
        raise DataError("The data has no labels to compare with; leave out --against.")
    return compare(*zip(*pairs, strict=True))
