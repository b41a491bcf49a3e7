"""The cache: bounded in bytes, what was used longest ago goes first."""

from __future__ import annotations

from sector.server.cache import ByteCache


def test_what_was_used_longest_ago_goes_first() -> None:
    cache: ByteCache[str] = ByteCache(6, len)
    for name in ("ab", "cd", "ef"):
        cache.put(name.encode(), name)
    assert cache.get(b"ab") == "ab"
    cache.put(b"gh", "gh")
    assert [cache.get(name) for name in (b"ab", b"cd", b"ef", b"gh")] == ["ab", None, "ef", "gh"]
    cache.put(b"long", "ijklm")
    assert (len(cache), cache.get(b"long")) == (1, "ijklm")


def test_what_is_too_large_is_not_kept() -> None:
    cache: ByteCache[str] = ByteCache(3, len)
    cache.put(b"a", "abc")
    cache.put(b"b", "abcd")
    assert (cache.get(b"a"), cache.get(b"b"), len(cache)) == ("abc", None, 1)
    cache.put(b"a", "xyz")
    assert cache.get(b"a") == "abc"
