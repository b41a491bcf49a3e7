"""Titles by Wikidata item and class: from an endpoint on this machine, and from a file of entities."""

from __future__ import annotations

import bz2
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs

import pytest

from dumps import classes, plain
from sector.errors import DataError, DownloadError
from sector.wikipedia.build import Build
from sector.wikipedia.classes import Select
from sector.wikipedia.entities import EntityFile
from sector.wikipedia.sparql import Endpoint
from sector.wikipedia.titles import find_titles


@dataclass
class Asked:
    """What an endpoint was asked, and how it answers."""

    titles: dict[str, str] = field(default_factory=lambda: {"moss": "Q25347", "Peat bog": "Q1"})
    failures: int = 0
    body: bytes | None = None
    queries: list[str] = field(default_factory=list)
    url: str = ""

    def answer(self) -> bytes:
        rows = [
            {"title": {"value": title}, "item": {"value": f"http://www.wikidata.org/entity/{item}"}}
            for title, item in self.titles.items()
        ]
        return self.body if self.body is not None else json.dumps({"results": {"bindings": rows}}).encode()


@contextmanager
def serving(asked: Asked) -> Iterator[Asked]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            asked.queries += parse_qs(self.rfile.read(length).decode())["query"]
            fails = asked.failures > 0
            asked.failures -= 1
            self.send_response(503 if fails else 200)
            self.end_headers()
            self.wfile.write(b"" if fails else asked.answer())

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    asked.url = f"http://127.0.0.1:{server.server_port}/sparql"
    try:
        yield asked
    finally:
        server.shutdown()
        server.server_close()


def test_a_class_with_its_subclasses(tmp_path: Path) -> None:
    with serving(Asked()) as asked:
        endpoint = Endpoint(asked.url, tmp_path / "cache", wait=0)
        for _ in range(2):
            found = find_titles(Select(classes=("Q5",), titles=("fern_plant",)), "de", endpoint)
            assert found == {"Fern plant": "", "Moss": "Q25347", "Peat bog": "Q1"}
    (query,) = asked.queries  # the second answer is from the cache
    assert "?item wdt:P31/wdt:P279* wd:Q5 ." in query
    assert "<https://de.wikipedia.org/>" in query


def test_members_that_are_classes(tmp_path: Path) -> None:
    with serving(Asked()) as asked:
        endpoint = Endpoint(asked.url, wait=0)
        find_titles(Select(classes=("Q5", "Q6"), members="both"), "en", endpoint)
    assert ["(wdt:P31|wdt:P279)/wdt:P279* wd:Q5" in asked.queries[0], "wd:Q6" in asked.queries[1]] == [True, True]


def test_many_items_are_asked_in_parts() -> None:
    with serving(Asked()) as asked:
        Endpoint(asked.url, wait=0).titles_of_items([f"Q{n}" for n in range(1, 1002)], "en")
    assert len(asked.queries) == 3
    assert "VALUES ?item { wd:Q1001 }" in asked.queries[2]


def test_a_busy_endpoint_is_asked_again() -> None:
    with serving(Asked(failures=2)) as asked:
        assert Endpoint(asked.url, wait=0).titles_of_class("Q5", "instances", "en")
    assert len(asked.queries) == 3


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (Asked(failures=99), "gave no answer: the server answered 503"),
        (Asked(body=b'{"results": {"bindings": ['), "may have taken too long"),
        (Asked(body=b"[]"), "did not answer in SPARQL's JSON"),
    ],
)
def test_an_endpoint_that_fails(tmp_path: Path, asked: Asked, message: str) -> None:
    with serving(asked), pytest.raises(DownloadError, match=message):
        Endpoint(asked.url, tmp_path, wait=0).titles_of_class("Q5", "instances", "en")
    assert list(tmp_path.iterdir()) == []


def test_no_endpoint() -> None:
    with pytest.raises(DownloadError, match="gave no answer"):
        Endpoint("http://127.0.0.1:9/", tries=1).ask("x")
    with pytest.raises(DownloadError, match="is not an address"):
        Endpoint("file:///etc/passwd").ask("x")


def test_records_name_their_item(tmp_path: Path) -> None:
    with serving(Asked(titles={"Moss 3": "Q33", "Moss 4": "Q44"})) as asked:
        chosen = classes(tmp_path, '[select]\nclasses = ["Q5"]\n[text]\nmin_characters = 100\n')
        endpoint = Endpoint(asked.url, tmp_path / "cache", wait=0)
        Build((plain(tmp_path / "a.xml"),), chosen, "en", tmp_path / "out", workers=1, endpoint=endpoint).run()
    files = [tmp_path / "out" / f"en_moss_{split}.json" for split in ("train", "validation", "test")]
    records = [record for file in files for record in json.loads(file.read_text())]
    assert {record["title"]: record["wikidata"] for record in records} == {"Moss 3": "Q33", "Moss 4": "Q44"}


def entity(item: str, title: str = "", kinds: str = "", above: str = "", rank: str = "normal") -> dict[str, Any]:
    def claims(values: str) -> list[dict[str, Any]]:
        return [{"rank": rank, "mainsnak": {"datavalue": {"value": {"id": value}}}} for value in values.split()]

    links = {"enwiki": {"title": title}, "dewiki": {"title": f"{title} de"}} if title else {}
    return {"id": item, "claims": {"P31": claims(kinds), "P279": claims(above)}, "sitelinks": links}


ENTITIES = [
    entity("Q10", "Oak moss", kinds="Q3"),
    entity("Q1", "Plant"),
    entity("Q2", "Moss", above="Q1"),
    entity("Q3", "Soft moss", above="Q2"),
    entity("Q11", "Granite", kinds="Q9"),
    entity("Q12", "", kinds="Q3"),
    entity("Q13", "Old moss", kinds="Q3", rank="deprecated"),
    entity("Q4", "Loop", above="Q3 Q4"),
]


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ("instances", {"Oak moss": "Q10"}),
        ("subclasses", {"Loop": "Q4", "Moss": "Q2", "Soft moss": "Q3"}),
        ("both", {"Loop": "Q4", "Moss": "Q2", "Oak moss": "Q10", "Soft moss": "Q3"}),
    ],
)
def test_classes_from_a_file(tmp_path: Path, members: str, expected: dict[str, str]) -> None:
    path = tmp_path / "all.json.bz2"
    path.write_bytes(bz2.compress(("[\n" + ",\n".join(map(json.dumps, ENTITIES)) + "\n]\n").encode()))
    assert EntityFile(path, "en").titles((), ("Q1",), members) == expected


def test_items_from_a_file_are_kept_in_the_cache(tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    path.write_text("\n".join(map(json.dumps, ENTITIES)))
    endpoint = Endpoint("http://127.0.0.1:9/", tmp_path / "cache", tries=1)
    select = Select(items=("Q11", "Q99"), entities=path)
    assert find_titles(select, "de", endpoint) == {"Granite de": "Q11"}
    kept = list((tmp_path / "cache").iterdir())
    assert len(kept) == 1
    kept[0].write_text('{"Moss": "Q2"}')
    assert find_titles(select, "de", endpoint) == {"Moss": "Q2"}


@pytest.mark.parametrize(
    "content", [b'{"P279": ', b'["P279"]', b'{"a": "P279"}', bz2.compress(b'{"id": "Q1"}' * 99)[:-9]]
)
def test_a_broken_file(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.json").write_bytes(content)
    with pytest.raises(DataError, match=r"a\.json"):
        EntityFile(tmp_path / "a.json", "en").titles((), ("Q1",), "both")
