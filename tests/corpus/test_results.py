"""Results that can be continued: whatever happens, complete lines only, in order, each document once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sector.corpus import Problem, ResultsFile
from sector.corpus.results import write_whole
from sector.document import Document, Section
from sector.errors import ConfigError


def lines(documents: list[Document]) -> bytes:
    return "".join(document.to_json() + "\n" for document in documents).encode()


def run(path: Path, items: list[Document | Problem], stop: int | None = None) -> int:
    with ResultsFile(path, {"model": "m"}) as results:
        for number, item in enumerate(results.remaining(items)):
            if number == stop:
                raise KeyboardInterrupt
            if isinstance(item, Document):
                results.append(item.to_json() + "\n")
    return results.found


ITEMS = st.lists(
    st.one_of(
        st.sampled_from(["a", "b", 'quote " \\ \n', "ü🤒", "\ud800"]).map(lambda name: Document("", id=name)),
        st.just(Problem("somewhere", "broken")),
    ),
    max_size=8,
)


@settings(max_examples=80, deadline=None)
@given(items=ITEMS, cut=st.integers(0, 10_000), stop=st.integers(0, 9))
def test_no_document_is_lost_or_doubled(
    items: list[Document | Problem], cut: int, stop: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("results") / "r.jsonl"
    expected = lines([item for item in items if isinstance(item, Document)])
    try:
        run(path, items, stop)
    except KeyboardInterrupt:
        assert not path.exists() or path.read_bytes().endswith(b"\n")
    if path.exists():
        path.write_bytes(path.read_bytes()[: cut % (len(expected) + 1)])
    run(path, items)
    assert path.read_bytes() == expected
    assert run(path, items) == expected.count(b"\n")


def test_a_line_that_was_cut_short_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, document = tmp_path / "r.jsonl", Document("Text.", id="a")
    with pytest.raises(OSError, match="disk full"), ResultsFile(path, {}) as results:
        results.append(document.to_json() + "\n")
        results._file.write(b'{"id": "b", "mod')
        raise OSError("disk full")
    assert path.read_bytes() == lines([document])


def test_other_options_are_refused(tmp_path: Path) -> None:
    path, items = tmp_path / "r.jsonl", [Document("", id="a")]
    run(path, [*items])
    with pytest.raises(ConfigError, match="begun with model = m"), ResultsFile(path, {"model": "n"}):
        pass
    with ResultsFile(path, {"model": "o"}, overwrite=True):
        pass
    assert path.read_bytes() == b""


@pytest.mark.parametrize("content", [None, b"", b"[1]", b"\xff", b"[" * 100_000, b'{"other": "m"}'])
def test_results_of_unknown_options_are_refused(tmp_path: Path, content: bytes | None) -> None:
    path, options = tmp_path / "r.jsonl", tmp_path / ".r.jsonl.options"
    run(path, [Document("", id="a")])
    options.unlink()
    if content is not None:
        options.write_bytes(content)
    with (
        pytest.raises(ConfigError, match=r"missing or damaged|begun with model = None"),
        ResultsFile(path, {"model": "m"}),
    ):
        pass
    assert path.read_bytes() == lines([Document("", id="a")])


def test_texts_that_were_changed_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    run(path, [written("a", "One."), written("b", "Two.")])
    with pytest.raises(ConfigError, match="the text of 'b' was changed after line 2 was written"):
        run(path, [written("a", "One."), written("b", "Changed."), written("c", "Three.")])


def test_one_run_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with ResultsFile(path, {}) as results:
        results.append(written("a", "One.").to_json() + "\n")
        for overwrite in (False, True):
            with (
                pytest.raises(ConfigError, match="Another run is writing to"),
                ResultsFile(path, {}, overwrite=overwrite),
            ):
                pass
    assert path.read_bytes() == lines([written("a", "One.")])


def written(name: str, text: str) -> Document:
    return Document(text, id=name, sections=(Section(0, len(text), source=text),))


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    write_whole(tmp_path / "deep" / "a.txt", "ü\ud800")
    assert (tmp_path / "deep" / "a.txt").read_text() == "ü?"
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        write_whole(tmp_path / "folder", "text")
    assert sorted(entry.name for entry in names(tmp_path)) == ["a.txt"]


def names(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())
