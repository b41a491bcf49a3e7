"""What may be trusted: no network in the core, no telemetry, licences that are known, a list of all that is used."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import sector

ROOT = Path(__file__).parent.parent
NETWORK = {"http", "urllib", "socket", "ssl", "requests", "httpx", "aiohttp", "ftplib", "smtplib", "asyncio"}
CONNECTING = {
    "http.py",  # requests of `sector wiki` and of lexicons, to addresses that the user gives
    "datasets/download.py",  # `sector data fetch`
    "scale/on_ray.py",  # the cluster that --address names
    "server/running.py",  # the port that `sector serve` listens at
}
PERMISSIVE = (
    "MIT",
    "BSD",
    "Apache",
    "ISC",
    "PSF",
    "Python Software Foundation",
    "MPL",
    "0BSD",
    "Zlib",
    "HPND",
    "Unlicense",
)


def test_few_modules_can_reach_a_network() -> None:
    package = Path(sector.__file__).parent
    found = set()
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            reached = {name.partition(".")[0] for name in names if name not in ("urllib.parse", "asyncio")}
            if reached & NETWORK:
                found.add(path.relative_to(package).as_posix())
    assert found == CONNECTING


def test_the_core_opens_no_socket(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Snow\n\nSnow falls on the hills.\n\n# Kings\n\nHe was a king of the valley.\n")
    code = (
        "import pathlib, sys\n"
        "def refuse(event, given):\n"
        "    if event.startswith('socket.') or event in ('urllib.Request', 'http.client.connect'):\n"
        "        raise SystemExit(f'{event} {given}')\n"
        "sys.addaudithook(refuse)\n"
        "import sector\n"
        "model = sector.load('en_city')\n"
        f"text = pathlib.Path({str(ROOT / 'examples' / 'harbour-town.txt')!r}).read_text()\n"
        "assert model.segment(text).sections and list(model.segment_all([text])) and model.chunk(text)\n"
        f"assert model.segment(sector.read({str(tmp_path / 'a.md')!r})).sections\n"
        f"index = sector.Index({str(tmp_path / 'i.db')!r}, model)\n"
        "index.add({'a': text})\n"
        "assert index.search('schools')\n"
        "print('done')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "done\n", done.stderr


def test_frameworks_that_we_plug_into_stay_quiet_in_tests() -> None:
    assert os.environ["HAYSTACK_TELEMETRY_ENABLED"] == "False"
    assert os.environ["HF_HUB_DISABLE_TELEMETRY"] == os.environ["HF_HUB_OFFLINE"] == "1"
    assert os.environ["LANGSMITH_TRACING"] == "false"


def test_the_list_of_all_that_is_used() -> None:
    done = subprocess.run([sys.executable, str(ROOT / ".ci" / "sbom.py")], capture_output=True, text=True, check=True)
    listed = json.loads(done.stdout)
    assert (listed["bomFormat"], listed["specVersion"]) == ("CycloneDX", "1.5")
    parts = {part["name"]: part for part in listed["components"]}
    assert {"numpy", "onnxruntime", "rich", "sentencex", "typer"} <= set(parts)
    assert not {"torch", "pytest", "fastapi"} & set(parts)
    for name, part in parts.items():
        licences = " ".join(str(entry["license"]["name"]) for entry in part["licenses"])
        assert any(known in licences for known in PERMISSIVE), (name, licences)
        assert part["purl"] == f"pkg:pypi/{name}@{part['version']}"
