"""E-mail: the text of messages, without the parts that machines add; mailboxes with several of them."""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from itertools import pairwise

from sector.errors import ConfigError, DataError
from sector.reading import html, plain
from sector.reading.archive import shallow
from sector.reading.base import Content, Extract
from sector.reading.decoding import check_encoding, decode

HEADERS = ("From", "To", "Cc", "Date")
HEAD = re.compile(rb"(?:>?From \S+[^\n]*\n)?(?:[!-9;-~]{1,76}:[^\n]*\n(?:[ \t]+\S[^\n]*\n)*){2,}")
"""The headers that a message begins with,"""
HEADER = re.compile(
    rb"^(return-path|received|from|to|subject|date|message-id|mime-version|delivered-to|content-type|reply-to|sender"
    rb"|dkim-signature|newsgroups|in-reply-to|references|x-[\w-]+):",
    re.IGNORECASE | re.MULTILINE,
)
"""and what some of them are called."""
SURE = frozenset((b"received", b"message-id", b"mime-version", b"return-path", b"delivered-to", b"dkim-signature"))
"""Headers that no text has which a person wrote."""
LONGEST_HEADER = 10_000
"""Characters of one header that are read."""
LONGEST_HEAD = 1 << 16
SEPARATOR = re.compile(rb"^From \S+.*\d{4}\s*$", re.MULTILINE)
MOST_PARTS = 1000
DEEPEST = 6
"""Messages inside of one another that are read."""


class _Bounded(email.policy.EmailPolicy):
    """Reads long headers in part: Python's parser of encoded words takes time with the square of their length."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        """Return name and value of a header as they stand in the message."""
        name, value = super().header_source_parse(sourcelines)
        return name, value[:LONGEST_HEADER]


@dataclass(frozen=True, slots=True)
class MailFormat:
    """Messages as mail programs save them."""

    name: str = "eml"
    suffixes: tuple[str, ...] = (".eml", ".mbox", ".mbx")

    def recognises(self, head: bytes) -> bool:
        """Whether it begins with the headers of a message."""
        return len(_headers(head)) > 1

    def read(self, content: bytes, encoding: str | None = None) -> Content:
        """Return text and blocks: for each message its subject as a heading, then what it says."""
        extract = Extract()
        with shallow("e-mail"):
            subjects = [_add(extract, message, encoding) for message in _messages(content)]
        return extract.content(subjects[0] if len(subjects) == 1 else "")


def is_surely_mail(content: bytes) -> bool:
    """Whether a file is a message whatever it is called."""
    found = _headers(content)
    return bool(found & SURE) and bool(found & {b"from", b"subject"}) and len(found) > 2


def _headers(content: bytes) -> frozenset[bytes]:
    """Return the names of the known headers that it begins with."""
    match = HEAD.match(content[:LONGEST_HEAD].removeprefix(b"\xef\xbb\xbf").lstrip())
    return frozenset(name.lower() for name in HEADER.findall(match.group())) if match else frozenset()


def _messages(content: bytes) -> Iterator[EmailMessage]:
    content = content.removeprefix(b"\xef\xbb\xbf").lstrip()
    begins = [match.start() for match in SEPARATOR.finditer(content)]
    edges = [0, *(begin for begin in begins if begin), len(content)]
    for begin, end in pairwise(edges):
        piece = content[begin:end]
        if piece.startswith((b"From ", b">From ")):
            piece = piece.partition(b"\n")[2]
        message = email.message_from_bytes(piece, policy=_Bounded())
        assert isinstance(message, EmailMessage)
        yield message


def _add(extract: Extract, message: EmailMessage, encoding: str | None, level: int = 1) -> str:
    """Put a message into an extract, the ones attached to it one level below; return its subject."""
    subject = _header(message, "Subject")
    extract.add(subject, "heading", level)
    lines = [f"{name}: {value}" for name in HEADERS if (value := _header(message, name))]
    extract.add("\n".join(lines), "boilerplate")
    for number, (part, is_attached) in enumerate(_parts(message)):
        if number > MOST_PARTS:
            raise DataError(f"This message has more than {MOST_PARTS:,} parts; it is not read.")
        if not is_attached:
            _add_body(extract, part, encoding, level)
        elif level < DEEPEST:
            _add(extract, part, encoding, level + 1)
    return subject


def _add_body(extract: Extract, part: EmailMessage, encoding: str | None, level: int) -> None:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes) or not payload.strip():
        return
    is_html = part.get_content_subtype() == "html"
    body = _decoded(payload, part.get_content_charset() or encoding or "utf-8")
    for block in html.blocks(body) if is_html else plain.blocks(body, is_letter=True):
        shown = block.content if block.is_prose else html.shown(block.text) if is_html else block.text
        extract.add(shown, block.kind, block.level + level if block.kind == "heading" else block.level)


def _header(message: EmailMessage, name: str) -> str:
    try:
        return " ".join(str(message.get(name, "")).split())
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError):  # headers that no standard allows
        return ""


def _parts(message: EmailMessage) -> Iterator[tuple[EmailMessage, bool]]:
    """Return the texts of a message, of alternatives the plain one, and the messages attached to it, marked as such."""
    if message.get_content_type() == "multipart/alternative":
        texts = [part for part in message.walk() if part.get_content_maintype() == "text"]
        chosen = [part for part in texts if part.get_content_subtype() == "plain"] or texts
        yield from ((part, False) for part in chosen if isinstance(part, EmailMessage))
    elif message.is_multipart():
        is_attached = message.get_content_type() == "message/rfc822"
        for part in message.get_payload():
            if isinstance(part, EmailMessage):
                yield from [(part, True)] if is_attached else _parts(part)
    elif message.get_content_maintype() == "text" and message.get_content_disposition() != "attachment":
        yield message, False


def _decoded(payload: bytes, charset: str) -> str:
    try:
        return payload.decode(check_encoding(charset))
    except (ConfigError, UnicodeError):
        return decode(payload)
