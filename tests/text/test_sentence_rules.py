"""Each rule of sentence splitting by example, in English, German and where the language is unknown."""

from __future__ import annotations

import pytest
import sentencex

from sector.text import segmenter, split_sentences

BAR = " | "


def marked(text: str, language: str) -> str:
    """Return the sentences with a bar between them."""
    spans = split_sentences(text, language)
    pairs = zip(spans.begin.tolist(), spans.end.tolist(), strict=True)
    return BAR.join(text[begin:end] for begin, end in pairs)


BOTH = [
    "It rained. | Nobody came! | Why? | We left.",
    "He met Dr. Smith and Prof. Jones. | They talked.",
    "We like fruit, e.g. apples, i.e. Red ones.",
    "Apples, pears, etc. are sold here. | Come in.",
    "They sell apples, pears, etc. | The shop is small.",
    "The U.S. Army came. | He lives in the U.S. | The house is old.",
    "She works for Acme Inc. | He does not. | Acme Inc. Europe is large.",
    "See Fig. 3 and approx. 20 pages, No. 5, vol. 2.",
    "He sailed to America. | Then he came back from Africa. | It was warm.",
    "The books of J. R. Smith and A. Miller sell well. | He is glad.",
    "She has hepatitis B. | The cure is known.",
    "The answer is no. | He said so.",
    "They came to St. Paul. | He slept.",
    'He said: "Go away. Now." and left. | She stayed.',
    "He slept (see Acme Inc. The firm) and woke. | She left.",
    "Version 3.5 costs 1.50 dollars. | Buy it.",
    "In 1990. | The year after.",
]
GERMAN = [
    "Im 19. Jahrhundert wuchs die Stadt. | Danach nicht.",
    "Nach dem 2. Weltkrieg, am 3. Oktober, kam er. | Sie ging am 4. Mai.",
    "Im 16. und 17. Jahrhundert, z. B. Mitte des 17. Jh. | Er kam.",
    "Obst, z. B. Äpfel, d. h. Rote, bzw. Grüne, ca. 5 Stück. | Es schmeckt.",
    "Obst, z.B. Äpfel, u. a. Birnen usw. | Der Laden ist klein.",
    "Z. B. Der Spiegel kam. | Sie lasen ihn.",
    "Die Straße Nr. 5 führt nach St. Pauli. | Sie ist lang.",
    "Er zog nach Amerika. | Das Schiff hieß Britannia.",
    "Sie starb 44 v. Chr. | Er lebte noch.",
    "Kaiser Otto II. kam nach Rom. | Er blieb.",
    "Er liegt vgl. Meier auf 24 m ü. NN. | Der Ort ist klein.",
    "Das ist die Hauptstadt. | 1968 wurde sie größer.",
    "Die meisten K.-o.-Spiele fielen aus. | Schade.",
    "Vom 17./18. Februar an schneite es. | Dann nicht.",
]
ONLY_GERMAN = ["Er gewann den 50. Großen Preis. | Sie nicht.", "Er wurde im Spiel 3. | Der Rest kam später."]
LINES = [
    "1. Item\n2. Item two\n3. The third",
    "- Item one\n* Item two\n• Item three",
    "a) first\nb) second\nA. The first\nIV. The fourth\n(1) First\n1.2. Sub",
    "no punctuation\nat all\nTitle Case Line",
    "one\r\ntwo\rthree\vfour\ffive\x85six\u2028seven\u2029eight",
]
SCRIPTS = [
    "你好。 | 我是学生！ | 你呢？",
    "مرحبا بالعالم. | كيف حالك؟ | أنا بخير.",
    "Привет. | Как дела?",
    "Great! | 😀 Then we left. 🎉🎉",
    "One\tword. | Two\xa0words.\xa0| Three.".replace("\xa0|", " |"),
    "Nul\0 here. | And\0there.",
]


def unmarked(example: str) -> str:
    joint = "" if "。" in example else " "
    return example.replace(BAR, joint)


@pytest.mark.parametrize("example", BOTH)
@pytest.mark.parametrize("language", ["", "en"])
def test_english(example: str, language: str) -> None:
    assert marked(unmarked(example), language) == example


@pytest.mark.parametrize("example", GERMAN)
@pytest.mark.parametrize("language", ["", "de", "de-AT"])
def test_german(example: str, language: str) -> None:
    assert marked(unmarked(example), language) == example


@pytest.mark.parametrize("example", ONLY_GERMAN)
def test_german_that_is_known_to_be(example: str) -> None:
    assert marked(unmarked(example), "de") == example


@pytest.mark.parametrize("text", LINES)
@pytest.mark.parametrize("language", ["", "en", "de"])
def test_each_line_is_one_sentence(text: str, language: str) -> None:
    assert marked(text, language).split(BAR) == text.splitlines()


@pytest.mark.parametrize("example", SCRIPTS)
def test_other_scripts(example: str) -> None:
    assert marked(unmarked(example), "") == example


@pytest.mark.parametrize("language", ["xx", "EN", "en_US", "klingon", "日", "\0", "\ud800", "e"])
def test_unknown_languages_fall_back(language: str) -> None:
    assert marked("It rained. We left.", language) == "It rained. | We left."


@pytest.mark.parametrize("language", ["", "de"])
def test_closing_quotes_stay_with_their_sentence(language: str) -> None:
    example = 'Er rief: "Sie kommen!" | Immer wieder sagte er: "So ist es." | Er ging.'
    assert marked(unmarked(example), language) == example


def test_a_failure_inside_sentencex_leaves_the_other_lines_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    panic = type(segmenter.RUST_PANIC, (BaseException,), {})

    def failing(language: str, text: str) -> list[str]:
        if "bad" in text:
            raise panic
        pieces: list[str] = sentencex.segment(language, text)
        return pieces

    monkeypatch.setattr(segmenter, "segment", failing)
    assert marked("One. Two.\nbad. Three.\nFour. Five.", "") == "One. | Two. | bad. Three. | Four. | Five."
    assert marked("bad. " * 2000, "").startswith("bad. bad.")


def test_other_exceptions_inside_sentencex_are_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(language: str, text: str) -> list[str]:
        raise KeyboardInterrupt

    monkeypatch.setattr(segmenter, "segment", interrupted)
    with pytest.raises(KeyboardInterrupt):
        split_sentences("One. Two.")
