"""Our readers of dumps and of wikitext beside mwxml and mwparserfromhell: speed, agreement in words, residues.

Speeds are of one process, in megabytes of XML or wikitext per CPU-second. Agreement
compares the words of each article's text, without tables and files, as bags: twice the common words by all words.
"""

from __future__ import annotations

import argparse
import io
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import mwparserfromhell
import mwxml
from mwparserfromhell.nodes import Node
from mwparserfromhell.wikicode import Wikicode

from harness.page import table
from sector.wikipedia.conventions import is_redirect
from sector.wikipedia.page import cut_pages, read_page
from sector.wikipedia.wikitext import parse

TITLE = "Readers of dumps and of wikitext"
_WORD = re.compile(r"\w+")
_RESIDUE = re.compile(r"\{\{|\}\}|\[\[|\]\]|''|</?(?:ref|div|span|br|small|su[bp]|t[dr]|table)\b|^[|*#:;=]", re.M)
"""What looks like markup; some of it is in articles about markup, mathematics and programs."""
_DROPPED_TAGS = ("ref", "table", "gallery", "math", "timeline", "pre", "source", "references")


def run(work: Callable[[Any], Any], given: Any) -> tuple[Any, float]:
    """Return what the work gives and its processor time in seconds."""
    begin = time.process_time()
    found = work(given)
    return found, time.process_time() - begin


def all_of(read: Callable[[str], Any], sources: Iterable[str]) -> list[Any]:
    return [read(source) for source in sources]


def pages_of_ours(data: bytes) -> int:
    return sum(bool(read_page(raw)) for raw in cut_pages(data))


def pages_of_mwxml(data: bytes) -> int:
    """Count pages; a truncated dump raises at its end."""
    count = 0
    try:
        for page in mwxml.Dump.from_file(io.BytesIO(data)):
            count += sum(1 for _ in page)
    except (ElementTree.ParseError, mwxml.errors.MalformedXML):
        pass
    return count


def pages_of_iterparse(data: bytes) -> int:
    count = 0
    try:
        for _, element in ElementTree.iterparse(io.BytesIO(data)):
            if element.tag.endswith("}page"):
                count += 1
                element.clear()
    except ElementTree.ParseError:
        pass
    return count


def text_of_ours(source: str) -> str:
    return "\n".join(f"{section.heading}\n{section.text}" for section in parse(source).sections)


def text_of_mwparserfromhell(source: str) -> str:
    """Remove what the library leaves to its users: references, tables, files, categories."""
    code = mwparserfromhell.parse(source)
    for tag in code.filter_tags(recursive=True, matches=lambda node: str(node.tag).strip().lower() in _DROPPED_TAGS):
        remove(code, tag)
    for link in code.filter_wikilinks(recursive=True):
        if re.match(r"(?:file|image|category|[a-z]{2,3}(?:-[a-z-]+)?|simple):", str(link.title).strip(), re.I):
            remove(code, link)
    return str(code.strip_code())


def remove(code: Wikicode, node: Node) -> None:
    with suppress(ValueError):  # it went with what enclosed it
        code.remove(node)


def agreement(pairs: Iterable[tuple[str, str]]) -> list[float]:
    shares = []
    for one, other in pairs:
        first, second = Counter(_WORD.findall(one)), Counter(_WORD.findall(other))
        if first or second:
            shares.append(2 * (first & second).total() / (first.total() + second.total()))
    return sorted(shares)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dump", type=Path, help="plain XML")
    parser.add_argument("--megabytes", type=float, default=20)
    parser.add_argument("--sample", type=int, default=200, help="articles for mwparserfromhell, evenly spread")


def report(options: argparse.Namespace) -> Iterator[str]:
    with options.dump.open("rb") as stream:
        data = stream.read(round(options.megabytes * 1e6))
    readers = {"sector": pages_of_ours, "mwxml": pages_of_mwxml, "iterparse": pages_of_iterparse}
    timed = {name: run(read, data) for name, read in readers.items()}
    rows = ([name, f"{found:,}", f"{len(data) / 1e6 / taken:.1f}"] for name, (found, taken) in timed.items())
    yield from table(["reader of dumps", "pages", "MB/s"], rows)
    sources = [page.source for page in map(read_page, cut_pages(data)) if not is_redirect(page.source)]
    sample = sources[:: max(1, len(sources) // options.sample)]
    size = sum(len(source.encode()) for source in sample)
    parsers: dict[str, Callable[[str], Any]] = {
        "sector": text_of_ours,
        "mwparserfromhell": text_of_mwparserfromhell,
        "mwparserfromhell, parsing alone": mwparserfromhell.parse,
    }
    texts = {name: run(partial(all_of, read), sample) for name, read in parsers.items()}
    yield f"\n{len(sample):,} articles:\n"
    rows = ([name, f"{size / 1e6 / taken:.2f}"] for name, (_, taken) in texts.items())
    yield from table(["parser of wikitext", "MB/s"], rows)
    shares = agreement(zip(texts["sector"][0], texts["mwparserfromhell"][0], strict=True))
    mean, median = sum(shares) / len(shares), shares[len(shares) // 2]
    yield f"\nAgreement of both in words: mean {mean:.4f}, median {median:.4f}, lowest {shares[0]:.4f}."
    whole = "\n".join(map(text_of_ours, sources))
    found = len(_RESIDUE.findall(whole))
    yield f"What looks like markup in ours: {found:,} in {len(whole) / 1e6:.1f} million characters."
