"""What operators see: models, health, metrics, logs, keys, origins and headers."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from service import client, settings

from sector.errors import ConfigError, ModelError
from sector.server import Settings, create_app
from sector.server.observing import JsonLines
from sector.server.settings import VARIABLE, model_names
from tiny import LABELS

__all__ = ["client"]


@contextmanager
def started(model: Path, **others: object) -> Iterator[TestClient]:
    with TestClient(create_app(settings(model, **others)), raise_server_exceptions=False) as client:
        yield client


def test_models(client: TestClient) -> None:
    found = client.get("/v1/models").json()
    expected = {"name": "tiny", "task": "topics", "language": "en", "labels": 4, "segmentation": "bemd"}
    assert (found["default"], found["models"]) == ("tiny", [expected])
    assert {"granularity", "details"} <= set(found["options"])
    assert sorted(client.get("/v1/models/tiny").json()["label_names"]) == sorted(LABELS)
    for name in ("en_city", "..%2F..%2Fetc", "%00"):
        assert client.get(f"/v1/models/{name}").status_code == 404


def test_health_runs_the_model(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with started(tiny_model) as client:
        assert client.get("/health").json()["status"] == "ok"
        app_service = client.app.state.service  # type: ignore[attr-defined]
        monkeypatch.setattr(app_service._health, "at", -10.0)

        def broken(*_: object) -> None:
            raise RuntimeError("the graph is gone")

        monkeypatch.setattr(app_service.models["tiny"], "segment", broken)
        answer = client.get("/health")
        assert (answer.status_code, answer.json()["status"]) == (503, "ill")


def test_ready_until_it_drains(tiny_model: Path) -> None:
    with started(tiny_model) as client:
        assert client.get("/ready").status_code == 200
        client.app.state.service.draining = True  # type: ignore[attr-defined]
        assert (client.get("/ready").status_code, client.get("/ready").json()["status"]) == (503, "draining")


def test_metrics(client: TestClient) -> None:
    client.post("/v1/segment", json={"text": "One. Two."})
    client.post("/v1/segment", json={})
    client.get("/some/thing/else")
    lines = client.get("/metrics").text
    for part in ('route="/v1/segment",status="200"', 'route="/v1/segment",status="422"', 'route="other",status="404"'):
        assert part in lines
    for name in ("sector_queue_documents", "sector_inference_seconds", "sector_documents_total", "process_"):
        assert name in lines
    assert "some" not in lines


def test_logs_are_json_without_text(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    secret = "Marigold treated the ambassador."
    with caplog.at_level(logging.INFO, "sector.server"):
        client.post("/v1/segment", json={"text": secret, "max_chars": 3}, headers={"x-request-id": "abc-1"})
        client.post("/v1/segment", json={"text": secret, secret: 1}, headers={"x-request-id": 'x"\\u0000'})
        client.post(f"/{secret}")
    lines = [JsonLines().format(record) for record in caplog.records if record.name == "sector.server"]
    entries = [json.loads(line) for line in lines]
    assert [(entry["status"], entry["route"]) for entry in entries][:2] == [(200, "/v1/segment"), (422, "/v1/segment")]
    assert (entries[0]["request_id"], entries[0]["characters"], entries[0]["model"]) == ("abc-1", len(secret), "tiny")
    assert len(entries[1]["request_id"]) == 16
    assert "Marigold" not in "".join(lines)


def test_an_unexpected_error_is_typed(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with started(tiny_model) as client:

        def broken(*_: object) -> None:
            raise RuntimeError("secret detail")

        monkeypatch.setattr(client.app.state.service.models["tiny"], "read", broken)  # type: ignore[attr-defined]
        answer = client.post("/v1/segment", json={"text": "One."})
        assert (answer.status_code, answer.json()["error_type"]) == (500, "internal")
        assert "secret" not in answer.text


def test_an_api_key(tiny_model: Path) -> None:
    with started(tiny_model, api_key="sésame") as client:
        good = ({"authorization": "Bearer s\u00e9same".encode()}, {"x-api-key": "s\u00e9same".encode()})
        for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": "Basic x"}, {"x-api-key": ""}):
            answer = client.post("/v1/segment", json={"text": "One."}, headers=headers)
            assert (answer.status_code, answer.json()["error_type"]) == (401, "unauthorized")
            assert answer.headers["www-authenticate"] == "Bearer"
        for encoded in good:
            assert client.get("/v1/models", headers=encoded).status_code == 200  # type: ignore[arg-type]
        assert {client.get(path).status_code for path in ("/health", "/ready", "/metrics", "/")} == {200}


def test_no_origin_is_allowed_unless_it_is_named(client: TestClient, tiny_model: Path) -> None:
    origin = {"origin": "https://example.org"}
    assert "access-control-allow-origin" not in client.get("/v1/models", headers=origin).headers
    with started(tiny_model, cors_origins=("https://example.org",)) as other:
        asked = origin | {"access-control-request-method": "POST"}
        assert other.options("/v1/segment", headers=asked).headers["access-control-allow-origin"] == origin["origin"]
        stranger = other.get("/v1/models", headers={"origin": "https://example.com"}).headers
        assert "access-control-allow-origin" not in stranger


@pytest.mark.parametrize("path", ["/", "/v1/models", "/nope", "/docs", "/health"])
def test_security_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert ("'unsafe-inline'" in policy) == (path == "/docs")


@pytest.mark.parametrize("path", ["/page/../settings.py", "/page/%2e%2e/settings.py", "/page//etc/passwd", "/page/"])
def test_no_file_beside_the_page(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_docs_come_from_here_alone(client: TestClient) -> None:
    page = client.get("/docs").text
    assert 'src="swagger/swagger-ui-bundle.js"' in page
    assert "'openapi.json'" in page.replace('"', "'")
    assert "jsdelivr" not in page and "://" not in page.replace("http://www.w3.org", "")
    for file in ("swagger-ui-bundle.js", "swagger-ui.css", "favicon-32x32.png"):
        assert client.get(f"/swagger/{file}").status_code == 200
    assert client.get("/swagger/../main.py").status_code == 404


def test_routing_errors_say_where_to_look(client: TestClient) -> None:
    missing, refused = client.get("/nothing"), client.get("/v1/segment")
    assert (missing.status_code, missing.json()["error_type"]) == (404, "not_found")
    assert (refused.status_code, refused.json()["error_type"]) == (405, "method_not_allowed")
    assert all("/docs" in answer.json()["error"] for answer in (missing, refused))


@pytest.mark.parametrize("path", ["/", "/health", "/ready"])
def test_monitors_may_ask_for_the_head_alone(client: TestClient, path: str) -> None:
    assert client.head(path).status_code == 200


def test_settings_reach_worker_processes() -> None:
    chosen = Settings(models=("a", "b"), cors_origins=("https://x.org",), deadline=2.5, page=False)
    assert Settings.from_environment({VARIABLE: chosen.to_json()}) == chosen
    assert Settings.from_environment({}) == Settings()


def test_settings_that_cannot_work(tiny_model: Path, tmp_path: Path) -> None:
    for broken in ({"workers": 0}, {"deadline": 0.0}, {"port": 70_000}, {"queue_documents": 3}, {"cache_bytes": -1}):
        with pytest.raises(ConfigError, match=r"must be|make the queue longer"):
            settings(tiny_model, **broken)
    with pytest.raises(ConfigError, match="Two models"):
        model_names(Settings(models=(str(tiny_model), str(tiny_model))))
    with pytest.raises(ModelError, match="no model"):
        create_app(Settings(models=(str(tmp_path / "absent"),)))
