"""Tables of a report on topic labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from sector.wikipedia.labels import Agreement, LabelReport

WORST = 10
"""Number of topics in the table of the worst ones."""


def topics_table(report: LabelReport) -> Table:
    """Return a table of the topics, largest first, with their nouns and most frequent headings."""
    title = f"{len(report.topics)} topics by {report.lexicon} ({report.language})"
    table = _table(title, "topic", "sections", "headings", "nouns", "examples")
    for topic in report.topics:
        nouns, examples = ", ".join(topic.lemmas), ", ".join(topic.examples)
        table.add_row(*map(Text, (topic.topic, f"{topic.sections:,}", f"{topic.headings:,}", nouns, examples)))
    return table


def agreement_table(agreement: Agreement) -> Table:
    """Return a table of the agreement with given labels."""
    table = _table(f"against {agreement.given_topics} given labels, {agreement.sections:,} sections", "percent", "")
    rows = {
        "purity of covered sections": agreement.purity,
        "purity of all sections, other as a topic": agreement.purity_all,
        "purity of sections with a given topic": agreement.purity_labelled,
        "purity, other only for other": agreement.purity_strict,
        "agreement, one to one": agreement.agreement,
        "homogeneity": agreement.homogeneity,
        "completeness": agreement.completeness,
        "V-measure": agreement.v_measure,
    }
    for caption, value in rows.items():
        table.add_row(caption, f"{100 * value:.2f}")
    return table


def worst_table(agreement: Agreement) -> Table:
    """Return a table of the topics with the most sections of another label."""
    table = _table("worst topics", "topic", "sections", "purity", "given label", "others")
    for row in agreement.topics[:WORST]:
        others = ", ".join(f"{label} ({number})" for label, number in row.confused)
        table.add_row(*map(Text, (row.topic, f"{row.sections:,}", f"{100 * row.purity:.1f}", row.label, others)))
    return table


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in ("sections", "headings", "purity", "") else "left")
    return table
