"""What is written beside a data set: its statistics, its sources and the licence of its texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sector.datasets import Statistics
from sector.datasets.statistics import HeadingRow
from sector.wikipedia.article import Fate
from sector.wikipedia.heavy_tail import HeavyTail, heavy_tail

EXCERPT = 10
"""So many headings each of the head, the torso and the tail are listed."""
_LICENCE = """## Licence

The texts are those of Wikipedia's authors. They are licensed under the Creative Commons Attribution-ShareAlike
License (https://creativecommons.org/licenses/by-sa/4.0/; 3.0 and the GNU Free Documentation License for revisions
before June 2023). Whoever passes them on, whole, in part or changed, names the authors and keeps the licence. The
authors are found by a record's fields `id` and `revision`: its page's history, or the address of the page with
`?oldid=` and the revision. Here wikitext was converted to plain text; tables, templates, references, files and the
sections behind the article were left out.
"""


@dataclass(frozen=True)
class BuildReport:
    """All that a build can say about its result; nothing in it depends on when or how quickly it ran."""

    name: str
    """Language and set, e.g. ``en_disease``."""
    seed: int
    dumps: Mapping[str, int]
    """The size of each file of the dump, in bytes."""
    generator: str
    classes: str
    """The text of the file behind ``--classes``."""
    pages: Mapping[str, int]
    titles: int
    """How many titles were asked for."""
    titles_found: int
    splits: Mapping[str, Statistics]
    total: Statistics
    warnings: Sequence[str]

    @property
    def tail(self) -> HeavyTail:
        """How unequal the headings are."""
        return heavy_tail(self.total.headings)

    def to_json(self) -> str:
        """Return the figures."""
        every = {"all": self.total, **self.splits}
        record: dict[str, Any] = {
            "set": self.name,
            "seed": self.seed,
            "pages": dict(self.pages),
            "titles_asked": self.titles,
            "titles_found": self.titles_found,
            "splits": {name: _figures(statistics) for name, statistics in every.items()},
            "headings": asdict(self.tail),
            "heading_rows": [_row(row) for row in self.total.excerpt(EXCERPT)],
            "warnings": list(self.warnings),
        }
        return json.dumps(record, indent=1, ensure_ascii=False) + "\n"

    def to_markdown(self) -> str:
        """Return the figures as tables."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield f"# {self.name}\n"
        yield from _table(("pages", "number"), ((name, f"{count:,}") for name, count in self.pages.items()))
        if self.titles:
            yield f"\n{self.titles:,} titles were asked for; {self.titles_found:,} of them are in the dump.\n"
        columns = {**self.splits, "all": self.total}
        names = list(_figures(self.total))
        rows = ((name.replace("_", " "), *(f"{_figures(each)[name]:,}" for each in columns.values())) for name in names)
        yield ""
        yield from _table(("", *columns), rows)
        yield "\n## Headings\n"
        yield from _table(("figure", "value"), tail_rows(self.tail))
        yield ""
        yield from _table(("rank", "heading", "H", "freq"), (_cells(row) for row in self.total.excerpt(EXCERPT)))
        yield from ("", *(f"Warning: {warning}" for warning in self.warnings)) if self.warnings else ()

    def sources(self) -> str:
        """Return the text of SOURCES.md."""
        files = "\n".join(f"- {name} ({size:,} bytes)" for name, size in self.dumps.items())
        warnings = "".join(f"- {warning}\n" for warning in self.warnings)
        return (
            f"# Sources of {self.name}\n\nDump, written by {self.generator or 'an unknown program'}:\n\n{files}\n\n"
            "Each record names the article (`title`, `id`), its page number (`page`), its revision (`revision`,\n"
            "`timestamp`), the file of the dump (`dump`) and, where known, the Wikidata item (`wikidata`).\n"
            f"Order and splits: seed {self.seed}.\n\n"
            + (f"What was wrong with the dump:\n\n{warnings}\n" if warnings else "")
            + f"## Selection\n\n```toml\n{self.classes.strip()}\n```\n\n{_LICENCE}"
        )


def tail_rows(tail: HeavyTail) -> list[tuple[str, str]]:
    """Return the heavy-tail figures as words and numbers."""
    return [
        ("distinct headings", f"{tail.headings:,}"),
        ("occurrences", f"{tail.occurrences:,}"),
        ("appear once", _percent(tail.once)),
        ("appear once or twice", _percent(tail.rare)),
        ("appear more than 25 times", _percent(tail.frequent)),
        ("occurrences of the most frequent 1 % of headings", _percent(tail.top_percent)),
        ("headings more frequent than the mean", f"{tail.head:,}"),
        ("occurrences of those", _percent(tail.head_occurrences)),
        ("exponent of the power law", f"{tail.exponent:.2f}"),
        ("entropy of headings (bits)", f"{tail.entropy:.2f}"),
    ]


def page_counts(fates: Mapping[str, int]) -> dict[str, int]:
    """Return what became of the pages, in the order in which it is decided, and their sum."""
    return {"all": sum(fates.values())} | {fate.value: fates.get(fate.value, 0) for fate in Fate}


def _figures(statistics: Statistics) -> dict[str, float]:
    return {
        "documents": statistics.documents,
        "sentences": statistics.sentences,
        "sections": statistics.sections,
        "sentences_per_document": round(statistics.sentences_per_document, 1),
        "sections_per_document": round(statistics.sections_per_document, 1),
        "headings": len(statistics.headings),
    }


def _row(row: HeadingRow) -> dict[str, Any]:
    return {"rank": row.rank, "heading": row.heading, "entropy": round(row.entropy, 4), "frequency": row.frequency}


def _cells(row: HeadingRow) -> tuple[str, ...]:
    return f"{row.rank:,}", row.heading.replace("|", "/"), f"{row.entropy:.2f}", f"{row.frequency:,}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _table(header: Sequence[str], rows: Iterator[tuple[str, ...]] | Sequence[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(header)} |"
    yield f"|{' --- |' * len(header)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
