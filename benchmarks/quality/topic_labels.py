"""What each part of the topic labels is worth: coverage and purity without it. WordNet must be installed."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from unittest.mock import patch

from harness.data import documents
from harness.page import table
from sector.wikipedia.labels import build_labelling, compare, describe, open_lexicon
from sector.wikipedia.labels.counts import Counts, ranked
from sector.wikipedia.labels.lexicons import LexicalEntry
from sector.wikipedia.labels.topics import Topic, TopicRange, cluster


def pruned_after_clustering(
    counts: Counts, entries: Mapping[str, LexicalEntry], wanted: TopicRange, excluded: frozenset[str] = frozenset()
) -> list[Topic]:
    """Find topics in the paper's order: cluster the synsets of all lemmas, then keep those above the mean count."""
    lemmas = [lemma for lemma, _ in ranked(counts.sections) if lemma not in excluded]
    sizes: Counter[str] = Counter()
    for lemma in lemmas:
        sizes.update({synset.id: counts.sections[lemma] for synset in entries[lemma].synsets})
    kept = {id for id, size in sizes.items() if size >= sizes.total() / len(sizes)}
    topics = []
    for topic in cluster(lemmas, counts, entries):
        members = [lemma for lemma in topic.lemmas if kept & {synset.id for synset in entries[lemma].synsets}]
        if members:
            topics.append(Topic(topic.name, tuple(members), topic.synsets & kept))
    return topics[: wanted.most]


TITLE = "Topic labels without each of their parts"
LABELS = "sector.wikipedia.labels"
VARIANTS: dict[str, dict[str, object]] = {
    "as it is": {},
    "without headings that join lemmas": {f"{LABELS}.graph.JOINED": 0.0},
    "without slots": {f"{LABELS}.graph.SLOT": 0.0},
    "without the lexicon's relations in the graph": {f"{LABELS}.graph.BROADER": 0.0, f"{LABELS}.graph.KIN": 0.0},
    "shared lemmas as the only edges": {
        f"{LABELS}.graph.{name}": 0.0 for name in ("JOINED", "COMPOUND", "SLOT", "BROADER", "KIN")
    },
    "without glosses for the tail": {f"{LABELS}.tail.GLOSS": 0.0},
    "without the tail": {f"{LABELS}.tail.LEAST": 9.0},
    "synsets pruned after clustering, as in the paper": {f"{LABELS}.labelling.find_topics": pruned_after_clustering},
    "outer headings always decide": {
        f"{LABELS}.labelling.independent_pairs": lambda labelling, counts: frozenset(),
    },
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", default="en_disease", help="a data set with headings and given labels")
    parser.add_argument("--variant", nargs="*", default=list(VARIANTS), choices=list(VARIANTS))


def report(options: argparse.Namespace) -> Iterator[str]:
    parts = [documents(f"{options.data}_{part}") for part in ("train", "validation", "test")]
    outlines = [[(s.heading, s.label) for s in document.sections] for part in parts for document in part]
    yield f"{options.data}, all three parts.\n"
    head = ["variant", "topics", "coverage", "purity", "strict purity", "V-measure"]
    yield from table(head, (row(name, outlines) for name in options.variant))


def row(name: str, outlines: list[list[tuple[str, str]]]) -> list[str]:
    headings = [[heading for heading, _ in outline] for outline in outlines]
    given = [label for outline in outlines for _, label in outline]
    with ExitStack() as stack:
        for place, value in VARIANTS[name].items():
            stack.enter_context(patch(place, value))
        labelling, counts = build_labelling(headings, open_lexicon("wordnet"))
        found = [labelling.label(heading) for outline in headings for heading in outline]
        covered = describe(labelling, counts, "en").covered_sections
    agreement = compare(found, given)
    shares = (covered, agreement.purity, agreement.purity_strict, agreement.v_measure)
    return [name, str(len(labelling.topics)), *(f"{100 * share:.2f}" for share in shares)]
