"""Time BayesSeg by document, in seconds of processor time.

python benchmarks/compare/chapter_times.py clinical.tar.xz
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path
from statistics import mean, median

from sector.baselines.base import SEGMENTS
from sector.baselines.bayesseg import BayesSeg
from sector.datasets import load
from sector.document import Document
from sector.evaluation.run import unlabelled


def seconds(system: BayesSeg, document: Document) -> float:
    told = replace(unlabelled(document), metadata={SEGMENTS: str(len(document.sections))})
    begun = time.process_time()
    list(system.segment_all([told]))
    return time.process_time() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    documents = load(parser.parse_args().data, language="en")
    for known in (True, False):
        system = BayesSeg(known=known)
        seconds(system, documents[0])  # imports are not timed
        times = [seconds(system, document) for document in documents]
        longest = len(documents[times.index(max(times))])
        figures = f"mean {mean(times):.3f} s, median {median(times):.3f} s, longest {max(times):.2f} s"
        print(f"number of segments {'known' if known else 'unknown'}: {figures} ({longest} sentences)")


if __name__ == "__main__":
    main()
