"""Call the command line as a user does: arguments and stdin in; exit code, stdout and stderr out; a corpus to read."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sector.cli.app import main
from tiny import record


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str


Call = Callable[..., Answer]
Write = Callable[[str, str | bytes], Path]


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Call:
    def run(*arguments: object, stdin: bytes = b"") -> Answer:
        monkeypatch.setattr(sys, "argv", ["sector", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsysbinary.readouterr()
        code = ended.value.code
        return Answer(code if isinstance(code, int) else 0, out.decode(), err.decode())

    return run


@pytest.fixture
def segment(call: Call, tiny_model: Path) -> Call:
    def run(*arguments: object, **options: Any) -> Any:
        return call("segment", "--model", tiny_model, *arguments, **options)

    return run


def corpus(path: Path, count: int) -> Path:
    lines = [json.dumps({"id": f"doc-{n}", "text": record(n)["text"]}) + "\n" for n in range(count)]
    path.write_text("".join(lines))
    return path


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]
