"""E-mail: the text of messages, without the parts that machines add; mailboxes with several of them."""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from itertools import pairwise

from sector.errors import DataError
from sector.reading import html, plain
from sector.reading.base import Content, Extract
from sector.reading.decoding import decode

HEADERS = ("From", "To", "Cc", "Date")
FIRST = re.compile(
    rb"(?:From \S+[^\n]*\n)?(?:(?:Return-Path|Received|From|To|Subject|Date|Message-ID|MIME-Version|Delivered-To"
    rb"|X-[\w-]+|Content-Type|Reply-To|Sender|DKIM-Signature):[^\n]*\r?\n(?:[ \t][^\n]*\r?\n)*){2}",
    re.IGNORECASE,
)
SEPARATOR = re.compile(rb"^From \S+.*\d{4}\s*$", re.MULTILINE)
MOST_PARTS = 1000


@dataclass(frozen=True, slots=True)
class MailFormat:
    """Messages as mail programs save them."""

    name: str = "eml"
    suffixes: tuple[str, ...] = (".eml", ".mbox", ".mbx")

    def recognises(self, head: bytes) -> bool:
        """Whether it begins with the headers of a message."""
        return FIRST.match(head.removeprefix(b"\xef\xbb\xbf").lstrip()) is not None

    def read(self, content: bytes, encoding: str | None = None) -> Content:
        """Return text and blocks: for each message its subject as a heading, then what it says."""
        extract = Extract()
        subjects = [_add(extract, message, encoding) for message in _messages(content)]
        return extract.content(subjects[0] if len(subjects) == 1 else "")


def _messages(content: bytes) -> Iterator[EmailMessage]:
    content = content.removeprefix(b"\xef\xbb\xbf").lstrip()
    begins = [match.start() for match in SEPARATOR.finditer(content)]
    edges = [0, *(begin for begin in begins if begin), len(content)]
    for begin, end in pairwise(edges):
        piece = content[begin:end]
        if piece.startswith(b"From "):
            piece = piece.partition(b"\n")[2]
        message = email.message_from_bytes(piece, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        yield message


def _add(extract: Extract, message: EmailMessage, encoding: str | None) -> str:
    subject = _header(message, "Subject")
    extract.add(subject, "heading", 1)
    lines = [f"{name}: {value}" for name in HEADERS if (value := _header(message, name))]
    extract.add("\n".join(lines), "boilerplate")
    for kind, body in _bodies(message, encoding):
        found = html.blocks(body) if kind == "html" else plain.blocks(body, is_letter=True)
        for block in found:
            shown = block.content if block.is_prose else html.shown(block.text) if kind == "html" else block.text
            level = block.level + 1 if block.kind == "heading" else block.level
            extract.add(shown, block.kind, level)
    return subject


def _header(message: EmailMessage, name: str) -> str:
    try:
        return " ".join(str(message.get(name, "")).split())
    except (ValueError, TypeError, AttributeError, IndexError, LookupError):  # headers that no standard allows
        return ""


def _bodies(message: EmailMessage, encoding: str | None) -> Iterator[tuple[str, str]]:
    """Return the texts of a message: of alternatives the plain one, attached messages too."""
    for number, part in enumerate(_parts(message)):
        if number > MOST_PARTS:
            raise DataError(f"This message has more than {MOST_PARTS:,} parts; it is not read.")
        payload = part.get_payload(decode=True)
        if isinstance(payload, bytes) and payload.strip():
            charset = part.get_content_charset() or encoding or "utf-8"
            kind = "html" if part.get_content_subtype() == "html" else "plain"
            yield kind, _decoded(payload, charset)


def _parts(message: EmailMessage) -> Iterator[EmailMessage]:
    if message.get_content_type() == "multipart/alternative":
        texts = [part for part in message.walk() if part.get_content_maintype() == "text"]
        chosen = [part for part in texts if part.get_content_subtype() == "plain"] or texts
        yield from (part for part in chosen if isinstance(part, EmailMessage))
    elif message.is_multipart():
        for part in message.get_payload():
            if isinstance(part, EmailMessage):
                yield from _parts(part)
    elif message.get_content_maintype() == "text" and message.get_content_disposition() != "attachment":
        yield message


def _decoded(payload: bytes, charset: str) -> str:
    try:
        return payload.decode(charset)
    except (LookupError, UnicodeDecodeError):
        return decode(payload)
