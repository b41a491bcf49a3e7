"""The words of a query that chunks are looked up by."""

from __future__ import annotations

import re

from sector.text.stopwords import stop_words

WORD = re.compile(r"\w+")
MOST = 64
"""Words of a query that count."""


def query_words(query: str, language: str = "") -> list[str]:
    """Return the words of a query without stop words of its language; with them where there are no others."""
    found = list(dict.fromkeys(WORD.findall(query.casefold())))
    stopped = stop_words(language)
    return ([word for word in found if word not in stopped] or found)[:MOST]
