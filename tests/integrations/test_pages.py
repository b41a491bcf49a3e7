"""The code on the pages of docs/integrations runs as it stands there, from the repository's root."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sector.errors import MissingExtraError

pytestmark = pytest.mark.usefixtures("offline")

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "integrations").glob("*.md"))
CODE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_code_runs(page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    text = page.read_text(encoding="utf-8")
    for package in re.findall(r"^(?:from|import) (\w+)", "".join(CODE.findall(text)), re.MULTILINE):
        pytest.importorskip(package, reason=f"{package} is not installed")
    names: dict[str, object] = {"__name__": page.stem}
    for match in CODE.finditer(text):
        line = text.count("\n", 0, match.start(1))
        try:
            exec(compile("\n" * line + match[1], str(page), "exec"), names)
        except MissingExtraError as error:
            pytest.skip(str(error))
    assert capsys.readouterr().out
