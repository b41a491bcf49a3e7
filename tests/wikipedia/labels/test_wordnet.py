"""WordNet's files: senses, plurals, relations, and what is said where they are missing or broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from lexicon_files import write_wordnet
from sector.wikipedia.labels.lexicons import LexiconError, open_lexicon
from sector.wikipedia.labels.lexicons.wordnet import WordNet, load_wordnet


@pytest.fixture
def wordnet(tmp_path: Path) -> WordNet:
    return load_wordnet(write_wordnet(tmp_path))


def lemma(wordnet: WordNet, expression: str) -> str | None:
    entry = wordnet.find(expression)
    return entry.lemma if entry else None


def test_inflected_forms_are_found_under_their_lemma(wordnet: WordNet) -> None:
    assert [lemma(wordnet, word) for word in ("plants", "children", "roses", "garden tools")] == [
        "plant",
        "child",
        "rose",
        "garden tool",
    ]


def test_a_word_that_only_looks_like_a_plural_stays(wordnet: WordNet) -> None:
    assert lemma(wordnet, "species") == "species"


def test_names_and_unknown_words_are_not_found(wordnet: WordNet) -> None:
    assert lemma(wordnet, "kew") is None
    assert lemma(wordnet, "spade") is None


def test_a_sense_has_its_lemmas_gloss_and_relations(wordnet: WordNet) -> None:
    entry = wordnet.find("irrigation")
    assert entry is not None
    (sense,) = entry.synsets
    assert sense.lemmas == ("watering", "irrigation")
    assert sense.gloss == "giving water to plants"
    above = wordnet.synset(sense.broader[0])
    assert above is not None
    assert above.lemmas == ("care",)


def test_nouns_of_one_verb_are_kin(wordnet: WordNet) -> None:
    one, other = wordnet.find("digging"), wordnet.find("digger")
    assert one is not None
    assert other is not None
    assert one.synsets[0].kin == other.synsets[0].kin == ("v42",)


def test_the_folder_may_be_named_by_a_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_wordnet(tmp_path / "dict")
    monkeypatch.setenv("SECTOR_WORDNET", str(tmp_path))
    assert lemma(load_wordnet(), "rakes") == "rake"


def test_a_missing_wordnet_is_explained(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match=r"no WordNet .*apt-get install wordnet-base.*SECTOR_WORDNET"):
        open_lexicon("wordnet", path=str(tmp_path))


def test_files_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    folder = write_wordnet(tmp_path)
    (folder / "data.noun").write_text("  1 Other\n", encoding="utf-8")
    with pytest.raises(LexiconError, match="do not belong together"):
        load_wordnet(folder).find("plant")


def test_a_broken_index_is_refused(tmp_path: Path) -> None:
    folder = write_wordnet(tmp_path)
    (folder / "index.noun").write_text("plant n 2 1 @ 2 0 00000001\n", encoding="utf-8")
    with pytest.raises(LexiconError, match="'plant' is incomplete"):
        load_wordnet(folder)


def test_the_real_wordnet_knows_therapy() -> None:
    try:
        real = load_wordnet()
    except LexiconError as error:
        pytest.skip(str(error))
    entry = real.find("therapies")
    assert entry is not None
    assert entry.lemma == "therapy"
    assert entry.synsets[0].broader
