"""BabelNet against a server on this machine: answers, the cache, the key, refusals."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from sector.wikipedia.labels.lexicons import LexiconError, open_lexicon
from sector.wikipedia.labels.lexicons.babelnet import BabelNet

ANSWERS: dict[tuple[str, str], Any] = {
    ("getSynsetIds", "rosen"): [{"id": "bn:1n"}, {"id": "bn:2n"}],
    ("getSynsetIds", "spaten"): [],
    ("getSynset", "bn:1n"): {
        "synsetType": "CONCEPT",
        "senses": [{"properties": {"fullLemma": "Rose", "language": "DE"}}],
        "glosses": [{"gloss": "Eine Blume."}],
    },
    ("getSynset", "bn:2n"): {"synsetType": "NAMED_ENTITY", "senses": []},
    ("getSynset", "bn:3n"): {"senses": [{"properties": {"fullLemma": "Blume_im_Garten", "language": "DE"}}]},
    ("getOutgoingEdges", "bn:1n"): [
        {"pointer": {"relationGroup": "HYPERNYM"}, "target": "bn:3n"},
        {"pointer": {"relationGroup": "MERONYM"}, "target": "bn:4n"},
    ],
    ("getOutgoingEdges", "bn:3n"): [],
}


class Service:
    """What the server was asked and how it shall answer."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.statuses: list[int] = []
        self.refusal = ""

    def answer(self, path: str) -> tuple[int, Any]:
        self.asked.append(path)
        if self.statuses:
            return self.statuses.pop(0), {}
        if self.refusal:
            return 200, {"message": self.refusal}
        question = parse_qs(urlsplit(path).query)
        verb = urlsplit(path).path.rpartition("/")[2]
        assert question["key"] == ["secret"]
        return 200, ANSWERS[verb, (question.get("lemma") or question["id"])[0]]


@contextmanager
def serving(service: Service) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, answer = service.answer(self.path)
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v9"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def babelnet(service: Service, tmp_path: Path) -> Iterator[BabelNet]:
    with serving(service) as address:
        yield BabelNet("secret", "de", address, tmp_path / "answers", wait=0.0)


def test_concepts_are_found_with_what_is_above_them(babelnet: BabelNet) -> None:
    entry = babelnet.find("rosen")
    assert entry is not None
    assert entry.lemma == "rose"
    (sense,) = entry.synsets
    assert (sense.lemmas, sense.gloss, sense.broader) == (("rose",), "Eine Blume.", ("bn:3n",))
    above = babelnet.synset("bn:3n")
    assert above is not None
    assert above.lemmas == ("blume im garten",)
    assert babelnet.find("spaten") is None


def test_answers_are_kept_without_the_key(babelnet: BabelNet, service: Service) -> None:
    first = babelnet.find("rosen")
    asked = len(service.asked)
    assert babelnet.find("rosen") == first
    assert len(service.asked) == asked
    kept = list(babelnet.cache.iterdir())
    assert len(kept) == asked
    assert not any("secret" in path.read_text(encoding="utf-8") or "secret" in path.name for path in kept)


def test_a_broken_answer_is_asked_again(babelnet: BabelNet, service: Service) -> None:
    first = babelnet.find("rosen")
    for path in babelnet.cache.iterdir():
        path.write_text("[", encoding="utf-8")
    assert babelnet.find("rosen") == first


def test_a_passing_failure_is_tried_again(babelnet: BabelNet, service: Service) -> None:
    service.statuses = [503]
    assert babelnet.find("rosen") is not None


def test_a_limit_keeps_what_was_answered(babelnet: BabelNet, service: Service) -> None:
    babelnet.find("spaten")
    service.refusal = "Your key is not valid or the daily requests limit has been reached."
    with pytest.raises(LexiconError, match=r"daily requests limit.*kept in .*answers.*run this again") as caught:
        babelnet.find("rosen")
    assert "secret" not in str(caught.value)
    assert babelnet.find("spaten") is None


def test_a_server_that_refuses_is_named(babelnet: BabelNet, service: Service) -> None:
    service.statuses = [403]
    with pytest.raises(LexiconError, match="403 Forbidden"):
        babelnet.find("rosen")
    assert len(service.asked) == 1


def test_a_missing_key_and_a_wrong_address_are_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BABELNET_KEY", raising=False)
    with pytest.raises(LexiconError, match="needs a key"):
        open_lexicon("babelnet", "de")
    with pytest.raises(LexiconError, match="is not an address"):
        open_lexicon("babelnet", "de", key="secret", endpoint="babelnet.io")
