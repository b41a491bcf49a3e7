"""Dumps of a small wiki that we wrote, in every shape that dumps come in."""

from __future__ import annotations

import bz2
from html import escape
from pathlib import Path

HEADER = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="en">
  <siteinfo>
    <sitename>Wikipedia</sitename>
    <base>https://en.wikipedia.org/wiki/Main_Page</base>
    <generator>MediaWiki 1.40</generator>
    <namespaces>
      <namespace key="0" case="first-letter" />
      <namespace key="1" case="first-letter">Talk</namespace>
      <namespace key="6" case="first-letter">Bild</namespace>
      <namespace key="14" case="first-letter">Kategorie</namespace>
    </namespaces>
  </siteinfo>
"""
FOOTER = "</mediawiki>\n"
MOSS = """'''{name}''' is a [[moss]] of [[bog|wet places]].{{{{Infobox moss|name={name}}}}}

== Growth ==
{name} grows slowly in the shade, and the rain helps it along.
* Spores come first.
* Leaves follow.

=== In winter ===
Snow covers {name} for months.<ref>Not for us.</ref>

== Uses ==
Gardeners like {name} between stones, where nothing else will grow.

== See also ==
* [[Fern]]

[[Category:Mosses of the north]]
"""


def page(title: str, number: int, text: str, ns: int | None = 0, revision: int = 0, extra: str = "") -> str:
    """Return a page's XML; without ``ns`` as before 2012."""
    space = "" if ns is None else f"    <ns>{ns}</ns>\n"
    return (
        f"  <page>\n    <title>{escape(title)}</title>\n{space}    <id>{number}</id>\n{extra}    <revision>\n"
        f"      <id>{revision or 1000 + number}</id>\n      <timestamp>2020-01-01T00:00:00Z</timestamp>\n"
        f'      <text xml:space="preserve">{escape(text)}</text>\n    </revision>\n  </page>\n'
    )


def moss(number: int) -> str:
    """Return the page of an article with three sections."""
    name = f"Moss {number}"
    return page(name, number, MOSS.format(name=name))


def pages(count: int = 20) -> list[str]:
    """Return articles with some of all that is not wanted between them."""
    unwanted = [
        page("Mossy", 901, "#REDIRECT [[Moss 1]]"),
        page("Talk:Moss 1", 902, "== Growth ==\n" + "It is nice. " * 50, ns=1),
        page("Mosses (plants)", 903, "{{disambiguation}}\n== Plants ==\n" + "* [[Moss 1]] is one of many.\n" * 30),
        page("Moss 0", 904, "{{moss-stub}}\n== Growth ==\n" + "It grows. " * 50),
        page("Short moss", 905, "== Growth ==\nIt grows."),
        page("Fern", 906, "A plant.\n== Growth ==\n" + "Ferns grow too. " * 30 + "\n[[Category:Ferns]]"),
    ]
    return [moss(number) for number in range(1, count + 1)] + unwanted


def plain(path: Path, chosen: list[str] | None = None) -> Path:
    """Write a dump as XML."""
    path.write_text(HEADER + "".join(pages() if chosen is None else chosen) + FOOTER, encoding="utf-8")
    return path


def multistream(path: Path, chosen: list[str] | None = None, at_once: int = 3) -> Path:
    """Write a dump as bz2 streams of a few pages each."""
    every = pages() if chosen is None else chosen
    groups = ["".join(every[start : start + at_once]) for start in range(0, len(every), at_once)]
    path.write_bytes(b"".join(bz2.compress(part.encode()) for part in (HEADER, *groups, FOOTER)))
    return path


def classes(folder: Path, text: str = "[select]\nall = true\n") -> Path:
    """Write a file for ``--classes``."""
    path = folder / "moss.toml"
    path.write_text(f'name = "moss"\n{text}', encoding="utf-8")
    return path
