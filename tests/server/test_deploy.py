"""What runs the service: the compose file, the image, and nginx in front of two replicas (where it is installed)."""

from __future__ import annotations

import http.client
import json
import re
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from process import PATIENCE, free_port, get, serving
from typer.testing import CliRunner

from sector.cli.app import app
from sector.server import Settings
from sector.server.running import GRACE
from tiny import HELD_OUT

yaml = pytest.importorskip("yaml", reason="PyYAML reads the compose file")
ROOT = Path(__file__).parents[2]
NGINX = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
SERVICE_KEYS = {
    *("build", "cap_drop", "command", "depends_on", "deploy", "environment", "expose", "image", "ports", "read_only"),
    *("restart", "security_opt", "stop_grace_period", "tmpfs", "volumes"),
}
"""Keys of the Compose specification that are used here: a misspelt one would be an error."""


@pytest.fixture(scope="module")
def compose() -> Any:
    return yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))


def seconds(text: str) -> float:
    return float(text.removesuffix("s"))


def test_compose_says_what_compose_knows(compose: Any) -> None:
    assert set(compose) == {"services"}
    for service in compose["services"].values():
        assert set(service) <= SERVICE_KEYS
        assert service["read_only"] is True
        assert "no-new-privileges:true" in service["security_opt"]
        for volume in service.get("volumes", ()):
            assert (ROOT / "deploy" / volume.split(":")[0]).is_file()
    assert (ROOT / "deploy" / compose["services"]["sector"]["build"] / "Dockerfile").is_file()


def test_compose_starts_the_service_and_waits_for_its_end(compose: Any) -> None:
    service = compose["services"]["sector"]
    (entry,) = re.findall(r"^ENTRYPOINT (.*)$", DOCKERFILE, re.MULTILINE)
    command = [*json.loads(entry)[1:], *service["command"], "--help"]
    assert CliRunner().invoke(app, command).exit_code == 0
    assert seconds(service["stop_grace_period"]) >= Settings().deadline + GRACE
    assert service["deploy"]["replicas"] > 1
    assert compose["services"]["nginx"]["depends_on"]["sector"]["condition"] == "service_healthy"


def test_ports_and_limits_agree(compose: Any) -> None:
    service, nginx = compose["services"]["sector"], compose["services"]["nginx"]
    port = service["command"][service["command"].index("--port") + 1]
    assert service["expose"] == [port]
    assert f"server sector:{port} " in NGINX
    assert f"http://127.0.0.1:{port}/health" in DOCKERFILE
    (listening,) = re.findall(r"listen (\d+);", NGINX)
    assert nginx["ports"] == [f"8080:{listening}"]
    (most,) = re.findall(r"client_max_body_size (\d+)m;", NGINX)
    assert int(most) * 2**20 > Settings().max_body_bytes  # so that the service says what is wrong
    assert f"client_body_buffer_size {most}m;" in NGINX  # and nothing is written to disk
    (patience,) = re.findall(r"proxy_read_timeout (\d+)s;", NGINX)
    assert int(patience) > Settings().deadline


def test_the_image_has_no_root_and_no_shell_in_its_commands() -> None:
    stages = re.split(r"^FROM ", DOCKERFILE, flags=re.MULTILINE)[1:]
    assert all(":" in stage.split()[0] for stage in stages)
    assert re.search(r"^USER \d+$", stages[-1], re.MULTILINE)
    for command in ("ENTRYPOINT", "CMD"):
        (found,) = re.findall(rf"^{command} (.*)$", stages[-1], re.MULTILINE)
        assert isinstance(json.loads(found), list)


@contextmanager
def balanced(folder: Path, ports: list[int]) -> Iterator[int]:
    """Run nginx as `deploy/nginx.conf` says, with replicas on these ports; give its port."""
    port, servers = free_port(), "".join(f"server 127.0.0.1:{port} max_fails=2 fail_timeout=5s;\n" for port in ports)
    text = re.sub(r"server sector:\d+ resolve .*;", servers, NGINX).replace("listen 8080;", f"listen 127.0.0.1:{port};")
    text = text.replace("pid /tmp/nginx.pid;", f"pid {folder}/nginx.pid;\nerror_log stderr;")
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    text = text.replace("http {", f"http {{\naccess_log off;\n{paths}", 1)
    (folder / "nginx.conf").write_text(text, encoding="utf-8")
    command = f"nginx -p {folder} -c {folder}/nginx.conf -g 'daemon off;'"
    with subprocess.Popen(shlex.split(command), stderr=subprocess.PIPE) as process:
        try:
            until = time.monotonic() + PATIENCE
            while time.monotonic() < until and process.poll() is None:
                try:
                    assert get(port, "/ready")[0] == 200
                    break
                except OSError:
                    time.sleep(0.05)
            assert process.poll() is None, process.stderr.read().decode() if process.stderr else ""
            yield port
        finally:
            process.terminate()


def post(port: int, body: bytes) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("POST", "/v1/segment", body, {"content-type": "application/json"})
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


@pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")
def test_nobody_notices_that_a_replica_is_killed(tiny_model: Path, tmp_path: Path) -> None:
    body, statuses, going = json.dumps({"text": HELD_OUT}).encode(), Counter[int](), threading.Event()

    def ask(port: int) -> None:
        while not going.is_set():
            statuses[post(port, body)[0]] += 1

    with ExitStack() as stack:
        (first, one), (second, other) = (stack.enter_context(serving(tiny_model)) for _ in range(2))
        port = stack.enter_context(balanced(tmp_path, [one, other]))
        clients = [threading.Thread(target=ask, args=(port,)) for _ in range(4)]
        for client in clients:
            client.start()
        time.sleep(0.5)
        first.send_signal(signal.SIGKILL)
        time.sleep(1)
        going.set()
        for client in clients:
            client.join()
        assert set(statuses) == {200}
        assert statuses[200] > 20
        assert get(port, "/metrics")[0] == 404
        assert post(port, b" " * 3_000_000)[1]["error_type"] == "too_large"
        assert post(port, b" " * 5_000_000)[1]["error_type"] == "too_large"
        second.kill()
        second.wait()
        status, found = post(port, body)
        assert (status, found["error_type"]) == (503, "unavailable")


@pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")
def test_overload_stays_overload_behind_nginx(tiny_model: Path, tmp_path: Path) -> None:
    several = json.dumps({"documents": [HELD_OUT] * 30}).encode()
    statuses = Counter[int]()

    def ask(port: int) -> None:
        for _ in range(10):
            statuses[post(port, several)[0]] += 1

    with ExitStack() as stack:
        limits = ("--queue", "32", "--batch", "1")
        replicas = [stack.enter_context(serving(tiny_model, *limits))[1] for _ in range(2)]
        port = stack.enter_context(balanced(tmp_path, replicas))
        clients = [threading.Thread(target=ask, args=(port,)) for _ in range(12)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        assert set(statuses) == {200, 429}
        assert post(port, json.dumps({"text": HELD_OUT}).encode())[0] == 200
