"""What becomes of comments and of the HTML and extension tags in wikitext."""

from __future__ import annotations

import re
from functools import cache


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


DROPPED = _names(
    "math chem ce gallery timeline score syntaxhighlight source pre imagemap hiero graph mapframe maplink references"
    " templatestyles style script includeonly categorytree inputbox indicator templatedata"
)
"""Tags that vanish with what they enclose, which is no wikitext."""
BREAKS = _names("br p div blockquote center poem dl dt dd ul ol li tr td th caption hr h1 h2 h3 h4 h5 h6")
"""Tags that begin a new line."""
ITEMS = _names("li")
"""Tags that begin a list item."""
INLINE = _names(
    "b i u s em strong small big sub sup span font tt code kbd samp var cite q abbr ins del strike bdi bdo dfn mark"
    " ruby rb rp rt time wbr a img noinclude onlyinclude nowiki ref tbody thead section data"
)
"""Tags that vanish and leave what they enclose."""
_LITERAL = str.maketrans({sign: f"&#{ord(sign)};" for sign in "'[]{}|*:=<>_"})


def literal(text: str) -> str:
    """Return text of a ``<nowiki>`` with the signs of markup as entities, which are decoded last as those in it are."""
    return text.translate(_LITERAL)


@cache
def closing(name: str) -> re.Pattern[str]:
    """Return what finds the end of a tag's content."""
    return re.compile(rf"</{name}\s*>", re.IGNORECASE)


def without_comments(source: str) -> str:
    """Remove ``<!-- … -->``; one that is not closed goes to the end, as the wiki has it."""
    if "<!--" not in source:
        return source
    kept, at = [], 0
    while (begin := source.find("<!--", at)) >= 0:
        kept.append(source[at:begin])
        end = source.find("-->", begin + 4)
        if end < 0:
            return "".join(kept)
        at = end + 3
    return "".join(kept) + source[at:]
