"""The notebooks of docs/notebooks run as they stand there, without the network, and hold no outputs."""

from __future__ import annotations

import ast
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.usefixtures("offline")

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
NEEDED = {
    "retrieval": (),
    "segment-your-pdfs": ("pandas", "pypdfium2"),
    "train-on-your-labels": ("sklearn", "torch"),
}


def cells(notebook: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return found


def run(code: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does; return the value of its last expression."""
    *rest, last = ast.parse(code).body
    ending = ast.Expression(last.value) if isinstance(last, ast.Expr) else None
    module = ast.Module(rest if ending else [*rest, last], type_ignores=[])
    exec(compile(module, "cell", "exec"), names)
    return eval(compile(ending, "cell", "eval"), names) if ending else None


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(notebook: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for package in NEEDED[notebook.stem]:
        pytest.importorskip(package, reason=f"{package} is not installed")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copytree(FOLDER, tmp_path / "docs" / "notebooks", ignore=shutil.ignore_patterns("output"))
    monkeypatch.chdir(tmp_path / "docs" / "notebooks")
    names: dict[str, Any] = {"__name__": "__main__"}
    values = [run("".join(cell["source"]), names) for cell in cells(notebook) if cell["cell_type"] == "code"]
    shown = [value for value in values if value is not None]
    assert shown and all(repr(value) for value in shown)
    for value in shown:
        if hasattr(value, "_repr_html_"):
            assert value._repr_html_()


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_hold_no_outputs(notebook: Path) -> None:
    assert not [cell for cell in cells(notebook) if cell.get("outputs") or cell.get("execution_count")]


def test_the_page_lists_all_notebooks() -> None:
    page = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\(notebooks/([a-z-]+\.ipynb)\)", page)) == {path.name for path in NOTEBOOKS}
