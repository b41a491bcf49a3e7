"""Arbitrary input to every entry: an answer that keeps all promises, or an error of ours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from entries import entries
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sector
from sector.reading import FORMATS

EXAMPLES = int(os.environ.get("SECTOR_FUZZ", "20000"))
"""Of a campaign, for each entry."""
NAMES = ["segment", "chunk", "records", "data set", "json", "read", *(f"read {name}" for name in FORMATS)]
SMALL = ["segment", "chunk", "records", "data set", "json", "read"]
PIECES = [
    "word ",
    "Two. ",
    "\n",
    "\n\n",
    "\r",
    "\0",
    "\t",
    "\u202e",
    "\u2066",
    "\ud800",
    "\udc00",
    "\x1b[31m",
    "\x85",
    "\u2028",
]
PIECES += [
    "\ufeff",
    "\u0301",
    "👩‍👩‍👧",
    "漢字。",
    "ספר",
    "# ",
    "> ",
    "- ",
    "== A ==",
    "```",
    "| a |",
    "<p>",
    "<!--",
    "{",
    "[",
    '"',
    ":",
    "1.2",
]
JSON = [
    '{"text": "',
    '"}',
    '{"sections": [{"begin": 0, "end": ',
    "1e999",
    "9" * 30,
    "}]}",
    "null",
    '"annotations": [',
    ", ",
]
TEXTS = st.lists(st.sampled_from([*PIECES, *JSON]), max_size=40).map("".join)
INPUTS = st.one_of(
    st.binary(max_size=300),
    st.text(max_size=100).map(lambda text: b"\0" + text.encode("utf-8", "replace")),
    TEXTS.map(lambda text: b"\1" + text.encode("utf-16-le", "surrogatepass")),
    TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass")),
)


def tried(name: str, examples: int, model: Path, folder: Path) -> None:
    entry = entries(sector.load(model), folder)[name]

    @settings(max_examples=examples, database=None, suppress_health_check=list(HealthCheck))
    @given(INPUTS)
    def attempt(data: bytes) -> None:
        entry(data)

    attempt()


@pytest.mark.parametrize("name", SMALL)
def test_arbitrary_input(name: str, tiny_model: Path, tmp_path: Path) -> None:
    tried(name, 25, tiny_model, tmp_path)


@pytest.mark.campaign
@pytest.mark.parametrize("name", NAMES)
def test_much_arbitrary_input(name: str, tiny_model: Path, tmp_path: Path) -> None:
    tried(name, EXAMPLES, tiny_model, tmp_path)


SIZES = (1.25, 2.5, 5, 10, 20)
"""Megabytes."""


@pytest.mark.campaign
@pytest.mark.parametrize(
    "unit", ["Snow falls on the hills. ", "a. ", "a", "\n", "ab\n", "> ", "- a\n", "漢字。", "<p>a", "*a ", "1.2.3 "]
)
@pytest.mark.parametrize("format", ["txt", "md", "html", "rst"])
def test_cost_per_byte(unit: str, format: str, tiny_model: Path) -> None:
    """Twice the input costs at most three times the processor time: nothing is quadratic."""
    from time import process_time

    model, before = sector.load(tiny_model), 0.0
    for size in SIZES:
        content = (unit * (int(size * 1_000_000) // len(unit.encode()))).encode()
        begun = process_time()
        try:
            model.segment(sector.read(content, format))
        except sector.SectorError as error:  # more sentences than are read at once
            assert "at most" in str(error)
            break
        taken = process_time() - begun
        assert not before or taken < 3 * before + 0.5, (unit, format, size)
        before = taken
