"""Word pieces against the package that defines them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sector.encoders import wordpiece
from sector.encoders.wordpiece import Spelling, WordPieces
from sector.errors import ModelError
from tiny_encoder import SPECIAL, vocabulary

tokenizers = pytest.importorskip("tokenizers")
MORE = ["é", "##é", "ü", "ß", "##ß", "Fever", "##ER", "f", "F", "中", "文", "σ", "##σ", "ς", "##ς", "i", "…", "—"]
PIECES = [*vocabulary(), *(piece for piece in MORE if piece not in vocabulary())]
SPELLINGS = (
    Spelling(),
    Spelling(lower=False, strip_accents=False),
    Spelling(lower=True, strip_accents=False),
    Spelling(lower=False, strip_accents=True, ideographs=False),
)
HARD = (
    "",
    " \t\r\n ",
    "Fever, headache; and NAUSEA!",
    "Treatment begins—with (antibiotics) and… rest.",
    "naïve café, Ärger, straße, ÉTÉ",
    "e\u0301te\u0301 re\u0301sume\u0301",
    "中文 and 日本語のテキスト",
    "ΟΔΟΣ ΣΑΣ ας İstanbul DŽ ǅ ﬁ",
    "zero\u200bwidth\u00adsoft\ufeff\x00null\ufffdreplaced\x1fcontrol\x85next",
    "a\u00a0b\u2003c\u2028d\u3000e",
    "##fever ## # [x] <s>",
    "x" * 100,
    "x" * 101,
    "word" * 40 + " fever",
    "👩‍👩‍👧 fever 🇩🇪 ½ ² № ™",
    "$5 + 3 = 8 ^ ~ ` | < >",
    "हिन्दी العربية עִבְרִית ไทย 한국어",
)


def reference(spelling: Spelling) -> Any:
    model = tokenizers.models.WordPiece(
        {piece: number for number, piece in enumerate(PIECES)},
        unk_token=spelling.unknown,
        max_input_chars_per_word=spelling.longest,
    )
    made = tokenizers.Tokenizer(model)
    made.normalizer = tokenizers.normalizers.BertNormalizer(
        clean_text=True,
        handle_chinese_chars=spelling.ideographs,
        strip_accents=spelling.strip_accents,
        lowercase=spelling.lower,
    )
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    return made


PAIRS = [(WordPieces(PIECES, spelling), reference(spelling)) for spelling in SPELLINGS]


@pytest.mark.parametrize("text", HARD)
def test_hard_texts_are_cut_alike(text: str) -> None:
    for ours, theirs in PAIRS:
        assert ours.numbers([text]) == [theirs.encode(text).ids]


def words(text: str) -> tuple[list[str], list[str]]:
    """Return the words before they are cut, of either."""
    ours, theirs = PAIRS[0]
    cleaned = theirs.normalizer.normalize_str(text)
    return text.translate(ours._characters).split(), [w for w, _ in theirs.pre_tokenizer.pre_tokenize_str(cleaned)]


def differs(code: int) -> bool:
    ours, theirs = words(f"a{chr(code)}b")
    return ours != theirs


MOVED = [code for code in range(0x3000) if differs(code)]
"""Characters that are newer than the package's tables of Unicode, or have moved to another category since."""
FREE = st.text(alphabet=st.characters(exclude_characters="".join(map(chr, MOVED)), max_codepoint=0x2FFF))
LIKELY = st.text(alphabet="fevrhadcFE éÉß#.,-–'中 \t\u0301σΣ")


def test_all_characters_of_living_scripts_are_spelled_alike() -> None:
    assert len(MOVED) < 200
    assert min(MOVED) > 0x600


@settings(max_examples=300, deadline=None)
@given(st.one_of(FREE, LIKELY))
def test_any_text_is_cut_alike(text: str) -> None:
    for ours, theirs in PAIRS:
        assert ours.numbers([text]) == [theirs.encode(text).ids]


def test_halves_of_characters_are_left_out() -> None:
    ours, _ = PAIRS[0]
    assert ours.numbers(["fe\ud800ver"]) == ours.numbers(["fever"])


def test_the_table_of_words_stays_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordpiece, "CACHED_WORDS", 3)
    ours = WordPieces(PIECES, Spelling())
    expected = PAIRS[0][1].encode("fever a b c d e fever").ids
    assert ours.numbers(["fever a b c d e fever"]) == [expected]
    assert len(ours._words) <= 3


def test_a_vocabulary_needs_a_piece_for_unknown_words() -> None:
    with pytest.raises(ModelError, match=r"\[UNK\]"):
        WordPieces([piece for piece in SPECIAL if piece != "[UNK]"], Spelling())
