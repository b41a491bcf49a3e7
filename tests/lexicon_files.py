"""Small lexicons of our own in the formats of WordNet and MyThes, and headings to label with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Sense:
    """One synset to write; ``above`` is the first lemma of the sense that is broader."""

    lemmas: str
    gloss: str = "a thing"
    above: str = ""
    origin: int = 0
    """Offset of a verb that it is derived from."""
    is_name: bool = False


GARDEN = (
    Sense("care", "looking after something"),
    Sense("watering irrigation", "giving water to plants", "care"),
    Sense("sprinkling", "watering with a can", "watering"),
    Sense("plant flora", "a living thing in the soil"),
    Sense("rose", "a plant with thorns", "plant"),
    Sense("tool implement", "something to work with"),
    Sense("rake", "a tool with teeth", "tool"),
    Sense("garden_tool", "what gardeners use", "tool"),
    Sense("soil earth", "what plants stand in"),
    Sense("ground", "the surface", "soil"),
    Sense("Kew", "a garden in London", "garden", is_name=True),
    Sense("garden", "a plot of land"),
    Sense("species", "a kind of living thing"),
    Sense("specie", "coins"),
    Sense("digging", "turning the soil", origin=42),
    Sense("digger", "one who digs", origin=42),
    Sense("child", "a young person"),
    Sense("growth", "getting larger"),
)
ARTICLES = [
    *(["Watering", "Watering | Roses", "Tools and implements", "Soil"] for _ in range(6)),
    *(["Irrigation", "Tools", "Ground"] for _ in range(6)),
    *(["Plants", "Watering", "Soil | Flora"] for _ in range(4)),
    ["Sprinkling", "Rakes", "Notes"],
]
"""The headings of each article of an encyclopaedia about gardens."""


def write_wordnet(folder: Path, senses: Sequence[Sense] = GARDEN) -> Path:
    """Write index.noun, data.noun and noun.exc."""
    folder.mkdir(parents=True, exist_ok=True)
    header = "  1 A small lexicon for tests.\n"
    places: dict[str, int] = {}
    for _ in range(2):  # the second time every place is known
        lines, place = [header], len(header)
        for sense in senses:
            places[_first(sense)] = place
            lines.append(_data_line(sense, place, places))
            place += len(lines[-1].encode())
    (folder / "data.noun").write_text("".join(lines), encoding="utf-8")
    lemmas: dict[str, list[int]] = {}
    for sense in senses:
        for lemma in sense.lemmas.lower().split():
            lemmas.setdefault(lemma, []).append(places[_first(sense)])
    rows = [_index_line(lemma, offsets) for lemma, offsets in sorted(lemmas.items())]
    (folder / "index.noun").write_text(header + "".join(rows), encoding="utf-8")
    (folder / "noun.exc").write_text("children child\n", encoding="utf-8")
    return folder


def write_thesaurus(folder: Path, entries: Mapping[str, Sequence[str]], language: str = "de") -> Path:
    """Write th_<language>_XX.dat and .idx; an entry lists its meanings like ``-|Rose|Blume (Oberbegriff)``."""
    folder.mkdir(parents=True, exist_ok=True)
    data, index = "UTF-8\n", []
    for word, meanings in sorted(entries.items()):
        index.append(f"{word}|{len(data.encode())}\n")
        data += "".join(f"{line}\n" for line in (f"{word}|{len(meanings)}", *meanings))
    path = folder / f"th_{language}_XX.dat"
    path.write_text(data, encoding="utf-8")
    path.with_suffix(".idx").write_text(f"UTF-8\n{len(entries)}\n{''.join(index)}", encoding="utf-8")
    return path


def _first(sense: Sense) -> str:
    return sense.lemmas.split()[0]


def _data_line(sense: Sense, place: int, places: dict[str, int]) -> str:
    lemmas = sense.lemmas.split()
    pointers = []
    if sense.above:
        pointers.append(f"{'@i' if sense.is_name else '@'} {places.get(sense.above, 0):08d} n 0000")
    if sense.origin:
        pointers.append(f"+ {sense.origin:08d} v 0101")
    words = " ".join(f"{lemma} 0" for lemma in lemmas)
    fields = [f"{place:08d} 03 n {len(lemmas):02x} {words} {len(pointers):03d}", *pointers]
    return f"{' '.join(fields)} | {sense.gloss}  \n"


def _index_line(lemma: str, offsets: list[int]) -> str:
    count = len(offsets)
    return f"{lemma} n {count} 1 @ {count} 0 {' '.join(f'{offset:08d}' for offset in offsets)}  \n"
