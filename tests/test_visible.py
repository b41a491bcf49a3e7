"""What may be printed: nothing that a terminal obeys, and JSON that means the same."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from sector.visible import escaped, visible

HOSTILE = "\x1b[31m\x9b2J\x07\r\x08\u202e\u2066\x7f\ud800"


def test_what_a_terminal_obeys_is_replaced_one_for_one() -> None:
    assert visible(f"a{HOSTILE}b") == "a�[31m�2J�������b"


def test_texts_stay_as_they_are() -> None:
    text = "Zeile\n\tספר\u200f العربية 🤒 café\u0301"
    assert visible(text) == text


@given(st.text())
def test_json_means_the_same_and_is_one_line(text: str) -> None:
    line = escaped(json.dumps({text: text}, ensure_ascii=False))
    assert json.loads(line) == {text: text}
    assert visible(line) == line
    assert len(line.splitlines()) == 1
