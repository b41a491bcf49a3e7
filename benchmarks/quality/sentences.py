"""How well sentence ends are found again when a file with one sentence per line loses its line breaks.

python benchmarks/sentence_agreement.py ../shared/data/headings/de_wiki_test.json.xz --language de
"""

from __future__ import annotations

import argparse
from pathlib import Path

from sector import datasets
from sector.text import split_sentences

CLOSING = '.!?…")'
"""Only lines that end so are taken for sentences: list items and captions are no test."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--language", default="")
    arguments = parser.parse_args()
    found = extra = missed = 0
    for document in datasets.read(arguments.data):
        text = document.text.replace("\n", " ")
        breaks = (i for i, char in enumerate(document.text) if char == "\n")
        gold = {i for i in breaks if document.text[:i].rstrip()[-1:] in tuple(CLOSING)}
        spans = split_sentences(text, arguments.language)
        ends = {int(end) for end in spans.end[:-1] if text[end - 1] in CLOSING}
        reached = {int(end) for end in ends if text[end : end + 1].isspace() and end in gold}
        found += len(reached)
        extra += len(ends - gold)
        missed += len({i for i in gold if i < len(text.rstrip()) and i not in ends})
    print(f"{found} found, {extra} more, {missed} missed")


if __name__ == "__main__":
    main()
