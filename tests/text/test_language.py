"""Which language a text is in."""

from __future__ import annotations

import pytest

from sector.text.language import detect_language

TEXTS = {
    "en": "The kiln is hot, and nobody should open it before the morning has come.",
    "de": "Der Ofen ist heiß, und niemand sollte ihn öffnen, bevor der Morgen gekommen ist.",
    "fr": "Le four est chaud et personne ne doit l'ouvrir avant que le matin ne soit venu.",
    "es": "El horno está caliente y nadie debe abrirlo antes de que llegue la mañana.",
    "pt": "O forno está quente e ninguém deve abri-lo antes que a manhã chegue, porque ele não é novo.",
    "nl": "De oven is heet en niemand mag hem openen voordat het ochtend is, want het glazuur zou barsten.",
    "ru": "Печь горячая, и никто не должен открывать её до утра.",
    "uk": "Піч гаряча, і ніхто не повинен її відчиняти до ранку, бо її полива трісне.",
    "ja": "窯は熱いので、朝になるまで開けてはいけません。",
    "zh": "窑很热，天亮之前谁也不应该打开它。",
    "el": "Ο φούρνος είναι ζεστός και κανείς δεν πρέπει να τον ανοίξει.",
    "": "x = 12; y = 13",
}


@pytest.mark.parametrize(("language", "text"), TEXTS.items())
def test_languages(language: str, text: str) -> None:
    assert detect_language(text) == language


def test_a_word_says_nothing() -> None:
    assert detect_language("Kiln") == detect_language("") == detect_language("1234 \ud800") == ""
