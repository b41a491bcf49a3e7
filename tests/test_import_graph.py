"""The shape of the package: what imports what, how long files are, which names are private and which are unique."""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import sector

ROOT = Path(sector.__file__).parent
CORE = {"numpy", "onnxruntime", "rich", "sentencex", "typer"}
LONGEST = 300
"""Lines of a file."""
NAMES = ("utils", "helpers", "misc", "common")
BEGINNINGS = ("sector", "sector.cli.app", "sector.runtime", "sector.corpus", "sector.datasets", "sector.evaluation")
"""What every installation imports, and all that these import in turn."""
MODULES = {
    ".".join(("sector", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__"): path
    for path in ROOT.rglob("*.py")
}


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


class AtImport(ast.NodeVisitor):
    """Gathers what a module imports when it is imported: not within functions, and not for types alone."""

    def __init__(self) -> None:
        self.found: set[str] = set()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        pass

    def visit_If(self, node: ast.If) -> None:
        if "TYPE_CHECKING" not in ast.unparse(node.test):
            self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        self.found.update(alias.name for alias in node.names)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        source = str(node.module)
        self.found.update(f"{source}.{a.name}" if f"{source}.{a.name}" in MODULES else source for a in node.names)


@cache
def imported(module: str) -> frozenset[str]:
    gathered = AtImport()
    gathered.visit(tree(module))
    return frozenset(gathered.found)


def graph() -> dict[str, set[str]]:
    return {module: {name for name in imported(module) if name in MODULES and name != module} for module in MODULES}


def test_there_are_no_cycles() -> None:
    try:
        order = tuple(TopologicalSorter(graph()).static_order())
    except CycleError as error:
        pytest.fail(f"These modules import one another: {' → '.join(error.args[1])}")
    assert set(order) == set(MODULES)


def test_the_core_imports_no_extra() -> None:
    reached, waiting = set[str](), list(BEGINNINGS)
    while waiting:
        module = waiting.pop()
        if module not in reached:
            reached.add(module)
            waiting += [name for name in imported(module) if name in MODULES]
            waiting += [parent for parent in [module.rpartition(".")[0]] if parent]
    foreign = {name.partition(".")[0] for module in reached for name in imported(module) if name not in MODULES}
    assert foreign - set(sys.stdlib_module_names) - {"sector"} <= CORE
    assert len(reached) > 100


@pytest.mark.parametrize("module", MODULES)
def test_private_names_stay_in_their_file(module: str) -> None:
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("sector"):
            assert not [a.name for a in node.names if a.name.startswith("_") and not a.name.startswith("__")]


def test_files_are_short_and_named_after_what_is_in_them() -> None:
    lengths = {module: len(path.read_text(encoding="utf-8").splitlines()) for module, path in MODULES.items()}
    assert {module: length for module, length in lengths.items() if length > LONGEST} == {}
    assert not [module for module in MODULES if module.rpartition(".")[2] in NAMES]


def defined(module: str) -> Iterator[str]:
    """Yield the public classes and aliases of types of a module; a TypeVar means nothing outside of its file."""
    for node in tree(module).body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        value = ast.unparse(node.value) if isinstance(node, ast.Assign | ast.AnnAssign) and node.value else ""
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        yield from (name for name in names if re.fullmatch("[A-Z][a-z][A-Za-z0-9]*", name) and "TypeVar" not in value)


def test_no_two_types_have_one_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for module in MODULES:
        for name in defined(module):
            if not name.startswith("_"):
                places[name].append(module)
    assert {name: modules for name, modules in places.items() if len(modules) > 1} == {}
    assert len(places) > 200


def test_every_module_says_what_it_is_for() -> None:
    assert [module for module in MODULES if not ast.get_docstring(tree(module))] == []


def test_no_file_reads_pickles() -> None:
    forbidden = {"pickle", "marshal", "shelve", "dill", "joblib", "cloudpickle"}
    for module in MODULES:
        names = {name.partition(".")[0] for name in imported(module)}
        assert not names & forbidden, module
        text = ast.unparse(tree(module))
        assert "allow_pickle=True" not in text and "weights_only=False" not in text, module
