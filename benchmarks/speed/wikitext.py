"""Our readers of dumps and of wikitext beside mwxml and mwparserfromhell: speed, agreement in words, residues.

python benchmarks/wikitext.py DUMP [--megabytes N] [--sample N]

DUMP is plain XML. Speeds are of one process, in megabytes of XML or wikitext per CPU-second. Agreement
compares the words of each article's text, without tables and files, as bags: twice the common words by all words.
"""

from __future__ import annotations

import argparse
import io
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import mwparserfromhell
import mwxml
from mwparserfromhell.nodes import Node
from mwparserfromhell.wikicode import Wikicode

from sector.wikipedia.conventions import is_redirect
from sector.wikipedia.page import cut_pages, read_page
from sector.wikipedia.wikitext import parse

_WORD = re.compile(r"\w+")
_RESIDUE = re.compile(r"\{\{|\}\}|\[\[|\]\]|''|</?(?:ref|div|span|br|small|su[bp]|t[dr]|table)\b|^[|*#:;=]", re.M)
"""What looks like markup; some of it is in articles about markup, mathematics and programs."""
_DROPPED_TAGS = ("ref", "table", "gallery", "math", "timeline", "pre", "source", "references")


def seconds(action: Callable[[], object]) -> float:
    begin = time.process_time()
    action()
    return time.process_time() - begin


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dump", type=Path)
    parser.add_argument("--megabytes", type=float, default=20)
    parser.add_argument("--sample", type=int, default=200, help="articles for mwparserfromhell, evenly spread")
    options = parser.parse_args()
    with options.dump.open("rb") as stream:
        data = stream.read(round(options.megabytes * 1e6))
    for name, action in (("sector", pages_of_ours), ("mwxml", pages_of_mwxml), ("iterparse", pages_of_iterparse)):
        found: list[int] = []
        taken = seconds(lambda action=action, found=found: found.append(action(data)))  # type: ignore[misc]
        print(f"pages\t{name}\t{found[0]:,} pages\t{len(data) / 1e6 / taken:.1f} MB/s")
    sources = [page.source for page in map(read_page, cut_pages(data)) if not is_redirect(page.source)]
    whole = "\n".join(map(text_of_ours, sources))
    print(f"residues\tsector\t{len(_RESIDUE.findall(whole)):,} in {len(whole) / 1e6:.1f} million characters")
    sample = sources[:: max(1, len(sources) // options.sample)]
    size = sum(len(source.encode()) for source in sample)
    texts: dict[str, list[str]] = {"sector": [], "mwparserfromhell": []}
    for name, convert in (("sector", text_of_ours), ("mwparserfromhell", text_of_mwparserfromhell)):
        taken = seconds(lambda name=name, convert=convert: texts[name].extend(map(convert, sample)))  # type: ignore[misc]
        print(f"wikitext\t{name}\t{len(sample):,} articles\t{size / 1e6 / taken:.2f} MB/s")
    plain = seconds(lambda: [mwparserfromhell.parse(source) for source in sample])
    print(f"wikitext\tmwparserfromhell, parsing alone\t{len(sample):,} articles\t{size / 1e6 / plain:.2f} MB/s")
    shares = agreement(zip(texts["sector"], texts["mwparserfromhell"], strict=True))
    mean, median = sum(shares) / len(shares), shares[len(shares) // 2]
    print(f"agreement\tmean {mean:.4f}\tmedian {median:.4f}\tlowest {shares[0]:.4f}")


if __name__ == "__main__":
    main()
