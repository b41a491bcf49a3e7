"""Opening what users name: regular files to a bound; pipes and devices are named, not waited for."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path

import pytest

from sector.errors import ConfigError, DataError
from sector.files import bounded_lines, is_readable, open_file, read_file, read_options, read_stream


def test_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"text")
    assert read_file(tmp_path / "a", most=4) == b"text"


def test_a_file_that_is_too_long_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"texts")
    with pytest.raises(DataError, match="more than 4 bytes"):
        read_file(tmp_path / "a", most=4)


def test_an_endless_stream_is_refused() -> None:
    with pytest.raises(DataError, match="stdin: There are more than 10 bytes"):
        read_stream(BytesIO(bytes(100)), "stdin", most=10)


def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert not is_readable(tmp_path / "pipe")
    with pytest.raises(DataError, match="a named pipe, not a file"):
        open_file(tmp_path / "pipe")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no /dev/zero")
def test_a_device_is_refused() -> None:
    with pytest.raises(DataError, match="a device, not a file"):
        read_file(Path("/dev/zero"))


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there is no /dev/fd")
def test_what_a_shell_hands_over_is_read() -> None:
    begin, end = os.pipe()
    os.write(end, b"text")
    os.close(end)
    assert read_file(Path(f"/dev/fd/{begin}")) == b"text"
    os.close(begin)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_file(tmp_path / "none")


def test_lines_are_read_to_a_bound() -> None:
    assert list(bounded_lines(BytesIO(b"one\n12345678901234\ntwo"), most=4)) == [b"one\n", b"12345", b"two"]
    assert list(bounded_lines(BytesIO(b"12345\n1234\n" + bytes(3_000_000)), most=4)) == [b"12345", b"1234\n", bytes(5)]


def test_files_that_options_name(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes("\ufeffGrün".encode())
    assert read_options(tmp_path / "a") == "Grün"
    (tmp_path / "a").write_bytes(b"\xff")
    os.mkfifo(tmp_path / "pipe")
    for name in ("a", "pipe", "none"):
        with pytest.raises(ConfigError, match=f"{name} cannot be read"):
            read_options(tmp_path / name)
