"""An estimate of a text's tokens that needs no vocabulary.

Tokenizers of language models split a text into words, numbers and signs first, and these into pieces. The estimate
counts the same way and takes pieces to be short, so that common vocabularies stay below it.
"""

from __future__ import annotations

import re

PIECES = re.compile(r"[A-Za-z]+|[0-9]+|[^\x00-\x7f]+|[^\sA-Za-z0-9]|\n+|\s{2,}")
LETTERS, DIGITS = 5, 1


def estimated_tokens(text: str) -> int:
    """Return a number of tokens that the tokenizers of common language models do not exceed on such a text."""
    return sum(map(_pieces, PIECES.findall(text)))


def _pieces(word: str) -> int:
    if not word.isascii():
        return len(word.encode("utf-8", "surrogatepass"))
    if word.isalpha():
        return -(-len(word) // LETTERS)
    return len(word) if word.isdigit() else 1
