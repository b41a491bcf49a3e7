"""Fingerprints: equal for equal contents, short, and defined for whatever a setting may be."""

from __future__ import annotations

import hashlib
from pathlib import Path

from sector.digests import LENGTH, file_digest, files_fingerprint, fingerprint


def test_order_of_keys_does_not_count_but_values_do() -> None:
    assert fingerprint({"a": 1, "b": Path("x")}) == fingerprint({"b": Path("x"), "a": 1})
    assert len({fingerprint(value) for value in ({"a": 1}, {"a": 2}, ["a", 1], "a", None, "\ud800")}) == 6
    assert len(fingerprint("a")) == LENGTH


def test_a_file_has_the_digest_that_is_published(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    assert file_digest(tmp_path / "a") == hashlib.sha256(b"abc").hexdigest()


def test_names_and_bytes_of_files_count(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_text("1")
    second.write_text("2")
    before = files_fingerprint([first, second])
    assert before == files_fingerprint([second, first])
    second.write_text("3")
    assert before != files_fingerprint([first, second])
