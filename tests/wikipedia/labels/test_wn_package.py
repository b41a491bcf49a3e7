"""A wordnet of our own in the database of the package `wn`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sector.wikipedia.labels.lexicons import LexiconError, open_lexicon

wn = pytest.importorskip("wn")

GARDEN = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.0.dtd">
<LexicalResource xmlns:dc="http://purl.org/dc/elements/1.1/">
  <Lexicon id="garten" label="Garten" language="de" email="a@b.c" license="none" version="1.0">
    <LexicalEntry id="w1"><Lemma writtenForm="Rose" partOfSpeech="n"/>
      <Sense id="s1" synset="garten-1-n"/></LexicalEntry>
    <LexicalEntry id="w2"><Lemma writtenForm="Blume" partOfSpeech="n"/>
      <Sense id="s2" synset="garten-2-n"/></LexicalEntry>
    <LexicalEntry id="w3"><Lemma writtenForm="Kew" partOfSpeech="n"/>
      <Sense id="s3" synset="garten-3-n"/></LexicalEntry>
    <Synset id="garten-1-n" ili="" partOfSpeech="n"><Definition>eine Blume mit Dornen</Definition>
      <SynsetRelation relType="hypernym" target="garten-2-n"/></Synset>
    <Synset id="garten-2-n" ili="" partOfSpeech="n"/>
    <Synset id="garten-3-n" ili="" partOfSpeech="n">
      <SynsetRelation relType="instance_hypernym" target="garten-2-n"/></Synset>
  </Lexicon>
</LexicalResource>
"""


@pytest.fixture(autouse=True)
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(wn.config, "data_directory", tmp_path / "wn")
    source = tmp_path / "garten.xml"
    source.write_text(GARDEN, encoding="utf-8")
    wn.add(source, progress_handler=None)
    yield


@pytest.mark.parametrize("path", [None, "garten:1.0"])
def test_german_nouns_are_found_in_lower_case(path: str | None) -> None:
    lexicon = open_lexicon("wn", "de", path)
    entry = lexicon.find("rose")
    assert entry is not None
    assert entry.lemma == "rose"
    (sense,) = entry.synsets
    assert (sense.gloss, sense.broader) == ("eine Blume mit Dornen", ("garten-2-n",))
    above = lexicon.synset("garten-2-n")
    assert above is not None
    assert above.lemmas == ("blume",)


def test_names_and_unknown_ids_are_not_found() -> None:
    lexicon = open_lexicon("wn", "de")
    assert lexicon.find("kew") is None
    assert lexicon.find("spaten") is None
    assert lexicon.synset("garten-9-n") is None


def test_a_language_without_a_wordnet_is_explained() -> None:
    with pytest.raises(LexiconError, match=r"no wordnet for the language 'fi'.*wn download"):
        open_lexicon("wn", "fi")
    with pytest.raises(LexiconError, match="no wordnet for 'none:1'"):
        open_lexicon("wn", "de", "none:1")
