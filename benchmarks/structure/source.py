"""The packages of `src/sector`, what they import of one another, import cycles, and blocks of code that occur twice.

`--revision` names commits in their order, to see what changed between them.
"""

from __future__ import annotations

import argparse
import ast
import io
import subprocess
import tarfile
import tokenize
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from harness.page import table

TITLE = "The source: imports and duplicates"
ROOT = Path(__file__).parents[2]
SPLIT = {"compression", "digests", "distribution", "export", "files", "http", "json_text", "locks", "processes"}
SPLIT |= {"progress", "tasks"}
"""Packages that were split from others when these were put in order; all other new ones came with new features."""
IGNORED = (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--revision", nargs="*", default=["HEAD"])
    parser.add_argument("--tokens", type=int, default=60, help="from how many equal tokens on a block is a duplicate")


def report(options: argparse.Namespace) -> Iterator[str]:
    read = {revision: sources(revision) for revision in options.revision}
    if len(read) > 1:
        yield from growth({revision: package_modules(files) for revision, files in read.items()})
    for revision, files in read.items():
        modules = package_modules(files)
        graph = imports(modules)
        lines = sum(text.count("\n") for text in modules.values())
        yield f"## {revision}: {len(modules)} modules, {lines:,} lines in src/sector\n"
        yield from table(["package", "modules", "lines", "imports"], packages(modules, graph), 4)
        cycles = ", ".join(" ↔ ".join(sorted(cycle)) for cycle in circles(graph)) or "none"
        yield f"\nImport cycles between modules: {cycles}.\n"
        for folder in ("src", "tests", "benchmarks"):
            own = {path: text for path, text in files.items() if path.startswith(f"{folder}/")}
            found = duplicates(own, options.tokens)
            size = sum(text.count("\n") for text in own.values())
            yield f"{folder}: {size:,} lines; {len(found)} blocks of {options.tokens} tokens occur twice or more."
            yield from (f"- {', '.join(places)}" for places in found)
            yield ""


def sources(revision: str) -> dict[str, str]:
    """Return the text of every Python file of a commit by its path."""
    packed = subprocess.run(["git", "archive", revision], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        members = [member for member in archive if member.isfile() and member.name.endswith(".py")]
        return {member.name: archive.extractfile(member).read().decode() for member in members}  # type: ignore[union-attr]


def package_modules(files: Mapping[str, str]) -> dict[str, str]:
    return {module(path): text for path, text in files.items() if path.startswith("src/sector")}


def growth(read: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Show the lines of each package at every revision: of what was there at first or was split from it, then of the
    rest."""
    names = list(read)
    sizes = {name: lengths(modules, all_lines) for name, modules in read.items()}
    code = {name: lengths(modules, code_lines) for name, modules in read.items()}
    added = {name: text for name, text in read[names[-1]].items() if name not in read[names[-2]]}
    late = lengths(added, all_lines)
    first, last = sizes[names[0]].keys(), sizes[names[-1]].keys()
    groups = {
        "restructured": sorted(first | (last & SPLIT)),
        "new since": sorted(last - first - SPLIT),
        "all": sorted(first | last),
    }
    yield "## Lines before and after\n"
    yield f"Restructured are the packages of {names[0]} and what was split from them: {', '.join(sorted(SPLIT))}."
    yield f"The column on the right counts the part of {names[-1]} that is in files that {names[-2]} does not have."
    yield "Code is what is left without docstrings, comments and blank lines.\n"
    head = [*names, f"in files new since {names[-2]}"]
    rows = [[title, *(total(size, group) for size in (*sizes.values(), late))] for title, group in groups.items()]
    rows += [[f"{title}, code", *(total(size, group) for size in code.values()), ""] for title, group in groups.items()]
    yield from table(["packages", *head], rows)
    for title in ("restructured", "new since"):
        yield ""
        rows = [[f"`{name}`", *(total(size, [name]) for size in (*sizes.values(), late))] for name in groups[title]]
        yield from table([title, *head], rows)
    yield ""


def total(sizes: Mapping[str, int], packages: Iterable[str]) -> str:
    return f"{sum(sizes.get(name, 0) for name in packages):,}"


def lengths(modules: Mapping[str, str], count: Callable[[str], int]) -> Counter[str]:
    """Return the lines of each package."""
    found: Counter[str] = Counter()
    for name, text in modules.items():
        found[package(name)] += count(text)
    return found


def all_lines(text: str) -> int:
    return text.count("\n")


def code_lines(text: str) -> int:
    """Return how many lines hold code, not counting docstrings, comments and blank lines."""
    documented = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    spaces = (*IGNORED, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    tokens = (token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type not in spaces)
    return len({line for token in tokens for line in range(token.start[0], token.end[0] + 1)} - documented)


def module(path: str) -> str:
    return path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imports(modules: Mapping[str, str]) -> dict[str, set[str]]:
    """Return the modules that each one imports when it is itself imported: not those of its functions or for types."""
    return {name: set(imported(ast.parse(text), modules)) - {name} for name, text in modules.items()}


def imported(tree: ast.Module, modules: Mapping[str, str]) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            parts = [f"{node.module}.{name.name}" for name in node.names]
            yield from (part if part in modules else node.module for part in parts if node.module in modules)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name in modules)


def packages(modules: Mapping[str, str], graph: Mapping[str, set[str]]) -> Iterator[list[str]]:
    size = lengths(modules, all_lines)
    edges: dict[str, set[str]] = defaultdict(set)
    for name in modules:
        edges[package(name)] |= {package(other) for other in graph[name]} - {package(name)}
    count = Counter(map(package, modules))
    for name in sorted(size):
        yield [f"`{name}`", str(count[name]), f"{size[name]:,}", ", ".join(sorted(edges[name]))]


def package(name: str) -> str:
    return name.split(".")[1] if "." in name else "sector"


def circles(graph: Mapping[str, set[str]]) -> Iterator[set[str]]:
    """Return the sets of modules that import one another (Tarjan's strongly connected components)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []

    def visit(name: str) -> Iterator[set[str]]:
        order[name] = low[name] = len(order)
        stack.append(name)
        for other in graph[name]:
            if other not in order:
                yield from visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], order[other])
        if low[name] == order[name]:
            found = set(stack[stack.index(name) :])
            del stack[stack.index(name) :]
            if len(found) > 1:
                yield found

    for name in graph:
        if name not in order:
            yield from visit(name)


def duplicates(files: Mapping[str, str], least: int) -> list[list[str]]:
    """Return the places (path:line) of each block of equal tokens; comments and blank lines do not count."""
    places: dict[tuple[str, ...], list[tuple[str, int]]] = defaultdict(list)
    tokens = {path: list(read(text)) for path, text in files.items()}
    for path, found in tokens.items():
        words = [word for word, _ in found]
        for begin in range(len(found) - least + 1):
            if begin == 0 or found[begin][1] != found[begin - 1][1]:  # blocks begin with a line
                places[tuple(words[begin : begin + least])].append((path, found[begin][1]))
    seen: set[tuple[str, int]] = set()
    blocks = []
    for same in places.values():
        if len(same) > 1:
            fresh = not any((path, line - back) in seen for path, line in same[:1] for back in range(1, 4))
            seen |= set(same)
            if fresh:
                blocks.append([f"{path}:{line}" for path, line in same])
    return blocks


def read(text: str) -> Iterator[tuple[str, int]]:
    """Return the tokens of a file with their lines; imports are left out, for they are alike everywhere."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in IGNORED and not token.line.lstrip().startswith(("import ", "from ")):
            yield token.string, token.start[0]
