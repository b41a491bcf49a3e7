"""Any wordnet that the `wn` package has installed: English, German (OdeNet), Portuguese and many more."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from sector.errors import MissingExtraError
from sector.wikipedia.labels.lexicons.base import LexicalEntry, LexiconError, Synset, distinct

NOUN = "n"


@dataclass
class WnLexicon:
    """The nouns of one language in the database of `wn`."""

    wordnet: Any
    """A ``wn.Wordnet``."""
    name: str = "wn"
    _synsets: dict[str, Synset] = field(default_factory=dict)

    def find(self, expression: str) -> LexicalEntry | None:
        """Look up an expression as it is and with the capitals of a German noun."""
        for form in dict.fromkeys((expression, expression.title())):
            words = self.wordnet.words(form, pos=NOUN)
            concepts = [synset for word in words for synset in word.synsets() if not _is_instance(synset)]
            if concepts:
                return LexicalEntry(
                    str(words[0].lemma()).lower(), distinct([self._convert(synset) for synset in concepts])
                )
        return None

    def synset(self, id: str) -> Synset | None:
        """Return a sense by its id; None where the database has it no more."""
        if id not in self._synsets:
            try:
                self._convert(self.wordnet.synset(id))
            except _wn().Error:
                return None
        return self._synsets[id]

    def _convert(self, synset: Any) -> Synset:
        id = str(synset.id)
        if id not in self._synsets:
            lemmas = tuple(str(lemma).lower() for lemma in synset.lemmas())
            broader = tuple(str(above.id) for above in synset.hypernyms())
            related = (relative for sense in synset.senses() for relative in sense.get_related("derivation"))
            kin = tuple(dict.fromkeys(str(relative.synset().id) for relative in related))
            self._synsets[id] = Synset(id, lemmas, synset.definition() or "", broader, kin)
        return self._synsets[id]


def load_wn(language: str = "en", lexicon: str | None = None) -> WnLexicon:
    """Open a wordnet of `wn`: the one named like ``odenet:1.4``, or all that are installed for the language."""
    wn = _wn()
    try:
        wordnet = wn.Wordnet(lexicon) if lexicon else wn.Wordnet(lang=language)
        is_there = bool(wordnet.lexicons())
    except wn.Error:
        is_there = False
    if not is_there:
        wanted = f"'{lexicon}'" if lexicon else f"the language '{language}'"
        message = f"The package wn has no wordnet for {wanted}. Install one with 'python -m wn download NAME'"
        raise LexiconError(f"{message} (e.g. oewn:2024 for English, odenet for German), or add a file with wn.add().")
    if language == "en":
        from wn.morphy import Morphy

        wordnet.lemmatizer = Morphy(wordnet)
    return WnLexicon(wordnet)


def _is_instance(synset: Any) -> bool:
    return bool(synset.get_related("instance_hypernym"))


def _wn() -> ModuleType:
    try:
        import wn
    except ImportError as error:
        raise MissingExtraError("wn", "wordnets") from error
    module: ModuleType = wn
    return module
