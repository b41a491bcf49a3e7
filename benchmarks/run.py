"""Answer one question with figures, as a page of Markdown: the command above them, machine, date, tables.

    python benchmarks/run.py QUESTION [options] [--output FILE]

A question is a module in a folder here, e.g. `quality/forms`, with a `TITLE`, `arguments(parser)` for its options and
`report(options)`, which gives the lines of its page. A text of the same name beside it (`quality/forms.md`) begins the
page. README.md lists all of them.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from harness.page import machine
from sector.atomic import replacing
from sector.errors import SectorError

HERE = Path(__file__).parent


def questions() -> list[str]:
    files = (file for file in HERE.glob("*/*.py") if "\nTITLE = " in file.read_text(encoding="utf-8"))
    return sorted(file.relative_to(HERE).with_suffix("").as_posix() for file in files)


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in questions():
        raise SystemExit(f"usage: python benchmarks/run.py QUESTION [options]\nquestions: {', '.join(questions())}")
    question = import_module(name.replace("/", "."))
    parser = argparse.ArgumentParser(prog=f"run.py {name}", description=question.__doc__)
    parser.add_argument("--output", type=Path, help="write the page to this file too")
    question.arguments(parser)
    options = parser.parse_args(sys.argv[2:])
    lines = []
    try:
        for line in page(question, name, options):
            print(line, flush=True)
            lines.append(line)
    except SectorError as error:
        raise SystemExit(str(error)) from None
    if options.output:
        with replacing(options.output) as draft:
            draft.write_text("\n".join(lines) + "\n", encoding="utf-8")


def page(question: ModuleType, name: str, options: argparse.Namespace) -> Iterator[str]:
    yield f"# {question.TITLE}\n"
    text = HERE / f"{name}.md"
    if text.exists():
        yield text.read_text(encoding="utf-8")
    yield f"```\npython benchmarks/run.py {shlex.join(sys.argv[1:])}\n```\n"
    yield machine() + "\n"
    yield from question.report(options)


if __name__ == "__main__":
    main()
