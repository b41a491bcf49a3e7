"""Text that belongs to no domain: numbers, random letters, other scripts and source code."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import sector

TEXTS = 60
"""Of each kind."""
WORDS = 80
FORMS = ("%d", "%.2f", "%.4f", "-%d", "%d%%", "%.1e")
SCRIPTS = ((0x4E00, 0x5FFF), (0x430, 0x44F), (0x3B1, 0x3C9), (0x627, 0x64A), (0xAC00, 0xD7A3))
"""Chinese, Cyrillic, Greek, Arabic, Korean."""
CODE = 5000
"""Characters of a file of source code."""


def noise(alphabet: str, seed: int = 0) -> dict[str, list[str]]:
    """Return texts by their kind, the same for one seed; ``alphabet`` has the letters of known documents."""
    chance = random.Random(seed)
    kinds: Mapping[str, Callable[[], str]] = {
        "numbers": lambda: _joined(chance, lambda: _number(chance)),
        "random letters": lambda: _joined(chance, lambda: _word(chance, alphabet or "abc")),
        "other scripts": lambda: _script(chance, chance.choice(SCRIPTS), alphabet),
    }
    return {name: [make() for _ in range(TEXTS)] for name, make in kinds.items()} | {"source code": _code()}


def _joined(chance: random.Random, word: Callable[[], str]) -> str:
    return "".join(word() + chance.choices((" ", ". ", "\n"), (8, 1, 1))[0] for _ in range(WORDS))


def _number(chance: random.Random) -> str:
    return str(chance.choice(FORMS) % (chance.random() * 10 ** chance.randint(0, 5)))


def _word(chance: random.Random, letters: str) -> str:
    return "".join(chance.choices(letters, k=chance.randint(1, 10)))


def _script(chance: random.Random, script: Sequence[int], alphabet: str) -> str:
    """Return letters of a script, without spaces where it has thousands of them, unless they are the alphabet's."""
    first, last = script
    letters = [sign for sign in map(chr, range(first, last + 1)) if sign not in alphabet] or ["†"]
    if last - first > 1000:
        return "".join(chance.choice(letters) if chance.random() > 0.06 else "。" for _ in range(4 * WORDS))
    return _joined(chance, lambda: _word(chance, "".join(letters)))


def _code() -> list[str]:
    """Return files of this package."""
    files = sorted(Path(sector.__file__).parent.glob("*/*.py"))[:TEXTS]
    return [file.read_text(encoding="utf-8")[:CODE] for file in files]
