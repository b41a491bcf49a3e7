"""Tokenizers by name, as a command line says them."""

from __future__ import annotations

from pathlib import Path

from sector.chunks.tokens import AnyTokenizer
from sector.errors import ConfigError, DataError, MissingExtraError
from sector.files import read_options
from sector.values import is_there

ESTIMATE, WORDS, CHARACTERS = "estimate", "words", "characters"


def tokenizer_named(name: str | None) -> AnyTokenizer:
    """Return a tokenizer: "estimate", "words", "characters", a tokenizer.json or its folder, an encoding of tiktoken.

    Raises: ConfigError for a name that is nothing of the kind, DataError for a broken file, MissingExtraError where the
    package that reads it is missing.
    """
    if name is None or name == ESTIMATE:
        return None
    if name == WORDS:
        return _words
    if name == CHARACTERS:
        return len
    path = Path(name)
    if is_there(path):
        return _from_file(path / "tokenizer.json" if path.is_dir() else path)
    return _encoding(name)


def _words(text: str) -> int:
    return len(text.split())


def _from_file(path: Path) -> AnyTokenizer:
    try:
        from tokenizers import Tokenizer as Loaded
    except ImportError:
        raise MissingExtraError("tokenizers", "tokenizers") from None
    try:
        return Loaded.from_str(read_options(path))
    except Exception as error:  # the package raises nothing narrower
        raise DataError(f"This is no tokenizer.json that can be read ({error}).", file=path) from None


def _encoding(name: str) -> AnyTokenizer:
    wanted = ConfigError(
        f"There is no tokenizer '{name}': give estimate, words, characters, a tokenizer.json or the folder of one, "
        "or an encoding of tiktoken such as cl100k_base."
    )
    try:
        import tiktoken
    except ImportError:
        raise wanted from None
    if name not in tiktoken.list_encoding_names():
        raise wanted
    try:
        return tiktoken.get_encoding(name)
    except Exception as error:  # it downloads the vocabulary, with requests
        raise ConfigError(f"tiktoken cannot load '{name}' ({type(error).__name__}); it downloads it once.") from None
