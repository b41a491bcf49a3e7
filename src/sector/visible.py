"""What a terminal may be given: no text, file name or message can move its cursor, colour it or turn its lines.

Control characters and those that override the direction of writing are shown as ``�``, one for one, so that columns
stay where they are. Line breaks and tabs stay, and so do the marks that right-to-left scripts need between letters.
"""

from __future__ import annotations

import re

SURROGATE = re.compile("[\ud800-\udfff]")
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_UNSAFE_IN_JSON = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What UTF-8 cannot hold, some readers take for the end of a line, or a terminal obeys."""


def visible(text: str) -> str:
    """Return a text of the same length that is safe to print."""
    return _UNSAFE.sub("�", text)


def escaped(line: str) -> str:
    """Return JSON of the same meaning that any terminal and any reader of lines can be given."""
    return _UNSAFE_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def shortened(text: str, length: int = 40) -> str:
    """Return the first words on one line, for what is shown of an object: at most ``length`` characters."""
    line = " ".join(text[: 4 * length].split())
    return line if len(line) <= length and len(text) <= 4 * length else f"{line[: length - 1].rstrip()}…"


def amount(number: int, noun: str) -> str:
    """Return a number with its noun: "1 section", "2,000 sections"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def brief(value: object, length: int = 200) -> str:
    """Return what a message says of a value that cannot be: its ``repr``, cut off where it is long."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to print numbers of thousands of digits
        return f"a number of too many digits ({type(value).__name__})"
    return text if len(text) <= length else f"{text[:length]}…"
