"""What the words of English headings are called in German ones."""

from __future__ import annotations

from collections.abc import Mapping

from dictionary import Translations

USUAL = {
    "attractions": "sehenswürdigkeiten",
    "behavior": "lebensweise",
    "biography": "leben",
    "career": "leben",
    "causes": "ursachen",
    "climate": "klima",
    "culture": "kultur",
    "demographics": "bevölkerung",
    "demography": "bevölkerung",
    "description": "merkmale",
    "distribution": "verbreitung",
    "ecology": "lebensweise",
    "economy": "wirtschaft",
    "education": "bildung",
    "etymology": "etymologie",
    "geography": "geographie",
    "government": "politik",
    "infrastructure": "infrastruktur",
    "landmarks": "sehenswürdigkeiten",
    "legacy": "rezeption",
    "name": "name",
    "people": "persönlichkeiten",
    "plot": "handlung",
    "politics": "politik",
    "production": "herstellung",
    "reception": "rezeption",
    "religion": "religion",
    "sites": "sehenswürdigkeiten",
    "sports": "sport",
    "taxonomy": "systematik",
    "transport": "verkehr",
    "transportation": "verkehr",
    "treatment": "behandlung",
    "uses": "verwendung",
    "works": "werke",
    "#": "#",
}
"""Where the usual German heading is not the first translation."""
RANK = 0.3
"""The n-th most frequent German label counts for n to the power of minus this."""


def german_labels(places: Mapping[str, int], into_german: Translations) -> dict[str, str]:
    """Return the German label of each English word that has one; ``places`` are the labels' ranks by frequency."""

    def best(word: str) -> str:
        known = {label: weight for label, weight in into_german.get(word, {}).items() if label in places}
        return max(known, key=lambda label: known[label] * (1 + places[label]) ** -RANK, default="")

    found = {word: best(word) or (word if word in places else "") for word in into_german}
    plurals = {f"{word}s": label for word, label in found.items() if label and not found.get(f"{word}s")}
    same = {label: label for label in places if label not in found}
    return {word: label for word, label in (same | found | plurals | USUAL).items() if label in places}
