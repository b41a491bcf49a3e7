"""`sector segment` on documents of all kinds: formats, folders, headings, languages."""

from __future__ import annotations

import gzip
import json

import pytest
from command import Call, Write, call, segment

from tiny import HELD_OUT

__all__ = ["call", "segment"]
GUIDE = f"# Guide\n\n{HELD_OUT}\n\n## Install\n\nRun it.\n\n```\n# no heading\n```\n"
PAGE = "<html><body><nav>Home</nav><h1>Kilns</h1><p>A kiln is hot.</p></body></html>"
GERMAN = "Der Ofen ist heiß, und niemand sollte ihn öffnen, bevor der Morgen gekommen ist. Das steht auf dem Schild.\n"
FRENCH = "Le four est chaud et personne ne doit l'ouvrir avant que le matin ne soit venu. C'est dans la notice.\n"


def test_formats_by_name_and_by_content(segment: Call, file: Write) -> None:
    packed = file("guide.md.gz", gzip.compress(GUIDE.encode()))
    page = file("page", PAGE)
    found = json.loads(segment(packed, page, "-f", "json").out)
    assert [section["heading"] for section in found[0]["sections"]][-1] == "Guide | Install"
    assert found[1]["sections"][-1]["heading"] == "Kilns"
    piped = json.loads(segment("-", "-f", "json", stdin=GUIDE.encode()).out)
    assert piped["sections"] == found[0]["sections"]


def test_headings(segment: Call, file: Write) -> None:
    path = file("guide.md", GUIDE)
    shown = {
        way: json.loads(segment(path, "-f", "json", "--headings", way, "--segmentation", "newline").out)["sections"]
        for way in ("only", "ignore")
    }
    assert [(section["begin"], section["level"]) for section in shown["only"]] == [(0, 1), (GUIDE.index("## "), 2)]
    assert not any("heading" in section for section in shown["ignore"])
    answer = segment(path, "--headings", "perhaps")
    assert (answer.code, "choose one of: use, only, ignore" in answer.err) == (1, True)


def test_a_folder_says_what_it_skips(segment: Call, file: Write) -> None:
    kept = ("a/README", "a/guide.md", "a/page.html.gz", "a/sub/kept.txt")
    for name in kept:
        file(name, gzip.compress(PAGE.encode()) if name.endswith("gz") else GUIDE)
    for name in ("a/photo.jpg", "a/data.csv", "a/sub/draft.txt", "a/node_modules/x.md", "a/.git/y.md", "a/old/z.md"):
        file(name, GUIDE)
    file("a/.gitignore", "# drafts\ndraft.*\n/old/\n*.md\n!guide.md\n")
    folder = file("a/sub/.gitignore", "").parents[1]
    answer = segment(folder, "-f", "jsonl")
    assert [json.loads(line)["id"] for line in answer.out.splitlines()] == [str(folder.parent / name) for name in kept]
    for reason in (".jpg (1)", ".csv (1)", "in node_modules/ (1)", "in old/ (1)", "ignored by .gitignore (1)"):
        assert reason in answer.err
    assert answer.code == 0


def test_bad_files_are_listed_after_the_good(segment: Call, file: Write) -> None:
    bad = [file("x.pdf", b"%PDF-1.4 nothing"), file("y.docx", b"PK\x03\x04 nothing"), file("z.gz", b"\x1f\x8b nothing")]
    good = file("good.md", GUIDE)
    answer = segment(*bad, good, "-f", "jsonl")
    assert [json.loads(line)["id"] for line in answer.out.splitlines()] == [str(good)]
    assert answer.code == 1
    assert answer.err.count("error:") == 3
    assert all(answer.err.count(str(path)) == 1 for path in bad)


def test_languages_choose_the_model(call: Call, file: Write) -> None:
    paths = [file("de.txt", GERMAN * 3), file("en.txt", HELD_OUT), file("fr.txt", FRENCH * 3)]
    answer = call("segment", *paths, "-f", "json")
    german, english, french = json.loads(answer.out)
    assert german["model"] == "de_wiki"
    assert english["model"] == french["model"] != "de_wiki"
    assert answer.err.count("warning:") == 1
    assert "No model was trained on documents in 'fr' (1); the labels of" in answer.err


@pytest.mark.parametrize("name", ["text", "markdown", "html"])
def test_headings_are_shown(segment: Call, file: Write, name: str) -> None:
    shown = segment(file("guide.md", GUIDE), "-f", name).out
    assert "Guide | Install" in shown.replace("\\|", "|")


def test_rules_with_many_stars_take_no_time(segment: Call, file: Write) -> None:
    file(".gitignore", "*a" * 60 + "b\n" + "**/a*" * 60 + "\n[*]x*y*.txt\n")
    for name in ("a" * 200 + ".txt", "*x-y-y.txt"):
        folder = file(name, "One.").parent
    answer = segment(folder, "-f", "jsonl")
    assert [json.loads(line)["id"] for line in answer.out.splitlines()] == [str(folder / ("a" * 200 + ".txt"))]
