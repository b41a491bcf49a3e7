"""Downloads from a server on this machine that cuts, refuses and lies."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from local_server import Behaviour, serving

from sector.datasets.download import download
from sector.errors import DownloadError

CONTENT = bytes(range(256)) * 1000
SHA256 = hashlib.sha256(CONTENT).hexdigest()


def get(url: str, target: Path, sha256: str = SHA256, tries: int = 3) -> str:
    return download(f"{url}/file", target, sha256, tries=tries, wait=0)


def test_a_whole_file(tmp_path: Path) -> None:
    seen: list[tuple[int, int | None]] = []
    with serving(Behaviour(CONTENT)) as url:
        found = download(f"{url}/file", tmp_path / "a", progress=lambda done, total: seen.append((done, total)))
    assert found == SHA256
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_cut_connection_is_resumed(tmp_path: Path) -> None:
    behaviour = Behaviour(CONTENT, cuts=[100_000, 50_000])
    with serving(behaviour) as url:
        get(url, tmp_path / "a")
    assert behaviour.seen == ["", "bytes=100000-", "bytes=150000-"]
    assert (tmp_path / "a").read_bytes() == CONTENT


def test_the_next_call_resumes_what_the_last_one_left(tmp_path: Path) -> None:
    behaviour = Behaviour(CONTENT, cuts=[1000])
    with serving(behaviour) as url:
        with pytest.raises(DownloadError, match="ended after 1,000 of 256,000 bytes"):
            get(url, tmp_path / "a", tries=1)
        assert (tmp_path / "a.part").stat().st_size == 1000
        get(url, tmp_path / "a", tries=1)
    assert behaviour.seen == ["", "bytes=1000-"]
    assert (tmp_path / "a").read_bytes() == CONTENT


def test_a_server_without_ranges_starts_again(tmp_path: Path) -> None:
    with serving(Behaviour(CONTENT, cuts=[1000], ranges=False)) as url:
        get(url, tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == CONTENT


def test_a_complete_part_needs_no_more_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.part").write_bytes(CONTENT)
    with serving(Behaviour(CONTENT)) as url:
        get(url, tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == CONTENT


def test_a_part_that_is_too_long_is_thrown_away(tmp_path: Path) -> None:
    (tmp_path / "a.part").write_bytes(CONTENT + b"more")
    with serving(Behaviour(CONTENT)) as url:
        get(url, tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == CONTENT


def test_a_wrong_checksum_removes_the_file(tmp_path: Path) -> None:
    with serving(Behaviour(CONTENT)) as url, pytest.raises(DownloadError, match=f"{SHA256}, but {'0' * 64}"):
        get(url, tmp_path / "a", "0" * 64)
    assert list(tmp_path.iterdir()) == []


def test_not_found_is_not_tried_again(tmp_path: Path) -> None:
    behaviour = Behaviour(CONTENT, statuses=[404, 404])
    with serving(behaviour) as url, pytest.raises(DownloadError, match="answered 404 Not Found"):
        get(url, tmp_path / "a")
    assert len(behaviour.seen) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_failing_server_is_tried_again(tmp_path: Path) -> None:
    with serving(Behaviour(CONTENT, statuses=[500, 503])) as url:
        get(url, tmp_path / "a")
    with (
        serving(Behaviour(CONTENT, statuses=[500] * 3)) as url,
        pytest.raises(DownloadError, match=r"in 3 tries .*500"),
    ):
        get(url, tmp_path / "b")


def test_no_network_says_what_to_do(tmp_path: Path) -> None:
    with serving(Behaviour(CONTENT)) as url:
        pass
    with pytest.raises(DownloadError, match=r"refused.*Check the network .* download the file yourself"):
        get(url, tmp_path / "a")


def test_an_address_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match="is not an address"):
        download("moss", tmp_path / "a")
