"""Print what an installation consists of, with versions and licences, as a CycloneDX list (SBOM).

    python .ci/sbom.py [EXTRA …] > sbom.json

The environment that it runs in is read; what is named by the core or by an extra and not installed is left out.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import Distribution, PackageNotFoundError, distribution

NAME = "sector-nlp"
REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(?:\[([^\]]*)\])?([^;]*)(?:;(.*))?")
EXTRA = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]")


def needed(name: str, extras: frozenset[str], seen: set[tuple[str, frozenset[str]]]) -> Iterator[Distribution]:
    """Yield what a distribution needs and what that needs in turn."""
    with suppress(PackageNotFoundError):
        found = distribution(name)
        for line in found.requires or ():
            match = REQUIREMENT.match(line)
            wanted = EXTRA.search(line)
            if match is None or (wanted and wanted[1] not in extras):
                continue
            key = (normal(match[1]), frozenset((match[2] or "").replace(" ", "").split(",")) - {""})
            if key not in seen:
                seen.add(key)
                with suppress(PackageNotFoundError):
                    yield distribution(key[0])
                yield from needed(*key, seen)


def normal(name: str) -> str:
    """Return a name as indexes spell it."""
    return re.sub("[-_.]+", "-", name).lower()


def component(found: Distribution) -> dict[str, object]:
    """Return one entry of the list."""
    about = found.metadata
    name, classifiers = normal(about["Name"]), about.get_all("Classifier") or []
    stated = [line.rpartition(" :: ")[2] for line in classifiers if line.startswith("License ::")]
    licence = about.get("License-Expression") or ", ".join(stated) or (about.get("License") or "unknown").split("\n")[0]
    purl = f"pkg:pypi/{name}@{found.version}"
    licences = [{"license": {"name": licence}}]
    return {"type": "library", "name": name, "version": found.version, "purl": purl, "licenses": licences}


def main() -> None:
    """Print the list."""
    own = distribution(NAME)
    parts = {normal(each.metadata["Name"]): each for each in needed(NAME, frozenset(sys.argv[1:]), set())}
    parts.pop(NAME, None)
    about = {"component": {"type": "application", "name": NAME, "version": own.version}}
    components = [component(parts[name]) for name in sorted(parts)]
    listed = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": about, "components": components}
    print(json.dumps(listed, indent=1))


if __name__ == "__main__":
    main()
