"""`sector data from-documents`: learn from your own headings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sector.cli import console
from sector.cli.inputs import say_problems, say_skipped
from sector.cli.options import EncodingOption, ForceOption
from sector.cli.wiki_labels import show, topic_range
from sector.errors import ConfigError, DataError

if TYPE_CHECKING:
    from sector.corpus import Problem
    from sector.datasets.authored import Authored
    from sector.document import Document


def from_documents(
    inputs: Annotated[list[str], typer.Argument(metavar="FOLDER…", help="Folders or files of any format.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="A new .jsonl or .json, also .gz, .bz2 or .xz.")],
    validation: Annotated[
        Path | None, typer.Option(help="Another file, for documents that are held out of training.")
    ] = None,
    share: Annotated[float, typer.Option(min=0.01, max=0.5, help="The share of documents held out.")] = 0.1,
    levels: Annotated[int, typer.Option(min=0, help="Deepest level of headings that makes sections; 0 means all.")] = 0,
    min_sections: Annotated[int, typer.Option(min=1, help="Leave out documents with fewer sections.")] = 2,
    language: Annotated[str, typer.Option(help="Leave out documents in other languages, e.g. en.")] = "",
    topics: Annotated[
        str | None, typer.Option(help="Cluster the headings into so many topics, e.g. 25-35. By default headings stay.")
    ] = None,
    lexicon: Annotated[str, typer.Option(help="For --topics: wordnet, wn, babelnet or thesaurus.")] = "wordnet",
    path: Annotated[str | None, typer.Option(help="For --topics: location of the lexicon.")] = None,
    override: Annotated[Path | None, typer.Option(help="For --topics: a TOML file with topics of your own.")] = None,
    encoding: EncodingOption = None,
    force: ForceOption = False,
) -> None:
    """Make training data of documents with headings: Markdown, HTML, Word and others."""
    from sector.corpus import InputOptions, find_sources, readable
    from sector.datasets import write
    from sector.datasets.authored import Authored, split_off
    from sector.datasets.targets import check_target
    from sector.datasets.writing import target_format

    for new in filter(None, (output, validation)):
        target_format(new)
        check_target(new, force)
    if output == validation:
        raise ConfigError("--output and --validation are the same file; name two.")
    problems: list[Problem] = []
    sources = list(readable(find_sources(inputs, InputOptions(encoding)), problems))
    say_skipped(sources)
    authored = Authored(levels, min_sections, language)
    with console.progress("documents") as bar:
        task = bar.add_task("reading", total=None)
        found: list[Document] = []
        for source in sources:
            documents = readable(source.documents(), problems)
            found += authored.select(bar.track(documents, task_id=task))
    _say_left_out(authored)
    _check(found, validation, problems)
    if topics is not None:
        found = _with_topics(found, topics, lexicon, path, language, override)
    train, held_out = split_off(found, share) if validation is not None else (found, [])
    for chosen, target in ((train, output), (held_out, validation)):
        if target is not None:
            write(chosen, target, force=force)
            _say_written(chosen, target)
    _say_next(output, validation, "headings" if topics is None else "topics")
    say_problems(problems)


def _check(found: Sequence[Document], validation: Path | None, problems: Sequence[Problem]) -> None:
    if not found:
        for problem in problems:
            console.fail(str(problem))
        raise DataError(
            "No document has sections below headings, so there is nothing to learn from; name documents with "
            "headings, or lower --min-sections."
        )
    if validation is not None and len(found) < 2:
        raise DataError("There is only one document, and none is left to hold out; leave --validation out.")


def _with_topics(
    found: Sequence[Document], topics: str, lexicon: str, path: str | None, language: str, override: Path | None
) -> list[Document]:
    """Return the documents with topics that their headings are clustered into."""
    from sector.wikipedia.labels import (
        Overrides,
        build_labelling,
        describe,
        label_document,
        load_overrides,
        open_lexicon,
    )

    wanted = topic_range(topics)
    steered = load_overrides(override) if override else Overrides()
    spoken = language or _languages(found).most_common(1)[0][0] or "en"
    words = open_lexicon(lexicon, spoken, path)
    outlines = [[section.heading for section in document.sections] for document in found]
    labelling, counts = build_labelling(outlines, words, spoken, wanted, steered)
    show(describe(labelling, counts, spoken, None))
    return [label_document(document, labelling) for document in found]


def _languages(found: Sequence[Document]) -> Counter[str]:
    return Counter(document.language for document in found)


def _say_left_out(authored: Authored) -> None:
    for reason, count in authored.left_out.most_common():
        console.err.print(f"left out: {count:,} {reason}", markup=False, soft_wrap=True)


def _say_written(documents: Sequence[Document], target: Path) -> None:
    sections = [section for document in documents for section in document.sections]
    headings = len({section.heading for section in sections})
    console.err.print(
        f"wrote {target}: {len(documents):,} documents, {len(sections):,} sections, {headings:,} distinct headings",
        markup=False,
        soft_wrap=True,
    )
    languages = _languages(documents)
    if len(languages) > 1:
        counts = ", ".join(f"{name or 'unknown'} ({count:,})" for name, count in languages.most_common())
        console.warn(f"{target.name} has documents in {counts}; a model learns one language best: --language.")


def _say_next(output: Path, validation: Path | None, task: str) -> None:
    held_out = f" --validation {validation}" if validation else ""
    command = f"sector train {output}{held_out} --task {task} --output MODEL"
    console.err.print(f"next: {command}", markup=False, soft_wrap=True)
