"""A chunk as it is shown in a notebook or a debugger."""

from __future__ import annotations

from sector.chunks import Chunk


def test_a_chunk_is_shown_in_one_short_line() -> None:
    chunk = Chunk("0f3c-12", 12, 4012, "A long text.\n" * 400, 900, "treatment", 0.123456789, "Guide | Install")
    assert repr(chunk) == (
        "Chunk('0f3c-12', 12, 4012, tokens=900, label='treatment', heading='Guide | Install', confidence=0.12, "
        "text='A long text. A long text. A long text.…')"
    )
    assert repr(Chunk("0-0", 0, 2, "A.", 1)) == "Chunk('0-0', 0, 2, tokens=1, confidence=1.00, text='A.')"
