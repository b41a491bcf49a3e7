"""What programs write into letters: heads of forwarded ones, footers of mailing lists, advertising."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sector.reading.lines import Line

FIELD = re.compile(
    r"[*_]?(?:from|sent|to|cc|bcc|subject|date|reply-to|von|gesendet|an|betreff|datum|de|para|enviado|assunto):[*_]?(?=\s|$)",
    re.IGNORECASE,
)
FORWARDED = re.compile(
    r"-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|begin forwarded)",
    re.IGNORECASE,
)
RULE = re.compile(r"[_=-]{10,}")
FOOTER = re.compile(r"\bunsubscribe\b|\bmailing list\b|\babmelden\b|\bmailingliste\b|https?://\S+", re.IGNORECASE)
LEAVING = re.compile(r"\bunsubscribe\b|\babbestellen\b", re.IGNORECASE)
LONGEST = 400
"""Characters of a paragraph that says how to leave a list."""


def is_machine_made(group: Sequence[Line]) -> bool:
    """Whether a paragraph of a letter was not written by its author."""
    first = group[0].text
    fields = sum(FIELD.match(line.text) is not None for line in group)
    if FORWARDED.match(first) or (fields > 1 and FIELD.match(first)):
        return True
    text = " ".join(line.text for line in group)
    if RULE.match(first):
        return len(group) > 1 and FOOTER.search(text) is not None
    return len(text) <= LONGEST and LEAVING.search(text) is not None
