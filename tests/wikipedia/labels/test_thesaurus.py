"""MyThes files: nouns by their capital, broader terms, one meaning under all its words."""

from __future__ import annotations

from pathlib import Path

import pytest

from lexicon_files import write_thesaurus
from sector.wikipedia.labels.lexicons.base import LexiconError
from sector.wikipedia.labels.lexicons.thesaurus import Thesaurus, load_thesaurus

ENTRIES = {
    "pflege": ["-|Pflege|Fürsorge (geh.)|hegen"],
    "fürsorge": ["-|Pflege|Fürsorge (geh.)|hegen"],
    "rose": ["-|Rose|Königin der Blumen (fig.)|Blume (Oberbegriff)"],
    "blume": ["-|Blume|Blüte"],
    "gießen": ["-|gießen|wässern"],
    "garten": ["-|grün|blühend|Garten (sein)"],
}


@pytest.fixture
def thesaurus(tmp_path: Path) -> Thesaurus:
    return load_thesaurus(write_thesaurus(tmp_path, ENTRIES))


def test_synonyms_share_their_sense(thesaurus: Thesaurus) -> None:
    one, other = thesaurus.find("pflege"), thesaurus.find("fürsorge")
    assert one is not None
    assert other is not None
    assert one.synsets == other.synsets
    assert one.synsets[0].lemmas == ("pflege", "fürsorge", "hegen")


def test_a_plural_is_found_and_its_broader_term_can_be_followed(thesaurus: Thesaurus) -> None:
    entry = thesaurus.find("rosen")
    assert entry is not None
    assert entry.lemma == "rose"
    above = thesaurus.synset(entry.synsets[0].broader[0])
    assert above is not None
    assert above.lemmas == ("blume", "blüte")


def test_verbs_are_no_nouns(thesaurus: Thesaurus) -> None:
    assert thesaurus.find("gießen") is None


def test_a_noun_among_adjectives_is_a_sense_of_its_own(thesaurus: Thesaurus) -> None:
    entry = thesaurus.find("garten")
    assert entry is not None
    assert entry.synsets[0].lemmas == ("garten",)


def test_a_missing_thesaurus_is_explained(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match=r"no thesaurus .*apt-get install mythes-de"):
        load_thesaurus(tmp_path)


def test_a_thesaurus_without_its_index_is_refused(tmp_path: Path) -> None:
    path = write_thesaurus(tmp_path, ENTRIES)
    path.with_suffix(".idx").unlink()
    with pytest.raises(LexiconError, match="no index"):
        load_thesaurus(path)


def test_an_index_of_another_thesaurus_is_refused(tmp_path: Path) -> None:
    path = write_thesaurus(tmp_path, ENTRIES)
    path.write_text("UTF-8\n", encoding="utf-8")
    with pytest.raises(LexiconError, match="do not belong together"):
        load_thesaurus(path).find("rose")
