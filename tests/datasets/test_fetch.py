"""Public data sets by name, from a server on this machine."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

import pytest
from dataset_edges import pack
from local_server import Behaviour, serving

from sector.datasets import load
from sector.datasets.fetch import fetch
from sector.datasets.registry import PUBLIC_DATA
from sector.errors import ConfigError, DataError, DownloadError

REF = "Moss.\n==========\nRain.\n"
REPOSITORY = {
    "repo-410c2af/README.md": "about",
    "repo-410c2af/data/choi/1/3-11/0.ref": REF,
    "repo-410c2af/data/choi/1/3-11/1.ref": REF,
    "repo-410c2af/data/choir/song.ref": REF,
}


def archive(tmp_path: Path, members: dict[str, str]) -> bytes:
    path = pack(tmp_path / "made.tar.gz", members)
    content = path.read_bytes()
    path.unlink()
    return content


def test_a_repository_gives_the_folder_of_its_data_only(tmp_path: Path) -> None:
    content = archive(tmp_path, REPOSITORY)
    with serving(Behaviour(content)) as url:
        folder = fetch("choi", tmp_path / "data", base_url=f"{url}/")
    assert folder == tmp_path / "data" / "choi"
    assert [document.id for document in load(folder)] == ["1/3-11/0", "1/3-11/1"]
    record = (tmp_path / "data" / f"{PUBLIC_DATA['choi'].file}.sha256").read_text()
    assert record.split() == [hashlib.sha256(content).hexdigest(), PUBLIC_DATA["choi"].file]


def test_what_is_there_is_checked_and_not_fetched_again(tmp_path: Path) -> None:
    behaviour = Behaviour(archive(tmp_path, REPOSITORY))
    with serving(behaviour) as url:
        for _ in range(2):
            fetch("choi", tmp_path, base_url=url)
        assert len(behaviour.seen) == 1
        (tmp_path / PUBLIC_DATA["choi"].file).write_bytes(b"changed")
        with pytest.raises(DownloadError, match="is expected; remove it and fetch it again"):
            fetch("choi", tmp_path, base_url=url)


def test_a_known_checksum_is_enforced_unless_another_is_given(tmp_path: Path) -> None:
    content = archive(tmp_path, {"wikisection_en_city_test.json": '[{"text": "Moss.", "annotations": []}]'})
    with serving(Behaviour(content)) as url:
        with pytest.raises(DownloadError, match=f"{PUBLIC_DATA['wikisection'].sha256} is expected"):
            fetch("wikisection", tmp_path, base_url=url)
        assert list(tmp_path.iterdir()) == []
        folder = fetch("wikisection", tmp_path, base_url=url, sha256=hashlib.sha256(content).hexdigest())
    assert len(load(folder / "wikisection_en_city_test.json")) == 1


def test_archives_cannot_write_outside_their_folder(tmp_path: Path) -> None:
    content = archive(tmp_path, {"wiki_727/../../../outside": "evil"})
    with serving(Behaviour(content)) as url, pytest.raises(DataError, match="outside"):
        fetch("wiki727", tmp_path / "a" / "data", base_url=url)
    assert not list(tmp_path.rglob("outside"))
    assert not (tmp_path / "a" / "data" / "wiki727").exists()


def test_damaged_and_changed_archives_leave_no_folder(tmp_path: Path) -> None:
    whole = archive(tmp_path, REPOSITORY)
    with serving(Behaviour(whole[:-30])) as url, pytest.raises(DataError, match="truncated or damaged"):
        fetch("choi", tmp_path / "cut", base_url=url)
    with (
        serving(Behaviour(whole)) as url,
        pytest.raises(DownloadError, match="does not hold data/books/clinical"),
    ):
        fetch("clinical", tmp_path / "other", base_url=url)
    folders = [path.name for path in tmp_path.rglob("*") if path.is_dir()]
    assert sorted(folders) == ["cut", "other"]


def test_archives_that_are_bombs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sector.datasets.fetch.MOST", 10)
    content = archive(tmp_path, REPOSITORY)
    with serving(Behaviour(content)) as url, pytest.raises(DownloadError, match="bomb"):
        fetch("choi", tmp_path / "data", base_url=url)
    assert not (tmp_path / "data" / "choi").exists()


@pytest.mark.parametrize("record", [b"", b"\xff\xfe", b" \n"])
def test_a_record_of_a_checksum_that_is_none(tmp_path: Path, record: bytes) -> None:
    content = archive(tmp_path, REPOSITORY)
    with serving(Behaviour(content)) as url:
        folder = fetch("choi", tmp_path / "data", base_url=url)
        (record_file,) = (tmp_path / "data").glob("*.sha256")
        record_file.write_bytes(record)
        with suppress(DownloadError):
            assert fetch("choi", tmp_path / "data", base_url=url) == folder


@pytest.mark.parametrize("base", ["http://[", "http://..", "http://a.invalid/\udcff", "http://" + "a" * 300])
def test_addresses_that_cannot_be_asked(tmp_path: Path, base: str) -> None:
    with pytest.raises(DownloadError, match="could not be fetched"):
        fetch("choi", tmp_path, base_url=base)


def test_unknown_names(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="choose one of wikisection, wiki727, choi, clinical"):
        fetch("moss", tmp_path)
