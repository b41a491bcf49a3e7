"""The language of a text, by its script and its most frequent small words: offline, without a model."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

SAMPLE = 6_000
"""Characters that are looked at, from several places of a long text."""
PLACES = 4
FEWEST = 3
"""Small words that are found at least; a text with fewer says nothing."""
LEAST = 0.08
"""Of the words of a text are small words of its language, at least."""
AHEAD = 1.25
"""Times as many as of any other language."""
WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
SMALL_WORDS = {
    "en": "the of and to in is that for it as was with be by on not he his but at are this have from or had an they "
    "which one you were her all their there would when who will more if no out so what up its about into than "
    "them can only other your must should use if may any these we has been how do does",
    "de": "der die und das den von zu dem nicht mit sich des auf für ist im ein eine als auch es an werden aus er "
    "hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor "
    "zur bis mehr durch man sein wurde sei wenn kann ich wir ihr diese dieser keine unter bzw muss einer seine "
    "beim",
    "fr": "le la les des et en un une du est que dans qui par pour il au plus sur ne se pas ce avec son sont ou "
    "cette mais aux comme elle ces été leur nous vous être peut fait sans même où deux si ont entre lui sous",
    "es": "de la que el en y los se del las un por con una su para es al lo como más pero sus le ha este sí porque "
    "esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante uno ni contra "
    "otros ese fue son",
    "pt": "de que do da em um para com não uma os no se na por mais as dos como mas foi ao ele das tem seu sua ou "
    "ser quando muito há nos já está eu também só pelo pela até isso ela entre depois sem mesmo aos seus quem "
    "nas são é",
    "it": "di che è la il un per in una sono non del della con si da come più al dei anche ma nel alla delle le gli "
    "lo questo nella ha o se ci essere suo sua stato tra tutti dalla degli dopo quando loro fu era i e",
    "nl": "de van het een en in is dat op te zijn met voor niet die aan er om ook als bij maar uit dan nog naar "
    "heeft ze door worden wordt over hij werd deze tot hun zich geen kan meer was of we onder",
    "sv": "och i att det som en på är av för med till den har de inte om ett han men var jag sig från vi så kan när "
    "år under också efter eller nu sin där vid mot ska skulle kommer ut får finns vara hade alla andra",
    "da": "og i at det er en til af på for den som med de ikke der et har fra om han var kan jeg men vi blev sig så "
    "efter eller ved være også skal blive over nu deres mod hun sin denne havde ind",
    "no": "og i det er til som en på av for at med de ikke den har om et fra var han men vi kan jeg så ble seg eller "
    "etter også skal være ved nå dette sin hadde da blir mot over hun noen",
    "pl": "w i na z się nie do to że jest o jak po co ale od za przez był dla jego tym przy oraz są tego jako tak "
    "czy może być już tylko jej które który która ich pod lub także ze te",
    "cs": "a v se na je že o s z do i to k ve pro za by ale jako si po byl jsou které který tak jeho nebo od podle "
    "která jen bylo být před má také už při až ze byla jsem není",
    "fi": "ja on ei oli että se hän en mutta ovat kuin myös joka sen tai kun niin jos mukaan vain vuonna ole voi "
    "sekä jo hänen olla ollut sitä tämä nyt mitä joka jonka jotka",
    "hu": "a az és hogy nem is egy ez volt meg de csak mint ha már el még vagy azt ki van lesz kell aki ami minden "
    "után mert majd első sem azonban között illetve",
    "tr": "ve bir bu da de için ile olarak daha çok gibi en olan kadar ama sonra ne o her ise ancak olduğu var "
    "tarafından değil iki ya ki mi şekilde",
    "ro": "de și în la a cu pe care din nu un o este că mai pentru al au fost se sau prin ce sunt dar lui după fi ca "
    "sa le s-a acest această între",
    "id": "yang dan di dengan untuk dari pada ini dalam tidak itu adalah ke oleh akan sebagai juga atau dapat telah "
    "tersebut lebih ada bahwa karena mereka bisa saya",
    "vi": "của và là các có được cho một trong những không với người đã để này khi từ đến năm về như cũng ra vào ở",
    "la": "et in est non ad cum ut quod qui de ex sed si ab aut esse per quae ac sunt nec quam hoc atque enim eius",
}
"""Each language's most frequent words; one that several share counts a part for each."""
SCRIPTS = (
    ("ru", "\u0400-\u04ff"),
    ("el", "\u0370-\u03ff"),
    ("he", "\u0590-\u05ff"),
    ("ar", "\u0600-\u06ff\u0750-\u077f"),
    ("hi", "\u0900-\u097f"),
    ("th", "\u0e00-\u0e7f"),
    ("ko", "\uac00-\ud7af\u1100-\u11ff"),
    ("ja", "\u3040-\u30ff"),
    ("zh", "\u4e00-\u9fff\u3400-\u4dbf"),
    ("ka", "\u10a0-\u10ff"),
    ("hy", "\u0530-\u058f"),
)
"""A script for a language that is written in it; others with the same script get its code, too."""
UKRAINIAN = re.compile("[іїєґ]")


def detect_language(text: str) -> str:
    """Return the ISO 639-1 code of a text's language; empty where it is too short or none that is known."""
    sample = _sample(text)
    letters = sum(map(str.isalpha, sample))
    if not letters:
        return ""
    if not sample.isascii() and (script := _script(sample, letters)):
        return script
    words = WORD.findall(sample.lower())
    scores: Counter[str] = Counter()
    for word in words:
        for language in (owners := _owners().get(word, ())):
            scores[language] += 1 / len(owners)  # type: ignore[assignment]
    (best, found), (_, next_best) = (*scores.most_common(2), ("", 0), ("", 0))[:2]
    sure = found >= max(FEWEST - 1, LEAST * len(words)) and found >= AHEAD * next_best
    return best if sure else ""


def _sample(text: str) -> str:
    if len(text) <= SAMPLE:
        return text
    size, step = SAMPLE // PLACES, len(text) // PLACES
    return "\n".join(text[place * step : place * step + size] for place in range(PLACES))


def _script(sample: str, letters: int) -> str:
    """Return the language of the script that most letters are of, if it is not Latin."""
    for language, pattern in _scripts():
        found = len(pattern.findall(sample))
        if found > (0.1 if language == "ja" else 0.4) * letters:
            return "uk" if language == "ru" and len(UKRAINIAN.findall(sample)) > 0.02 * found else language
    return ""


@cache
def _scripts() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((language, re.compile(f"[{letters}]")) for language, letters in SCRIPTS)


@cache
def _owners() -> dict[str, tuple[str, ...]]:
    """Return the languages that have each small word."""
    owners: dict[str, tuple[str, ...]] = {}
    for language, words in SMALL_WORDS.items():
        for word in dict.fromkeys(words.split()):
            owners[word] = (*owners.get(word, ()), language)
    return owners
