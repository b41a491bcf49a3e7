"""Lexicons: where the synsets of headings come from, all behind one small protocol."""

from __future__ import annotations

from pathlib import Path

from sector.errors import ConfigError
from sector.wikipedia.labels.lexicons.babelnet import ENDPOINT, load_babelnet
from sector.wikipedia.labels.lexicons.base import LexicalEntry, LexiconError, Synset, SynsetLexicon
from sector.wikipedia.labels.lexicons.thesaurus import load_thesaurus
from sector.wikipedia.labels.lexicons.wn_package import load_wn
from sector.wikipedia.labels.lexicons.wordnet import load_wordnet

LEXICONS = ("wordnet", "wn", "babelnet", "thesaurus")
"""What users type after ``--lexicon``."""

__all__ = ["LEXICONS", "LexicalEntry", "LexiconError", "Synset", "SynsetLexicon", "open_lexicon"]


def open_lexicon(
    name: str = "wordnet",
    language: str = "en",
    path: str | None = None,
    *,
    key: str | None = None,
    endpoint: str | None = None,
) -> SynsetLexicon:
    """Open a lexicon by its name.

    ``path`` is the folder of WordNet's files, the folder or `.dat` file of a thesaurus, the name of a wordnet of
    `wn` such as ``odenet:1.4``, or the folder that keeps BabelNet's answers.
    """
    match name:
        case "wordnet":
            if language != "en":
                message = f"WordNet's files are English, but the language is '{language}'"
                raise ConfigError(f"{message}; choose --lexicon wn, babelnet or thesaurus, or --language en.")
            return load_wordnet(path)
        case "wn":
            return load_wn(language, path)
        case "babelnet":
            return load_babelnet(language, key, endpoint or ENDPOINT, Path(path) if path else None)
        case "thesaurus":
            return load_thesaurus(path, language)
    raise ConfigError(f"There is no lexicon '{name}'; choose one of {', '.join(LEXICONS)}.")
