"""Real documents of many formats: what begins their sections, where they are cut, and how long reading takes."""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import sector
from formats.checks import begun, counts
from formats.fetch import File, fetch
from formats.others import PARSERS, titles, units
from formats.peers import makers, ready, timed, version
from harness.clock import times
from harness.page import NOTHING, table
from sector.document import Document
from sector.runtime import Model

TITLE = "Real documents of many formats"
SOURCE = ("txt", "md", "rst", "html", "man", "srt")
"""Formats whose sections, put together, give the file back."""
REPEATS = 3
NUMBER = re.compile(r"^(?:(?:chapter|kapitel)\s+)?(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)+)\.?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Read:
    """A document as it was read and segmented."""

    file: File
    path: Path
    document: Document
    ignoring: Document
    """Segmented as if there were no headings."""
    seconds: float
    other: tuple[str, ...] | None
    """Headings of another parser."""
    counts: Counter[str] = field(default_factory=Counter)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--folder", type=Path, default=Path("build/formats"), help="where the files are, or will be")
    parser.add_argument("--model", help="by default the default model")
    parser.add_argument("--only", nargs="*", help="formats; by default all")
    parser.add_argument("--peer", nargs="*", default=list(makers()), help="what is timed beside")
    parser.add_argument("--peer-files", type=int, default=4, help="of each format that the others read")
    parser.add_argument("--peer-largest", type=int, default=150_000, help="bytes of such a file")


def report(options: argparse.Namespace) -> Iterator[str]:
    model = sector.load(*filter(None, [options.model]))
    files = [pair for pair in fetch(options.folder) if not options.only or pair[0].format in options.only]
    found = [_read(model, file, path) for file, path in files]
    formats: dict[str, list[Read]] = defaultdict(list)
    for read in found:
        formats[read.file.format].append(read)
    genres = {read.file.genre for read in found}
    yield f"{len(found)} files in {len(formats)} formats and {len(genres)} genres; model `{model.name}`.\n"
    yield from table(HEAD, [_row(name, reads) for name, reads in [*formats.items(), ("all", found)]])
    yield "\n## As if there were no headings (`--headings ignore`)\n"
    yield from table(HEAD_IGNORING, [_ignoring(name, reads) for name, reads in [*formats.items(), ("all", found)]])
    yield "\n## Time\n"
    yield from _times(formats, options)
    yield "\n## The files\n"
    yield from table(HEAD_FILES, map(_file, found), names=4)


def _read(model: Model, file: File, path: Path) -> Read:
    taken = times(lambda: sector.read(path), REPEATS)[0]
    document = sector.read(path)
    used, ignoring = (model.segment(document, headings=way) for way in ("use", "ignore"))
    other = titles(file.format, path)
    found = Read(file, path, used, ignoring, taken, None if other is None else tuple(filter(None, other)))
    found.counts.update(_counts(found))
    return found


def _counts(read: Read) -> Counter[str]:
    more = units(read.file.format, read.document.text)
    found = counts(read.document, more)
    ours = Counter(_key(block.content) for block in begun(read.document))
    theirs = Counter(map(_key, read.other or ()))
    found += Counter(theirs=theirs.total(), matched=(ours & theirs).total(), files=1, bytes=read.path.stat().st_size)
    found += Counter(characters=len(read.document.text), back=_gives_back(read))
    found += Counter({f"ignoring {name}": count for name, count in counts(read.ignoring, more).items()})
    return found


def _key(title: str) -> str:
    """Return a title as it is compared: without its number, which some parsers count themselves."""
    return "".join(filter(str.isalnum, NUMBER.sub("", title.strip()).casefold()))


def _gives_back(read: Read) -> bool:
    """Whether the sections' texts are, put together, the characters of the file."""
    content = read.path.read_bytes()
    joined = "".join(section.text for section in read.document.sections)
    return any(_decoded(content, encoding) == joined for encoding in ("utf-8-sig", "cp1252"))


def _decoded(content: bytes, encoding: str) -> str:
    return content.decode(encoding, errors="replace")


HEAD = (
    "format",
    "files",
    "characters",
    "sections",
    "headings",
    "begin a section",
    "end one",
    "another parser's headings",
    "begin a section",
    "cuts inside sentences",
    "inside code, tables",
    "inside list items",
    "small letters",
    "given back",
)
HEAD_IGNORING = (
    "format",
    "sections",
    "cuts inside sentences",
    "inside code, tables",
    "inside list items",
    "small letters",
)
HEAD_FILES = ("file", "genre", "from", "language", "characters", "headings", "sections", "sections, `ignore`")


def _total(reads: Iterable[Read]) -> Counter[str]:
    return sum((read.counts for read in reads), Counter())


def _row(name: str, reads: Sequence[Read]) -> Sequence[str]:
    sums = _total(reads)
    known = any(read.other is not None for read in reads)
    asked = f"{sums['theirs']:,} ({PARSERS[name]})" if name in PARSERS else f"{sums['theirs']:,}" if known else NOTHING
    source = [read for read in reads if read.file.format in SOURCE]
    return [
        name,
        *(f"{sums[key]:,}" for key in ("files", "characters", "sections", "headings")),
        _share(sums["begun"], sums["headings"]),
        f"{sums['left']:,}",
        asked,
        _share(sums["matched"], sums["theirs"]),
        *(f"{sums[key]:,}" for key in ("sentences", "units", "items", "small")),
        f"{_total(source)['back']} of {len(source)}" if source else NOTHING,
    ]


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else NOTHING


def _ignoring(name: str, reads: Sequence[Read]) -> Sequence[str]:
    sums = _total(reads)
    return [name, *(f"{sums[f'ignoring {key}']:,}" for key in ("sections", "sentences", "units", "items", "small"))]


def _file(read: Read) -> Sequence[str]:
    sums = read.counts
    numbers = (sums["characters"], sums["headings"], sums["sections"], sums["ignoring sections"])
    package = f"{read.file.package} ({read.file.kind})"
    return [read.file.name, read.file.genre, package, read.document.language or NOTHING, *map("{:,}".format, numbers)]


def _times(formats: dict[str, list[Read]], options: argparse.Namespace) -> Iterator[str]:
    """Compare the time of reading with that of the others, each on the files that it reads."""
    convert = ready(options.peer)
    chosen = list(convert)
    missing = [name for name in options.peer if name not in chosen]
    if missing:
        yield f"Not installed here: {', '.join(missing)}.\n"
    rows = []
    for name, reads in formats.items():
        size = sum(read.counts["bytes"] for read in reads)
        taken = sum(read.seconds for read in reads)
        few = [read for read in reads if read.counts["bytes"] <= options.peer_largest][: options.peer_files]
        shown = (_ratio(few, timed(convert[peer], [read.path for read in few])) for peer in chosen)
        rows.append([name, f"{size / 1e6:.2f}", f"{taken / size * 1e6:.2f}", *shown])
    heads = [f"{name} {version(name)}, times as long" for name in chosen]
    yield from table(["format", "MB", "sector.read, s per MB", *heads], rows)


def _ratio(reads: Sequence[Read], seconds: dict[Path, float]) -> str:
    """Return how many times as long another takes for the files that it reads, and how many these are."""
    both = [(seconds[read.path], read.seconds) for read in reads if read.path in seconds]
    if not both:
        return f"reads none of {len(reads)}"
    theirs, ours = map(sum, zip(*both, strict=True))
    return f"{theirs / ours:.1f} ({len(both)} of {len(reads)} files)"
