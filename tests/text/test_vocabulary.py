"""The words that the repairs know: one set per list, however many languages are named."""

from __future__ import annotations

from itertools import product
from string import ascii_lowercase

from sector.text import split_sentences
from sector.text.abbreviations import NEVER_END, STARTERS, vocabulary


def test_languages_without_lists_share_one_vocabulary() -> None:
    codes = ["".join(letters) for letters in product(ascii_lowercase, repeat=2)]
    for code in codes:
        split_sentences("One sentence. The next one.", code)
    assert len({id(vocabulary(code)) for code in codes}) <= len(NEVER_END) + len(STARTERS)


def test_languages_with_lists_keep_theirs() -> None:
    assert vocabulary("de").ordinals
    assert not vocabulary("en").ordinals
    assert vocabulary("pt").starters == STARTERS["pt"]
    assert vocabulary("fr").never_end == vocabulary("pt").never_end
    assert vocabulary("").never_end > vocabulary("fr").never_end
