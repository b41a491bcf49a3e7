"""What each part of the topic labels is worth: coverage and purity without it.

    python benchmarks/topic_labels.py DATA…

DATA has headings and given labels, e.g. the three files of en_disease; WordNet must be installed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from sector.datasets import read
from sector.wikipedia.labels import Labelling, build_labelling, compare, describe, open_lexicon

LABELS = "sector.wikipedia.labels"
LEMMAS_ALONE = {f"{LABELS}.graph.{name}": 0.0 for name in ("JOINED", "COMPOUND", "SLOT", "BROADER", "KIN")}
NO_PAIRS: dict[str, object] = {f"{LABELS}.labelling.independent_pairs": lambda labelling, counts: frozenset()}
VARIANTS: dict[str, dict[str, object]] = {
    "as it is": {},
    "without headings that join lemmas": {f"{LABELS}.graph.JOINED": 0.0},
    "without slots": {f"{LABELS}.graph.SLOT": 0.0},
    "without the lexicon's relations in the graph": {f"{LABELS}.graph.BROADER": 0.0, f"{LABELS}.graph.KIN": 0.0},
    "shared lemmas as the only edges": {**LEMMAS_ALONE},
    "without glosses for the tail": {f"{LABELS}.tail.GLOSS": 0.0},
    "without the tail": {f"{LABELS}.tail.LEAST": 9.0},
    "outer headings always decide": NO_PAIRS,
}


@contextmanager
def patched(values: dict[str, object]) -> Iterator[None]:
    with ExitStack() as stack:
        for name, value in values.items():
            stack.enter_context(patch(name, value))
        yield


def row(name: str, labelling: Labelling, found: list[str], given: list[str], covered: float) -> str:
    agreement = compare(found, given)
    shares = (covered, agreement.purity, agreement.purity_strict, agreement.v_measure)
    return f"| {name} | {len(labelling.topics)} | {' | '.join(f'{100 * share:.2f}' for share in shares)} |"


def main(paths: list[str]) -> None:
    documents = [[(s.heading, s.label) for s in d.sections] for path in paths for d in read(path)]
    headings = [[heading for heading, _ in sections] for sections in documents]
    given = [label for sections in documents for _, label in sections]
    lexicon = open_lexicon("wordnet")
    print("| variant | topics | coverage | purity | strict purity | V-measure |\n| --- | --: | --: | --: | --: | --: |")
    for name, values in VARIANTS.items():
        with patched(values):
            labelling, counts = build_labelling(headings, lexicon)
            found = [labelling.label(heading) for outline in headings for heading in outline]
            print(row(name, labelling, found, given, describe(labelling, counts, "en").covered_sections), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
