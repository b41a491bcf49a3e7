"""Read each language in the other's words: English documents to learn German from, German ones for an English encoder.

    python benchmarks/transfer/gloss.py DICTIONARY --german vectors/de --english vectors/en --encoder NAME --output DIR

Writes ``english.npz`` (English training documents as rows of the German encoder's words, with German labels) and
``german.npz`` (the pieces that the encoder reads of German sentences, glossed word by word). Neither holds any text.
"""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from dictionary import BilingualSpace, Translations, translations
from labels import german_labels
from numpy.typing import NDArray

from harness.data import documents
from sector import encoders
from sector.document import Section
from sector.encoders.embedding import EmbeddingEncoder
from sector.encoders.hugging_face import HuggingFaceEncoder
from sector.encoders.vectors import WordVectors
from sector.text import stop_words, tokenize
from sector.training.labels import LabelVocabulary, section_labels
from sector.training.prepare import NumberedSplit, split_data

ENGLISH = ("en_wiki", "en_city", "en_disease")
GERMAN, MIN_COUNT = "de_wiki", 10
PARTS = ("words", "word_offsets", "document_offsets", "sections", "labels", "label_offsets", "mains")
LETTERS = re.compile(r"[^\W\d_]+")
NEAR_GERMAN, NEAR_ENGLISH = 0.45, 0.5
"""From which cosine on the nearest word stands for one that the dictionary does not have."""
ENDINGS = ("s", "es", "e", "en", "er", "em", "n", "ern", "ns", "se", "te", "ten")
LINKS = ("", "s", "es", "n", "en")
"""What may stand between the parts of a German compound."""


# English documents in German words


def german_words(space: BilingualSpace, into_german: Translations, known: NDArray[np.bool_]) -> dict[str, str]:
    """Return the German word, one that the German encoder knows, for each English one; stop words have none."""
    listed = {word for word, is_known in zip(space.words["de"], known, strict=True) if is_known}
    chosen: dict[str, str] = {}
    missing: list[str] = []
    for word in space.words["en"]:
        candidates = {one: weight for one, weight in into_german.get(word, {}).items() if one in listed}
        if candidates:
            chosen[word] = max(candidates, key=lambda one: _value(space, one, word, candidates[one], "de"))
        elif word in listed and (len(word) > 3 or not word.isalpha()):
            chosen[word] = word
        else:
            missing.append(word)
    found = zip(missing, space.nearest(missing, of="en", among=known), strict=True)
    chosen |= {word: other for word, (other, likeness) in found if likeness > NEAR_GERMAN}
    return {word: other for word, other in chosen.items() if word not in stop_words("en")}


def _value(space: BilingualSpace, german: str, english: str, weight: float, side: str) -> float:
    """Weigh a translation: its place in the dictionary, whether it is used like the word, how frequent it is."""
    word = german if side == "de" else english
    likeness = space.likeness(german, english)
    return float(np.log(weight)) + 3 * likeness + 0.25 * space.frequency(word, side)


class _Renamed:
    """Labels of English headings, in German; has the form of ``LabelVocabulary``."""

    task = "headings"

    def __init__(self, german: LabelVocabulary, into_german: Translations) -> None:
        self.places = {label: number for number, label in enumerate(german.labels)}
        self.names = german_labels(self.places, into_german)

    def numbers(self, sections: Sequence[Section]) -> list[list[int]]:
        """Return the numbers of the German words of each heading."""
        words = [section_labels(section, "headings", "en") for section in sections]
        return [sorted({self.places[self.names[w]] for w in heading if w in self.names}) for heading in words]


def english_documents(encoder: EmbeddingEncoder, words: dict[str, str], labels: _Renamed) -> dict[str, NDArray[Any]]:
    listed = list(words)
    rows = dict(zip(listed, encoder.numbers([words[word] for word in listed]).tolist(), strict=True))
    found = list(chain.from_iterable(documents(f"{name}_train") for name in ENGLISH))
    sentences = [
        [rows[word] for word in tokenize(sentence) if word in rows]
        for document in found
        for sentence in document.sentence_texts
    ]
    lengths = np.array([len(sentence) for sentence in sentences])
    split = NumberedSplit(found, np.fromiter(chain.from_iterable(sentences), np.int64), lengths)
    made = split_data(split, np.arange(len(encoder.vectors)), labels, flags=False)  # type: ignore[arg-type]
    share = np.mean(np.diff(made.label_offsets) > 0)
    print(f"{len(found)} English documents; {share:.1%} of their sections have a German label")
    return {name: getattr(made, name) for name in PARTS}


# German documents in English words


class Glossary:
    """English for German words: from the dictionary, by endings, by the parts of a compound, or the nearest word."""

    def __init__(self, space: BilingualSpace, into_english: Translations) -> None:
        self.space = space
        self.best = {word: self._best(word, known) for word, known in into_english.items()}
        self._seen: dict[str, str] = {}

    def _best(self, word: str, known: Mapping[str, float]) -> str:
        def value(expression: str) -> float:
            parts = [part for part in expression.split() if part in self.space.places["en"]]
            if not parts:
                return float(np.log(known[expression])) - 3
            likeness = max(self.space.likeness(word, part) for part in parts)
            frequency = min(self.space.frequency(part, "en") for part in parts)
            length = 0.5 * (len(expression.split()) - 1)
            return float(np.log(known[expression])) + 3 * likeness + 0.25 * frequency - length

        return max(known, key=value)

    def prepare(self, words: set[str]) -> None:
        """Look all words up at once: the nearest ones are found together."""
        self._seen = {word: self._listed(word) or self._compound(word) for word in words}
        german, english = self.space.places["de"], self.space.places["en"]
        missing = [word for word, found in self._seen.items() if not found and word in german and word not in english]
        for word, (other, likeness) in zip(missing, self.space.nearest(missing, of="de"), strict=True):
            if likeness > NEAR_ENGLISH:
                self._seen[word] = other

    def gloss(self, sentence: str) -> str:
        """Put English words into the places of the German ones; names stay as they are."""
        return LETTERS.sub(lambda found: self._seen.get(found.group()) or found.group(), sentence.lower())

    def _listed(self, word: str) -> str:
        if word in self.best:
            return self.best[word]
        stems = [word.removesuffix(end) for end in ENDINGS if word.endswith(end) and len(word) - len(end) >= 4]
        forms = chain.from_iterable((stem, f"{stem}en") for stem in stems)
        return next((self.best[form] for form in forms if form in self.best), "")

    def _compound(self, word: str) -> str:
        for cut in range(4, len(word) - 3 if len(word) >= 8 else 0):
            tail = self._listed(word[cut:])
            head = next(self._heads(word[:cut]), "") if tail else ""
            if head:
                return f"{head} {tail}"
        return ""

    def _heads(self, head: str) -> Iterator[str]:
        for link in LINKS:
            stem = head.removesuffix(link)
            if head.endswith(link) and len(stem) >= 3:
                yield from (self.best[form] for form in (stem, f"{stem}e", f"{stem}en") if form in self.best)


def german_documents(glossary: Glossary, encoder: HuggingFaceEncoder) -> dict[str, NDArray[Any]]:
    splits = {split: documents(f"{GERMAN}_{split}") for split in ("train", "validation", "test")}
    texts = {name: [text for one in found for text in one.sentence_texts] for name, found in splits.items()}
    glossary.prepare({word for text in chain.from_iterable(texts.values()) for word in LETTERS.findall(text.lower())})
    arrays: dict[str, NDArray[Any]] = {}
    for name, sentences in texts.items():
        pieces = encoder.tokenize([glossary.gloss(sentence) for sentence in sentences])
        arrays[f"{name}.words"] = np.fromiter(chain.from_iterable(pieces), np.uint16)
        arrays[f"{name}.lengths"] = np.array([len(numbers) for numbers in pieces], np.uint8)
    return arrays


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dictionary", type=Path, help="Ding's de-en, as in Debian's package trans-de-en")
    parser.add_argument("--german", type=Path, required=True, help="word vectors")
    parser.add_argument("--english", type=Path, required=True, help="word vectors")
    parser.add_argument("--encoder", required=True, help="an English encoder, by Hugging Face's folder or name")
    parser.add_argument("--output", type=Path, required=True)
    given = parser.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    into_german, into_english = (translations(given.dictionary, to=to, words=n) for to, n in (("de", 1), ("en", 2)))
    space = BilingualSpace(WordVectors.load(given.german), WordVectors.load(given.english), into_german)
    train = documents(f"{GERMAN}_train")
    options = tomllib.loads(Path("recipes/de_wiki.toml").read_text(encoding="utf-8"))["encoder_options"]
    encoder = encoders.make("emb", **options | {"vectors": str(given.german)})
    assert isinstance(encoder, EmbeddingEncoder)
    encoder.fit(document.sentence_texts for document in train)
    known = encoder.numbers(space.words["de"]) >= 0
    labels = LabelVocabulary.from_documents(train, "headings", language="de", min_count=MIN_COUNT)
    words = german_words(space, into_german, known)
    arrays = english_documents(encoder, words, _Renamed(labels, into_german))
    np.savez_compressed(given.output / "english.npz", **arrays)  # type: ignore[arg-type]
    glossary = Glossary(space, into_english)
    arrays = german_documents(glossary, HuggingFaceEncoder.of(given.encoder, tokens=48))
    np.savez_compressed(given.output / "german.npz", **arrays)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
