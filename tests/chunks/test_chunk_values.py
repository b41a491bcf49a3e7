"""A chunk: how it is shown in a notebook or a debugger, and what is embedded of it."""

from __future__ import annotations

from sector.chunks import Chunk


def test_a_chunk_is_shown_in_one_short_line() -> None:
    chunk = Chunk("0f3c-12", 12, 4012, "A long text.\n" * 400, 900, "treatment", 0.123456789, "Guide | Install")
    assert repr(chunk) == (
        "Chunk('0f3c-12', 12, 4012, tokens=900, label='treatment', heading='Guide | Install', confidence=0.12, "
        "text='A long text. A long text. A long text.…')"
    )
    assert repr(Chunk("0-0", 0, 2, "A.", 1)) == "Chunk('0-0', 0, 2, tokens=1, confidence=1.00, text='A.')"


def test_a_label_is_in_the_breadcrumb_where_it_is_likelier_right_than_wrong() -> None:
    sure, guess = (Chunk("0-0", 0, 2, " A.", 1, "treatment", share, title="Migraine") for share in (0.5, 0.49))
    assert (sure.breadcrumb, sure.context()) == ("Migraine › treatment", "Migraine › treatment\n\nA.")
    assert (guess.breadcrumb, guess.context()) == ("Migraine", "Migraine\n\nA.")
    assert Chunk("0-0", 0, 2, " A.", 1, "treatment", 0.49).context() == "A."
    below = Chunk("0-0", 0, 2, "A.", 1, "treatment", 0.9, "Guide | Install", title="Guide")
    assert below.breadcrumb == "Guide › Install"
