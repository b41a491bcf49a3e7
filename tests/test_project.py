"""What the files around the package say about it is true: version, extras, documentation."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import sector

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_citation_has_the_version_of_the_package() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {sector.__version__}\n" in citation
    assert PROJECT["dynamic"] == ["version"]


def test_every_extra_that_an_error_names_exists() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    named = set(re.findall(r'MissingExtraError\([^,()]*(?:\([^()]*\))?[^,()]*, "([a-z-]+)"\)', code))
    assert {"train", "parquet"} <= named <= set(PROJECT["optional-dependencies"])


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_every_extra_that_a_page_names_exists(page: Path) -> None:
    named = re.findall(r"(?:sector-nlp|'\.)\[([a-z,-]+)\]", page.read_text(encoding="utf-8"))
    assert {extra for names in named for extra in names.split(",")} <= set(PROJECT["optional-dependencies"])


def test_every_file_of_the_reading_order_exists() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z0-9_/]+\.py)`", page))
    assert {"cli/segment.py", "runtime/model.py", "baselines/runner.py"} <= named
    assert [name for name in sorted(named) if not (ROOT / "src" / "sector" / name).is_file()] == []


def test_every_page_is_in_the_navigation_of_the_site() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    pages = [path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")]
    assert [page for page in sorted(pages) if f"{page}\n" not in navigation] == []


def test_the_table_of_folders_is_complete() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"`([a-z0-9_]+(?:/|\.py))`", page.partition("## An afternoon")[0]))
    package = ROOT / "src" / "sector"
    folders = {f"{path.parent.name}/" for path in package.glob("*/__init__.py")}
    files = {path.name for path in package.glob("*.py")} - {"__init__.py", "__main__.py"}
    assert folders | files <= listed


def test_the_reference_has_every_public_name() -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "api").glob("*.md"))
    documented = re.findall(r"^::: (\S+)", pages, re.MULTILINE)
    for name in set(sector.__all__) - {"__version__", "evaluation"}:
        home = getattr(sector, name).__module__
        places = {f"{home}.{name}", *(f"{home.rpartition('.')[0]}.{name}", home, home.rpartition(".")[0])}
        assert places & set(documented), name


@pytest.mark.parametrize(
    "package", ["evaluation", "segmentation", "datasets", "encoders", "text", "chunks", "retrieval"]
)
def test_the_reference_has_every_class_and_function_of_a_package(package: str) -> None:
    module = import_module(f"sector.{package}")
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "api").glob("*.md"))
    if f"::: sector.{package}\n" not in pages:
        missing = {name for name in module.__all__ if f"::: sector.{package}.{name}\n" not in pages}
        assert not {name for name in missing if not name.isupper()}


LINKED = [
    *(path for path in ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "benchmarks").glob("*.md")),
    *sorted((ROOT / "benchmarks" / "results").glob("*.md")),
]


@pytest.mark.parametrize("page", LINKED, ids=lambda path: path.stem)
def test_links_between_files_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


def test_every_test_that_a_page_names_exists() -> None:
    for page in LINKED:
        named = set(re.findall(r"`(tests/[a-z0-9_/]+\.py)`", page.read_text(encoding="utf-8")))
        assert [name for name in sorted(named) if not (ROOT / name).is_file()] == [], page


def test_every_benchmark_is_in_their_list() -> None:
    page = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    files = [path for path in (ROOT / "benchmarks").glob("*/*.py") if "\nTITLE = " in path.read_text(encoding="utf-8")]
    names = [path.relative_to(ROOT / "benchmarks").with_suffix("").as_posix() for path in files]
    assert len(names) > 20
    assert [name for name in sorted(names) if name not in page] == []


def test_no_two_test_files_have_one_name() -> None:
    names = [path.name for path in (ROOT / "tests").rglob("*.py") if path.name != "conftest.py"]
    assert sorted(names) == sorted(set(names))
