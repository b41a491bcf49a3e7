"""Where to cut a sentence that is longer than a section may be: between words, else between characters."""

from __future__ import annotations

from unicodedata import category

JOINER = "\u200d"


def cut_inside(text: str, begin: int, limit: int) -> int:
    """Return a position in ``(begin, begin + limit]``, which must lie inside the text, to cut at."""
    window = text[begin : begin + limit]
    if not window[-1].isspace() or text[begin + limit].isspace():
        window = window.rstrip()
        window = window[: len(window) - len(window.rsplit(None, 1)[-1])] if window else window
    if window and not window.isspace():
        return begin + len(window)
    return _between_characters(text, begin, begin + limit)


def _between_characters(text: str, begin: int, end: int) -> int:
    position = end
    while position > begin + 1 and _belongs_together(text[position - 1], text[position]):
        position -= 1
    return end if _belongs_together(text[position - 1], text[position]) else position


def _belongs_together(left: str, right: str) -> bool:
    """Whether two code points are one character to a reader, or two halves of one (surrogates, CR LF)."""
    if category(right) in {"Mn", "Mc", "Me"} or JOINER in (left, right):
        return True
    if "\U0001f3fb" <= right <= "\U0001f3ff" or left + right == "\r\n":
        return True
    return "\ud800" <= left <= "\udbff" and "\udc00" <= right <= "\udfff"
