"""What a line of plain text says by its signs: a heading, a list item, code, a row of a table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sector.reading.lines import END, ENDS_CLAUSE, Line
from sector.text.abbreviations import words

BULLET = re.compile(r"(?:[-*+•‣◦▪·○●–—■□◆❖➢✓\uf0b7\uf0a7\uf0d8\uf0fc]|o)[ \t\xa0]+(?=\S)")
NUMBER = re.compile(r"(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxlc]{1,6})[.)]|\[\d{1,3}\])[ \t]+(?![A-Z]\.[ \t])(?=\S)")
NUMBERED_PARAGRAPH = re.compile(r"\d{1,3}\.[ \t]")
ITEM_END = re.compile(r"(?:[.!?:;,]['\"’”»)\]]*|\b(?:and|or|und|oder))$")
TWO_SENTENCES = re.compile(r"[^\W\d_]{3}[.!?] +[^\W\d_]")
SHORT_LINE = 45
LONGEST_HEADING = 100
LONGEST_TITLE = 60
MOST_WORDS = 9
MORE_WORDS = 5
"""That a title with a number such as 4.1 may have."""
NO_HEADING = re.compile(
    r"(?:copyright\s*)?(?:©|\(c\)\s)|copyright\s+[\d\[(]|-{2,}(?:\s|BEGIN\b)|[-*+•‣]\s|\^?\[\d+\]"
    r"|(?:table|figure|fig\.|listing|example|tabelle|abbildung|abb\.|beispiel|tableau|tabla|tabela)\s+(?:\d[-.:\d]*|(?-i:[A-Z]|[IVX]+)[-.:\d]*)(?:\s|$)"
    r"|(?:note|tip|hint|warning|caution|important|hinweis|anmerkung|tipp|warnung|achtung|wichtig)[.:!]?$",
    re.IGNORECASE,
)
"""How lines begin that are no headings: rights, items, signatures, footnotes, captions, admonitions."""
NO_TITLE = re.compile(r"[=<>{}|\\]|\w+: [a-z]")
"""What stands in lines of code and in fields, but in no title."""
NO_CAPITALS = re.compile(r"[={}|\\]|\w_\w")
"""What stands in formulas and names of constants."""
ADDRESS = re.compile(r"\S@\S|://")
ASIDE = re.compile(r"\([^()]*\)")
"""In parentheses: says nothing about whether a line is a heading."""
LEAST_PROSE = 80
"""Characters of the paragraph below a line that is a heading by its looks alone."""
NAMED = re.compile(
    r"(?:chapter|section|article|part|appendix|annex|book|lecture|schedule|exhibit|clause"
    r"|kapitel|abschnitt|artikel|teil|anhang|anlage|capítulo|secção|artigo)\s+(?:\d[\d.]*|[IVXLC]+|[A-Z])\b|§+\s*\d",
    re.IGNORECASE,
)
NUMBERED = re.compile(
    r"(\d{1,3}(?:\.\d{1,3})*)[.)]?[ \t\xa0]+(?=[\"“„‘'(]?[^\W\d_])"
    r"|([IVXLC]+|[A-Z])[.)][ \t\xa0]+(?![A-Z]\.[ \t])(?=[^\W\d_])"
)
KNOWN = words(
    "abstract acknowledgements acknowledgments appendix bibliography conclusion conclusions contents foreword glossary "
    "introduction overview preface references summary anhang danksagung einführung einleitung fazit glossar "
    "inhaltsverzeichnis literaturverzeichnis vorwort zusammenfassung"
)
"""Lines that are headings wherever they stand alone."""
SIGNS = re.compile(r"[{}\[\]()<>=;|\\$_#@&*+~^`]")
CODE_END = re.compile(r"(?:[;{}]|\)\s*[:{]|\\)$")
CODE_BEGIN = re.compile(r"(?:\$|>>>|\.\.\.|#!|//|/\*|<\?|<!)[ \w/*-]")
CLAUSE = re.compile(r"(?:\S{1,6}[ \t]+)?(?:[^\W\d_][\w’'-]*,?[ \t]+){4,}[^{}()=<>]*;$")
"""A part of a sentence that ends as a line of code does."""
COMMAND = re.compile(r"(?:\$|>>>) \S")
ROOT_COMMAND = re.compile(r"[#$] \S")
FIELD = re.compile(r"[A-Z][\w-]*: \S")
CLAUSE_WORDS = 7
"""Words, the number among them, that a numbered line with a full stop has at most if it is a heading: "2.1 The lease
begins on 1 April and runs for five years." is a clause."""
INDENTED = 2
"""Columns before code that could be a heading or the lines of an address if it stood at the margin."""
CODE_SHARE = 0.12
GAP = re.compile(r"\S(?: {3,}|\t+ *| {2,}\| ?)\S")
BORDER = re.compile(r"[+|][-=+:|]{3,}[-=+:| ]*$")
MOST_ROWS_APART = 0.6


def marker_width(line: Line) -> int:
    """Return how long the mark of a list item is, 0 for none."""
    match = BULLET.match(line.text) or NUMBER.match(line.text)
    return match.end() if match else 0


def is_bullet(line: Line) -> bool:
    """Whether an item begins that has no number."""
    return BULLET.match(line.text) is not None


def is_minor(line: Line) -> bool:
    """Whether an item begins that is one of a list even if it is long: a bullet, (1), a)."""
    return is_bullet(line) or NUMBERED_PARAGRAPH.match(line.text) is None


def ends_item(line: Line) -> bool:
    """Whether a numbered item may begin below this line."""
    return ITEM_END.search(line.text) is not None or len(line.text) < SHORT_LINE


def heading_style(line: Line, below: Sequence[Line]) -> str:
    """Return what kind of heading a line alone is, by its looks and the paragraph below it; empty for none."""
    text = line.text
    if not _is_possible(text):
        return ""
    if NAMED.match(text) and not (text[-1] == "." and len(text) > LONGEST_TITLE):
        return "named"
    match = NUMBERED.match(text)
    depth = (match[1] or "").count(".") if match else 0
    if depth and text[-1] == "." and len(text.split()) > CLAUSE_WORDS:
        return ""
    longest = LONGEST_HEADING if depth else LONGEST_TITLE + (match.end() if match else 0)
    if match and len(text) <= longest and _is_title(text[match.end() :].rstrip(".?"), depth):
        return f"numbered {depth + 1}" if (below if depth else _is_prose(below, 1)) else ""
    if text.isupper() and NO_CAPITALS.search(text):
        return ""
    if text.isupper() and _letters(text) >= 4 and text[-1] not in ":":
        return "capitals"
    if text.lower() in KNOWN:
        return "title"
    if len(text) <= LONGEST_TITLE and _is_title(text) and stands_above(below) and not NO_TITLE.search(text):
        return "title"
    return ""


def may_be_heading(text: str) -> bool:
    """Whether nothing in a line forbids that it is a heading, which its place must tell."""
    if not _is_possible(text) or NO_TITLE.search(text) or sum(map(str.isalpha, text)) < 4:
        return False
    return not text[0].islower() and text[-1] not in ".:" and not _is_code_line(text)


def _is_possible(text: str) -> bool:
    if len(text) > LONGEST_HEADING or not _letters(text) or text[-1] in ",;—–" or GAP.search(text):
        return False
    return not NO_HEADING.match(text) and not ADDRESS.search(text)


def _letters(text: str) -> int:
    return sum(map(str.isalpha, ASIDE.sub("", text)))


def _is_title(text: str, depth: int = 0) -> bool:
    """Whether a line may be a title; one with a number such as 4.1 may begin with a small letter."""
    text = text.removesuffix(" etc.")
    first = next((sign for sign in text if sign.isalnum()), "")
    if not first or (first.islower() and not depth):
        return False
    if ENDS_CLAUSE.search(text) or TWO_SENTENCES.search(text):
        return False
    return len(text.split()) <= MOST_WORDS + (MORE_WORDS if depth else 0)


def stands_above(below: Sequence[Line]) -> bool:
    """Whether there is text enough below a line that is a heading by its looks or its place alone."""
    return _is_prose(below, LEAST_PROSE)


def _is_prose(lines: Sequence[Line], least: int) -> bool:
    return sum(len(line.text) for line in lines) >= least and not is_code(lines) and not is_table(lines)


def is_code(lines: Sequence[Line]) -> bool:
    """Whether most lines of a paragraph look like a program's."""
    if not lines:
        return False
    if COMMAND.match(lines[0].text) or (lines[0].indent >= INDENTED and _is_setting(lines)):
        return True
    likely = [_is_code_line(line.text[_bullet_width(line) :]) for line in lines]
    return sum(likely) > 0.6 * len(likely)


def _is_setting(lines: Sequence[Line]) -> bool:
    """Whether indented lines are commands of the system's owner, or names with their values."""
    fields = sum(FIELD.match(line.text) is not None for line in lines)
    return ROOT_COMMAND.match(lines[0].text) is not None or (
        fields > max(1, 0.6 * len(lines)) and bool(FIELD.match(lines[0].text))
    )


def _bullet_width(line: Line) -> int:
    match = BULLET.match(line.text)
    return match.end() if match else 0


def _is_code_line(text: str) -> bool:
    if CODE_BEGIN.match(text) or (CODE_END.search(text) and not CLAUSE.match(text)):
        return True
    return len(SIGNS.findall(text)) > CODE_SHARE * len(text) and not END.search(text)


def is_table(lines: Sequence[Line]) -> bool:
    """Whether the lines of a paragraph are rows: cells apart from one another, or bars between them."""
    if len(lines) < 2:
        return False
    rows = sum(bool(GAP.search(line.text) or BORDER.match(line.text) or line.text.count("|") > 1) for line in lines)
    return rows >= max(2, MOST_ROWS_APART * len(lines))


def is_hanging(lines: Sequence[Line]) -> bool:
    """Whether a term stands above an explanation that is indented."""
    rest = lines[1:]
    return bool(rest) and all(line.indent >= lines[0].indent + 2 for line in rest) and len(rest[0].text) > 1
