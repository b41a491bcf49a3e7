"""MurmurHash3 x64-128 (Austin Appleby, public domain): the hash behind the Bloom encoder."""

from __future__ import annotations

from struct import unpack

MASK = 0xFFFFFFFFFFFFFFFF
C1, C2 = 0x87C37B91114253D5, 0x4CF5AD432745937F


def murmur3(data: bytes, seed: int = 0) -> tuple[int, int]:
    """Hash bytes to 128 bits, given as two unsigned 64-bit numbers (h1, h2)."""
    h1 = h2 = seed & 0xFFFFFFFF
    whole = len(data) & ~15
    blocks = unpack(f"<{whole // 8}Q", data[:whole])
    for k1, k2 in zip(blocks[::2], blocks[1::2], strict=True):
        h1 = (_rotate(h1 ^ _mix1(k1), 27) + h2) * 5 + 0x52DCE729 & MASK
        h2 = (_rotate(h2 ^ _mix2(k2), 31) + h1) * 5 + 0x38495AB5 & MASK
    k1, k2 = unpack("<QQ", data[whole:].ljust(16, b"\0"))
    h1, h2 = h1 ^ _mix1(k1) ^ len(data), h2 ^ _mix2(k2) ^ len(data)
    h1 = h1 + h2 & MASK
    h2 = h2 + h1 & MASK
    h1, h2 = _finish(h1), _finish(h2)
    h1 = h1 + h2 & MASK
    return h1, h2 + h1 & MASK


def _rotate(value: int, bits: int) -> int:
    return (value << bits | value >> 64 - bits) & MASK


def _mix1(k: int) -> int:
    return _rotate(k * C1 & MASK, 31) * C2 & MASK


def _mix2(k: int) -> int:
    return _rotate(k * C2 & MASK, 33) * C1 & MASK


def _finish(h: int) -> int:
    h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD & MASK
    h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53 & MASK
    return h ^ h >> 33
