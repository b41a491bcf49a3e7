"""Plain text whose headings, code and boxes are told by their places and numbers alone."""

from __future__ import annotations

from sector.reading import plain, read_text
from sector.structure.blocks import Block

LONG = "The keeper of the lock writes down every boat that passes, with the hour and the name of whoever steers it."


def headings(text: str) -> list[tuple[int, str]]:
    return [(block.level, block.content) for block in plain.blocks(text) if block.kind == "heading"]


def kinds(text: str) -> list[tuple[str, str]]:
    return [(block.kind, shown(block)) for block in plain.blocks(text)]


def shown(block: Block) -> str:
    return " ".join((block.content if block.is_prose else block.text).split())


def indented(*paragraphs: str) -> str:
    return "\n\n".join(f"    {paragraph[:60]}\n    {paragraph[60:].lstrip()}" for paragraph in paragraphs)


def test_lines_to_the_left_of_an_indented_text_are_headings() -> None:
    parts = ("How to pass the lock", "  What does it cost?", "  When is it closed?", "Who keeps the books")
    text = "\n\n".join(f"{part}\n\n{indented(LONG, LONG)}" for part in parts)
    assert headings(text) == [(1, parts[0]), (2, parts[1].strip()), (2, parts[2].strip()), (1, parts[3])]


def test_headings_to_the_left_follow_one_another_without_text_between_them() -> None:
    text = f"Before you come\n\n  Is the gate open?\n\n{indented(*[LONG] * 8)}"
    assert headings(text) == [(1, "Before you come"), (2, "Is the gate open?")]


def test_speakers_to_the_left_are_no_headings() -> None:
    text = "\n\n".join(f"{name}\n\n{indented(LONG)}" for name in ("Orla", "Finch") * 6)
    assert headings(text) == []


def test_lines_in_the_middle_are_headings_but_not_those_of_a_title_page() -> None:
    wrapped = f"{LONG[:70]}\n{LONG[70:]} {LONG[:38]}\n{LONG[38:]}"
    middle = [line.center(70).rstrip() for line in ("The Lock and its Keeper", "Orla Finch", "On the dues of boats")]
    text = "\n\n".join([middle[0], middle[1], wrapped[:30], middle[2], wrapped])
    assert [title for _, title in headings(text)] == ["The Lock and its Keeper", "On the dues of boats"]


def test_numbers_of_a_list_are_no_headings_below_a_numbered_heading() -> None:
    text = (
        f"Chapter 2. Boats\n\n{LONG}\n\n2.1. Repairs\n\n{LONG}\n\n1. Empty the boat.\n\n    $ pump --all\n\n"
        f"2. Lift it out\n\n    $ lift\n\n3. Wait for it to dry\n\n{LONG}\n\nChapter 3. Ropes\n\n{LONG}\n"
    )
    assert headings(text) == [(1, "Chapter 2. Boats"), (2, "2.1. Repairs"), (1, "Chapter 3. Ropes")]


def test_numbered_headings_below_underlined_ones_with_a_number() -> None:
    part = f'{{0}}. {{1}}\n--------\n\n{{0}}.1. "{{1}}"\n    means {LONG}\n\n{{0}}.2. Other\n    means it.\n\n'
    text = part.format(1, "Boats") + part.format(2, "Ropes")
    assert headings(text) == [
        *[(1, "1. Boats"), (2, '1.1. "Boats"'), (2, "1.2. Other")],
        *[(1, "2. Ropes"), (2, '2.1. "Ropes"'), (2, "2.2. Other")],
    ]


def test_chapters_stand_beside_several_titles_without_a_number() -> None:
    text = f"Preface\n\n{LONG}\n\nAbstract\n\n{LONG}\n\nChapter 1. Boats\n\n{LONG}\n\n1.1. Ropes\n\n{LONG}\n"
    assert headings(text) == [(1, "Preface"), (1, "Abstract"), (1, "Chapter 1. Boats"), (2, "1.1. Ropes")]


def test_boxes_of_signs_are_no_lists() -> None:
    inner = ["", "6. Warranty of the boat", "", LONG[: LONG.index(" passes")], LONG[LONG.index("passes") :], ""]
    box = "\n".join(["*" * 70, *(f"*  {line:<65} *" for line in inner), "*" * 70])
    found = kinds(f"{LONG}\n\n{box}\n\n{LONG}\n")
    assert [kind for kind, _ in found] == ["paragraph", "heading", "paragraph", "paragraph"]
    assert found[2][1] == LONG


def test_commands_and_settings_are_code() -> None:
    command = "  # lift --boat\n  # dry --slowly"
    session = "$ lift\nThe boat is up\n$ dry\nThe boat is dry"
    settings = "    Boat: blue (>= 1)\n    Rope: twelve\n    Lock: closed"
    for code in (command, session, settings):
        assert kinds(f"{LONG}\n\n{code}\n\n{LONG}\n")[1][0] == "code"


def test_initials_are_no_list() -> None:
    assert kinds(f"R. A. Finch wrote:\n\n{LONG}\n\nA. B. Orla\n\n{LONG}\n")[0] == ("paragraph", "R. A. Finch wrote:")


def test_numbers_of_telephones_are_speakers() -> None:
    lines = [f"[01.02.24, 10:0{n}:00] {'Orla' if n % 2 else '+49 151 2345678'}: I am at gate {n}." for n in range(6)]
    assert kinds("\n".join(lines))[0] == ("turn", "I am at gate 0.")


def test_titles_between_equals_signs_are_headings_on_any_line() -> None:
    text = f"= Locks =\n{LONG}\n== Boats ==\n{LONG}\n= = = Fees and hours = = = \n{LONG}\na == b\n"
    assert headings(text) == [(1, "Locks"), (2, "Boats"), (3, "Fees and hours")]
    assert [kind for kind, _ in kinds(text)] == ["heading", "paragraph"] * 3 + ["paragraph"]


def test_titles_between_equals_signs_are_seen_in_a_text_of_long_lines() -> None:
    text = f"{LONG} {LONG} {LONG}\n== Boats ==\n{LONG} {LONG} {LONG}"
    assert [block.content for block in read_text(text).blocks if block.kind == "heading"] == ["Boats"]


def test_unequal_signs_enclose_nothing() -> None:
    assert headings(f"== Boats =\n\n{LONG}\n\nx = y = z\n\n{LONG}") == []


def test_remarks_in_parentheses_and_lines_that_break_off_are_no_headings() -> None:
    text = f"(223 KB PDF).\n\n{LONG}\n\n(A) (240 KB PDF)\n\n{LONG}\n\nAUDIENCE: No —\n\n{LONG}"
    assert headings(text) == []


def test_a_few_names_among_long_lines_are_no_transcript() -> None:
    prose = "\n".join([f"{LONG} {LONG}"] * 40)
    named = "\n".join(f"Fee {number % 2} : a penny." for number in range(6))
    assert "turn" not in {kind for kind, _ in kinds(f"{prose}\n{named}\n{prose}")}


def test_stars_of_several_depths_are_an_outline() -> None:
    part = f"* Changes in release {{0}}\n\n** Locks\n\n{LONG}\n\n** Boats\n{LONG}\n\n"
    found = [(1, "Changes in release 3"), (2, "Locks"), (2, "Boats")]
    assert headings(part.format(3) + part.format(2))[:3] == found


def test_stars_of_a_list_are_no_outline() -> None:
    assert headings("* boats\n** barges\n** punts\n* locks\n** gates\n** sluices\n") == []


def test_titles_between_stars() -> None:
    text = f"*** The lock ***\n\n{LONG}\n\n* Gate: an item\n* Beam: another\n\n*** The keeper ***\n\n{LONG}\n"
    assert headings(text) == [(1, "The lock"), (1, "The keeper")]


def test_items_that_begin_with_a_star_make_no_chat() -> None:
    items = "".join(f"* {name} the gate, which is of oak and heavy.\n\n" for name in ("Open", "Close") * 6)
    assert {kind for kind, _ in kinds(f"{LONG}\n\n{items}")} == {"paragraph", "list_item"}


def test_questions_with_a_number_are_headings() -> None:
    text = f"1. The lock\n\n{LONG}\n\n1.1. What is a lock?\n\n{LONG}\n\n2. Who keeps it?\n\n{LONG}\n"
    assert headings(text) == [(1, "1. The lock"), (2, "1.1. What is a lock?"), (1, "2. Who keeps it?")]


def test_captions_constants_and_footnotes_are_no_headings() -> None:
    lines = (
        "Table 1.1. Dues of boats",
        "Figure 3",
        "MOST_BOATS",
        "D = 2 * B",
        "[82] See the books",
        "-----BEGIN KEY-----",
    )
    assert headings("".join(f"{line}\n\n{LONG}\n\n" for line in lines)) == []


def test_bare_titles_stand_below_underlined_ones() -> None:
    text = f"Notes\n=====\n\nThe lock and its gates\n\n{LONG}\n\nRepairs\n-------\n\n{LONG}\n"
    assert [level for level, _ in headings(text)] == [1, 3, 2]


def test_a_title_after_numbered_chapters_and_another_style() -> None:
    titles = ("I. Boats", "The ropes", "The beams", "Chapter 2", "REPAIRS")
    assert [title for _, title in headings("".join(f"{title}\n\n{LONG}\n\n" for title in titles))] == list(titles)


def test_a_table_of_contents_whose_entries_have_other_names_than_the_chapters() -> None:
    text = f"Contents\n\n1. Boats\n2. Ropes\n3. Beams\n\nChapter 1. Boats\n\n{LONG}\n\nChapter 2. Ropes\n\n{LONG}\n"
    assert headings(text) == [(1, "Chapter 1. Boats"), (1, "Chapter 2. Ropes")]
