"""What a file is by its content: signatures of binary formats, and the looks of markup languages."""

from __future__ import annotations

import re

HEAD = 1 << 16
MANY = 8
"""Roles and literals in a text that is reStructuredText whatever its file is called."""
ZIP = b"PK\x03\x04"
SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"\xd0\xcf\x11\xe0", "an old Word, Excel or PowerPoint file; save it as DOCX"),
    (b"{\\rtf", "Rich Text; save it as DOCX"),
    (b"%!PS", "PostScript; make a PDF of it"),
    (b"\x89PNG", "a picture; it has no text without OCR"),
    (b"\xff\xd8\xff", "a picture; it has no text without OCR"),
    (b"GIF8", "a picture; it has no text without OCR"),
    (b"II*\x00", "a picture; it has no text without OCR"),
    (b"MM\x00*", "a picture; it has no text without OCR"),
    (b"\x7fELF", "a program"),
    (b"7z\xbc\xaf", "a 7-Zip archive; unpack it first"),
    (b"Rar!", "a RAR archive; unpack it first"),
    (b"SQLite format 3", "a database"),
)
"""How known files begin that are not read, and what they are."""
HTML = re.compile(
    r"\s*(?:<!--.{0,2000}?-->\s*|<\?xml[^>]{0,200}>\s*)*<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
TAGS = re.compile(r"</(?:p|div|h[1-6]|li|ul|td|tr|table|span|section|article)>", re.IGNORECASE)
WEBVTT = re.compile(r"\ufeff?WEBVTT(?:[ \t\n\r]|$)")
SUBRIP = re.compile(r"\s*\d+\s*[\n\r]+\d{1,2}:\d{2}:\d{2}[.,]\d{1,3}\s*-->")
MANUAL = re.compile(r"(?:^[.'](?:\\\"|\\}|TH\b|Dd\b|de\b|ie\b|if\b|el\b|ad\b|nh\b|so\b)|^'\\\" )[^\n]*", re.MULTILINE)
MANUAL_HEAD = re.compile(r"^\.(?:SH|Sh)\b", re.MULTILINE)
ATX = re.compile(r"(?:\A|\n[ \t]*\n|\n#{1,6}[^\n]*\n)#{1,6}[ \t]+[^\s#][^\n]*(?=\n|\Z)")
FENCE = re.compile(r"^[ ]{0,3}(?:`{3,}[^`\n]*|~{3,4}[ \t]*[\w+-]*)$", re.MULTILINE)
LINK = re.compile(
    r"\[[^\[\]\n]{1,200}\]\((?:https?:|#|\.{0,2}/|[\w./-]+\.(?:md|png|svg|html))|\*\*[^*\n]{1,200}\*\*|^\s{0,3}\|?:?-{3,}:?\|",
    re.MULTILINE,
)
LINKED = re.compile(r"\]\(https?:|^[ ]{0,3}```", re.MULTILINE)
DIRECTIVE = re.compile(r"^[ \t]*\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?[\w:-]+::", re.MULTILINE)
ROLE = re.compile(r":[\w:]{2,20}:`[^`\n]+`|``[^`\n]+``|`[^`<\n]+<[^>\n]+>`__?|::[ \t]*\n[ \t]*\n[ \t]+\S")
TITLE = re.compile(
    r"(?:\A|\n[ \t]*\n|\n([=\-~^\"'*+#])\1{2,}\n)[^\s\n][^\n]{1,100}\n"
    r"(?:={3,}|-{3,}|~{3,}|\^{3,}|\"{3,}|\*{3,})[ \t]*(?=\n|\Z)"
)


def zip_has(content: bytes, name: bytes) -> bool:
    """Whether it is a ZIP archive in whose first or last parts this name, or stored text, stands."""
    return content.startswith(ZIP) and (name in content[:HEAD] or name in content[-HEAD:])


def known_binary(content: bytes) -> str:
    """Return what a file is that is not read; empty for one that may be text."""
    for signature, what in SIGNATURES:
        if content.startswith(signature):
            return what
    if content.startswith(ZIP):
        return "a ZIP archive of no known document; unpack it first"
    return ""


def markup(text: str) -> str:
    """Return the name of the text format that a text is surely written in; ``txt`` where none is."""
    head = text[:HEAD]
    if "<" in head and (HTML.match(head) or len(TAGS.findall(head)) >= max(3, len(head) // 500)):
        return "html"
    if WEBVTT.match(head) or SUBRIP.match(head):
        return "srt"
    if MANUAL.match(head) and MANUAL_HEAD.search(head):
        return "man"
    if DIRECTIVE.search(head) or _is_rst(head):
        return "rst"
    return "md" if _is_markdown(head) else "txt"


def named_text(text: str) -> str:
    """Return the format of a text in a file named as plain text, where it is beyond doubt: HTML, rst or Markdown."""
    found, head = markup(text), text[:HEAD]
    if found == "rst":
        sure = DIRECTIVE.search(head) or (len(ROLE.findall(head)) >= MANY and len(TITLE.findall(head)) > 1)
        return "rst" if sure else "txt"
    if found == "md":
        return "md" if len(ATX.findall(head)) > 1 and LINKED.search(head) else "txt"
    return "html" if found == "html" else "txt"


def _is_rst(head: str) -> bool:
    titles = sum(1 for _ in TITLE.finditer(head))
    return titles >= 1 and len(ROLE.findall(head)) >= 2 and not FENCE.search(head) and not ATX.search(head)


def _is_markdown(head: str) -> bool:
    if head.startswith("#!"):
        return False
    headings, fences = len(ATX.findall(head)), len(FENCE.findall(head))
    return (
        headings >= 2
        or fences >= 2
        or (headings >= 1 and LINK.search(head) is not None)
        or len(LINK.findall(head)) >= 5
    )
