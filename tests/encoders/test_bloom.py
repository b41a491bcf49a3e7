"""The Bloom encoder against its equation, and its hash against published values."""

from __future__ import annotations

import threading
from collections import Counter

import numpy as np
import pytest
from dense import dense

from sector import encoders
from sector.encoders import bloom
from sector.encoders.bloom import bloom_positions
from sector.encoders.murmur import murmur3
from sector.errors import ConfigError
from sector.text.tokens import tokenize

SENTENCES = [
    "The fever began on day 3, and the fever stayed.",
    "",
    "Die Straße führt nach Süden.",
    "...",
    "Crianças também têm febre.",
    "fever",
]


@pytest.mark.parametrize(
    ("data", "seed", "h1", "h2"),
    [
        (b"", 0, 0, 0),
        (b"a", 0, 0x85555565F6597889, 0xE6B53A48510E895A),
        (b"hello", 0, 0xCBD8A7B341BD9B02, 0x5B1E906A48AE1D19),
        (b"hello, world", 0, 0x342FAC623A5EBC8E, 0x4CDCBC079642414D),
        (b"The quick brown fox jumps over the lazy dog", 0, 0xE34BBC7BBC071B6C, 0x7A433CA9C49A9347),
        (b"", 1, 0x4610ABE56EFF5CB5, 0x51622DAA78F83583),
    ],
)
def test_the_hash_gives_published_values(data: bytes, seed: int, h1: int, h2: int) -> None:
    assert murmur3(data, seed) == (h1, h2)


def test_the_hash_passes_the_verification_of_its_author() -> None:
    """Hash the hashes of 256 keys, as SMHasher does for Murmur3F."""
    hashes = b"".join(part.to_bytes(8, "little") for i in range(256) for part in murmur3(bytes(range(i)), 256 - i))
    assert murmur3(hashes)[0] & 0xFFFFFFFF == 0x6384BA69


def test_positions_follow_the_authors_formula() -> None:
    h1, h2 = murmur3("straße".encode())
    expected = [((h1 + i * h2) % 2**64 & ~(1 << 63)) % 4096 for i in range(5)]
    assert bloom_positions("straße") == expected
    assert bloom_positions("") == [0] * 5


@pytest.mark.parametrize("values", ["counts", "bits"])
def test_a_row_is_the_sum_of_its_words(values: str) -> None:
    found = dense(encoders.make("bloom", values=values).encode(SENTENCES))
    expected = np.zeros((len(SENTENCES), 4096))
    for row, sentence in enumerate(SENTENCES):
        for word, count in Counter(tokenize(sentence)).items():
            expected[row, list(set(bloom_positions(word)))] += count
    np.testing.assert_array_equal(found, np.minimum(expected, 1) if values == "bits" else expected)


def test_positions_that_a_word_sets_twice_count_once() -> None:
    encoder = bloom.BloomEncoder(positions=3, hashes=5)
    row = dense(encoder.encode(["fever"]))[0]
    assert row.tolist() == [float(i in bloom_positions("fever", 3)) for i in range(3)]


def test_the_cache_is_bounded_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bloom, "CACHED_WORDS", 3)
    encoder = bloom.BloomEncoder()
    expected = dense(bloom.BloomEncoder().encode(SENTENCES))
    one_by_one = np.concatenate([dense(encoder.encode([sentence])) for sentence in SENTENCES * 3])
    np.testing.assert_array_equal(one_by_one, np.tile(expected, (3, 1)))
    assert len(encoder._words) < 10


def test_threads_do_not_disturb_each_other() -> None:
    encoder, results = bloom.BloomEncoder(positions=64), {}
    texts = {n: [f"word{chr(97 + n)}{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(400)] for n in range(6)}

    def work(number: int) -> None:
        results[number] = dense(encoder.encode(texts[number]))

    threads = [threading.Thread(target=work, args=(number,)) for number in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, sentences in texts.items():
        np.testing.assert_array_equal(results[number], dense(bloom.BloomEncoder(positions=64).encode(sentences)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"positions": 0}, "'positions' is 0"),
        ({"hashes": True}, "'hashes' is True"),
        ({"values": "sums"}, "counts, bits"),
        ({"bits": 1}, "its options are: positions, hashes, values"),
    ],
)
def test_wrong_options_are_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        encoders.make("bloom", **options)
