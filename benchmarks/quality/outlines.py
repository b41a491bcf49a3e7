"""What a person sees: the sections of documents of many kinds, before a change and after it."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

import sector

TITLE = "Twelve documents of different kinds"
ROOT = Path(__file__).parents[2]
FORMS = ("*.txt", "*.md", "*.rst", "*.html", "*.eml")
COMMAND = "from sector.cli import main; main()"


def arguments(parser: argparse.ArgumentParser) -> None:
    examples = sorted(path for form in FORMS for path in (ROOT / "examples").glob(form))
    parser.add_argument("--documents", nargs="*", type=Path, default=[*examples, ROOT / "LICENSE"])
    parser.add_argument("--model", help="by default that of the document's language")
    parser.add_argument("--before", help="a revision, whose command `sector segment` says what it was like")


def report(options: argparse.Namespace) -> Iterator[str]:
    with TemporaryDirectory() as folder:
        if options.before:
            archive = subprocess.run(
                ["git", "archive", options.before, "src"], cwd=ROOT, capture_output=True, check=True
            )
            subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
        for path in options.documents:
            yield f"## {path.name}\n"
            if options.before:
                yield f"Before: {before(path, Path(folder))}\n"
            yield from after(path, options.model)


def before(path: Path, source: Path) -> str:
    """Return the labels that the older command prints, runs of one label together."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, "segment", str(path)],
        env={"PYTHONPATH": str(source / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return f"refused: {done.stderr.strip().splitlines()[-1]}"
    labels = [line.split("\t")[3] for line in done.stdout.splitlines()]
    runs = [(label, len(list(group))) for label, group in groupby(labels)]
    shown = ", ".join(f"`{label}`" + (f" × {count}" if count > 1 else "") for label, count in runs)
    return f"{len(labels)} sections: {shown}"


def after(path: Path, name: str | None) -> Iterator[str]:
    """Yield the outline that is drawn today."""
    document = sector.read(path)
    model = sector.load(name or model_for(document.language))
    found = model.segment(document)
    yield f"After ({model.name}): {len(found.sections)} sections\n"
    for section in found.sections:
        title = section.heading.rpartition(" | ")[2] or section.label
        about = f" — {section.label}, {section.confidence:.0%}" if section.heading else f" — {section.confidence:.0%}"
        words = len(section.text.split())
        yield f"{'    ' * (section.level - 1)}- **{title}**{about}, {words} words"
    yield ""


def model_for(language: str) -> str:
    """Return the model that the command takes."""
    from sector.runtime.languages import model_for

    return model_for(language)
