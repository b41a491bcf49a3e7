"""The command: read options, measure every splitter, print Markdown."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import sector
from sector.document import Document
from splitters import agreement, growth, texts
from splitters.measure import Row, measure
from splitters.ours import LABELS, model_peer
from splitters.peer import Peer
from splitters.peers import CHANGEPOINT, PEERS
from splitters.table import machine, table


def main() -> None:
    """Run the comparison."""
    options = _options()
    os.environ |= {"HF_HUB_OFFLINE": "1", "HAYSTACK_TELEMETRY_ENABLED": "False"}
    test = texts.read(options.data, options.limit)
    validation = texts.read(options.validation or texts.validation_of(options.data), options.tune)
    peers = [peer for peer in _peers(options) if options.only in peer.name]
    rows = [_noted(measure(peer, validation, test)) for peer in peers]
    report = "\n".join(_report(rows, test, validation, options))
    if options.output:
        options.output.write_text(report + "\n", encoding="utf-8")
    print(report)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=texts.default_data(), help="documents to time and score")
    parser.add_argument("--limit", type=int, help="take the first N documents only")
    parser.add_argument("--validation", type=Path, help="documents to choose settings on; default: beside --data")
    parser.add_argument("--tune", type=int, default=40, help="how many of them")
    parser.add_argument("--model", nargs="*", default=_english_models(), help="models of ours: names or folders")
    parser.add_argument("--segmentation", nargs="*", default=[], help="more segmentations for each model")
    parser.add_argument("--only", default="", help="splitters whose name contains this")
    parser.add_argument("--output", type=Path, help="write the report to this file too")
    return parser.parse_args()


def _english_models() -> list[str]:
    return [name for name in sector.models() if name.startswith("en_")]


def _peers(options: argparse.Namespace) -> Iterator[Peer]:
    if not options.model:
        print("There is no model of ours to time; give one with --model.", file=sys.stderr)
    for name in options.model:
        for segmentation in (None, LABELS, *options.segmentation):
            yield model_peer(name, segmentation)
    yield from PEERS


def _noted(row: Row) -> Row:
    print(f"{row.name}: {row.failure or f'{row.seconds:.2f} s, Pk {row.pk:.1f}'}", file=sys.stderr, flush=True)
    return row


def _report(
    rows: Sequence[Row], test: Sequence[Document], validation: Sequence[Document], options: argparse.Namespace
) -> Iterator[str]:
    sentences = sum(len(document.spans) for document in test)
    yield "# Splitters beside ours\n"
    yield f"{options.data.name}: {len(test)} documents, {sentences:,} sentences; each splitter's setting is the best of"
    yield f"five on the first {len(validation)} documents of the validation part. Pk: protocol `sector`, percent.\n"
    lengths = f"{_mean_length(validation):.0f} sentences on average, those of the test {_mean_length(test):.0f}"
    yield f"These have {lengths}: a setting may not carry over."
    yield "`sector changepoint` knows where lines break, which the search of ruptures and textsplit is not told.\n"
    yield f"{machine()}, {date.today().isoformat()}.\n"
    yield f"```\npython {' '.join(sys.argv)}\n```\n"
    yield table(rows, test, next((row for row in rows if not row.failure), None))
    yield "\n" + "\n".join(sorted({f"- {row.name}: {row.versions}" for row in rows}))
    yield from agreement.report(test)
    yield from _growth(test, options, {row.name for row in rows if not row.failure})


def _mean_length(documents: Sequence[Document]) -> float:
    return sum(len(document.spans) for document in documents) / len(documents)


def _growth(test: Sequence[Document], options: argparse.Namespace, working: set[str]) -> Iterator[str]:
    yield "\n## Long documents: µs per sentence\n"
    peers = [peer for peer in (*map(model_peer, options.model), CHANGEPOINT) if peer.name in working]
    yield f"| splitter | {' | '.join(f'{n:,} sentences' for n in growth.LENGTHS)} |"
    yield "| --- |" + " ---: |" * len(growth.LENGTHS)
    for peer in peers:
        costs = growth.cost_per_sentence(peer.make(1.0 if peer is CHANGEPOINT else None), test)
        yield f"| {peer.name} | {' | '.join(f'{cost:.0f}' for _, cost in costs)} |"
    for name in options.model:
        peak = [f"{growth.resident(name, test, n):.0f} MB for {n:,} sentences" for n in growth.LENGTHS[1::2]]
        yield f"\nResident memory of a process that segments with {name}: {', '.join(peak)}."
