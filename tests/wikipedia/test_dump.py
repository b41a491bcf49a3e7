"""Dumps are cut into pieces of whole pages, whatever their shape and however they are broken."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Mapping
from pathlib import Path

import pytest

from dumps import FOOTER, HEADER, moss, multistream, page, plain
from sector.errors import ConfigError, DataError
from sector.wikipedia import dump
from sector.wikipedia.dump import DumpFile, Piece
from sector.wikipedia.page import BrokenPageError, cut_pages, is_article, read_page
from sector.wikipedia.site import Site
from sector.wikipedia.unpacking import unpack_streams


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dump, "PIECE", 2500)
    monkeypatch.setattr(dump, "PACKED_PIECE", 1000)
    monkeypatch.setattr(dump, "LONGEST", 20_000)


def pieces(file: DumpFile, finished: Mapping[int, int] | None = None) -> list[Piece]:
    return list(file.pieces(finished or {}))


def titles(found: list[Piece]) -> list[str]:
    datas = (unpack_streams(piece.data)[0] if piece.is_packed else piece.data for piece in found)
    return [read_page(raw).title for data in datas for raw in cut_pages(data)]


EXPECTED = [f"Moss {number}" for number in range(1, 21)] + [
    *("Mossy", "Talk:Moss 1", "Mosses (plants)", "Moss 0", "Short moss", "Fern")
]


def shapes(folder: Path) -> list[Path]:
    xml = plain(folder / "a.xml")
    whole = xml.read_bytes()
    (folder / "a.xml.bz2").write_bytes(bz2.compress(whole))
    (folder / "a.xml.gz").write_bytes(gzip.compress(whole))
    (folder / "a.xml.xz").write_bytes(lzma.compress(whole))
    # Streams that end anywhere, as parallel packers write them.
    (folder / "b.xml.bz2").write_bytes(
        b"".join(bz2.compress(whole[at : at + 3000]) for at in range(0, len(whole), 3000))
    )
    return [*sorted(folder.glob("*.xml*")), multistream(folder / "c.xml.bz2")]


def test_every_shape_gives_the_same_pages(tmp_path: Path) -> None:
    for path in shapes(tmp_path):
        file = DumpFile(path)
        found = pieces(file)
        assert titles(found) == EXPECTED, path
        assert len(found) > 3
        assert file.warnings == []
        assert file.is_multistream == (path.name == "c.xml.bz2")


def test_finished_pieces_are_jumped_over(tmp_path: Path) -> None:
    for path in shapes(tmp_path):
        every = pieces(DumpFile(path))
        finished = {every[0].begin: every[0].end, every[2].begin: every[2].end}
        rest = pieces(DumpFile(path), finished)
        assert [(each.begin, each.end, each.data) for each in rest] == [
            (each.begin, each.end, each.data) for each in (every[1], *every[3:])
        ]


def test_a_truncated_dump_gives_its_whole_pages(tmp_path: Path) -> None:
    whole = plain(tmp_path / "a.xml").read_bytes()
    cut = whole[: whole.index(b"Moss 9</title>") + 100]
    (tmp_path / "a.xml").write_bytes(cut)
    (tmp_path / "a.xml.gz").write_bytes(gzip.compress(cut))
    for name in ("a.xml", "a.xml.gz"):
        file = DumpFile(tmp_path / name)
        assert titles(pieces(file)) == EXPECTED[:8]
        assert "ends in the middle of a page" in file.warnings[0]


def test_a_truncated_file_gives_what_unpacks(tmp_path: Path) -> None:
    path = tmp_path / "a.xml.gz"
    packed = gzip.compress(plain(tmp_path / "a.xml").read_bytes(), compresslevel=0)
    path.write_bytes(packed[: len(packed) // 2])
    file = DumpFile(path)
    found = titles(pieces(file))
    assert found
    assert found == EXPECTED[: len(found)]
    assert "damaged or truncated" in file.warnings[0]


def test_a_damaged_stream_costs_only_its_own_pages(tmp_path: Path) -> None:
    path = multistream(tmp_path / "a.xml.bz2")
    data = bytearray(path.read_bytes())
    third = [at for at in range(len(data)) if data[at : at + 10] == b"BZh91AY&SY"][2]
    data[third + 100 : third + 110] = bytes(10)
    path.write_bytes(data)
    assert titles(pieces(DumpFile(path))) == EXPECTED[:3] + EXPECTED[6:]
    assert any(failures for failures in (unpack_streams(piece.data)[1] for piece in pieces(DumpFile(path))))


def test_a_page_without_end_costs_itself_alone(tmp_path: Path) -> None:
    broken = page("Lost", 50, "Half a page.").partition("</revision>")[0]
    path = plain(tmp_path / "a.xml", [moss(1), broken, moss(2)])
    assert titles(pieces(DumpFile(path))) == ["Moss 1", "Moss 2"]


def test_an_endless_page_is_left_out(tmp_path: Path) -> None:
    path = plain(tmp_path / "a.xml", [moss(1), page("Long", 50, "moss " * 20_000), moss(2)])
    file = DumpFile(path)
    assert titles(pieces(file)) == ["Moss 1", "Moss 2"]
    assert "more than 20,000 bytes" in file.warnings[0]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"<html>no dump</html>", "no dump of a wiki"),
        (bytes(range(256)), "no dump of a wiki"),
        (b"7z\xbc\xaf\x27\x1c..", "packed with 7z"),
        (b"BZh9 broken", "no dump of a wiki"),
    ],
)
def test_what_is_no_dump(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(DataError, match=message):
        DumpFile(tmp_path / "a")


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        DumpFile(tmp_path / "a")


def test_the_site(tmp_path: Path) -> None:
    site = DumpFile(plain(tmp_path / "a.xml")).site
    assert site.id_of("Moss (plant)", "en") == "https://en.wikipedia.org/wiki/Moss_(plant)"
    assert "bild" in site.namespaces.files
    assert "kategorie" in site.namespaces.categories
    site.check_language("en")
    with pytest.raises(ConfigError, match="--language en"):
        site.check_language("de")


def test_namespaces_of_old_dumps() -> None:
    site = Site(names={"talk": 1})
    assert not is_article(page("Talk:Moss", 1, "x", ns=None).encode(), site)
    assert is_article(page("Moss: a plant", 1, "x", ns=None).encode(), site)
    assert not is_article(page("Moss", 1, "x", ns=1).encode(), site)


def test_the_last_revision_counts() -> None:
    raw = page("Moss", 1, "new", revision=2).replace(
        "<revision>", "<revision><id>1</id><text>old</text></revision><revision>", 1
    )
    found = read_page(raw.strip().encode())
    assert (found.revision, found.source) == ("2", "new")


@pytest.mark.parametrize(
    "raw", [b"<page><title>A</page>", b"<page></page>", b"<page><title>A</title><id>x</id></page>"]
)
def test_broken_pages(raw: bytes) -> None:
    with pytest.raises(BrokenPageError):
        read_page(raw)


def test_header_and_footer_alone_have_no_pages(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(HEADER + FOOTER)
    assert pieces(DumpFile(tmp_path / "a.xml")) == []
