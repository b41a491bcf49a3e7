"""What is done, kept beside the results: a plan of parts, a marker for each that is done, a manifest for people.

A part is put in place under a name of its own and then marked. One that was interrupted in between is done again, with
the same bytes under the same name: each document is written once, whoever was killed when.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sector.digests import fingerprint
from sector.errors import ConfigError
from sector.scale.parts import CorpusPart
from sector.scale.storage import Storage, StoredFile
from sector.scale.totals import PartResult, RunSummary

MANIFEST, PLAN, DEAD_LETTERS = "manifest.json", "_sector/plan.jsonl", "failed.jsonl"
DONE, FAILED, ATTEMPTS = "_sector/done", "_sector/failed", "_sector/attempts"
MOST_LISTED = 10_000
"""Inputs that the manifest lists; the plan has all of them."""


class LedgerError(ConfigError):
    """The results that are there are not those of this run."""


@dataclass(frozen=True)
class Ledger:
    """The books of an output folder."""

    storage: Storage

    def settings(self) -> dict[str, Any] | None:
        """Return what the results that are there depend on; None in a new folder."""
        try:
            return dict(json.loads(self.storage.read(MANIFEST))["settings"])
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError) as error:
            raise self._mismatch(f"{MANIFEST} is damaged ({error})") from error

    def check(self, settings: Mapping[str, Any]) -> None:
        """Raise ConfigError where results were begun with other settings."""
        before = self.settings()
        for name, value in settings.items():
            if before is not None and before.get(name) != value:
                raise self._mismatch(f"it was begun with {name} = {before.get(name)}, and now it is {value}")

    def plan(self) -> list[CorpusPart]:
        """Return the parts that were planned."""
        try:
            return [CorpusPart.from_json(line) for line in self.storage.read(PLAN).splitlines()]
        except FileNotFoundError:
            return []
        except (ValueError, KeyError, TypeError) as error:
            raise self._mismatch(f"{PLAN} is damaged ({error})") from error

    def check_files(self, plan: Iterable[CorpusPart], files: Iterable[StoredFile]) -> None:
        """Raise ConfigError where a file was changed after it was planned."""
        known = {file.address: file for part in plan for file in part.files}
        for file in files:
            before = known.get(file.address, file)
            if (before.size, before.version) != (file.size, file.version):
                raise self._mismatch(f"{file.address} was changed after this run was begun")

    def write_plan(self, parts: Sequence[CorpusPart]) -> None:
        """Keep the parts."""
        self.storage.write(PLAN, "".join(f"{part.to_json()}\n" for part in parts).encode())

    def write_manifest(
        self, settings: Mapping[str, Any], parts: Sequence[CorpusPart], done: set[str], summary: RunSummary
    ) -> None:
        """Write for people and programs which inputs are done, with what, and how many of what was found."""
        planned, finished = Counter[str](), Counter[str]()
        for part in parts:
            for file in part.files:
                planned[file.address] += 1
                finished[file.address] += part.name in done
        files = {file.address: file for part in parts for file in part.files}
        inputs = [
            {"input": name, "size": file.size, "version": file.version}
            | {"parts": planned[name], "parts_done": finished[name], "done": finished[name] == planned[name]}
            for name, file in list(files.items())[:MOST_LISTED]
        ]
        counted = {"inputs": len(files), "inputs_done": sum(finished[name] == planned[name] for name in files)}
        record = {"state": "done" if summary.is_done else "begun", "settings_fingerprint": fingerprint(dict(settings))}
        record |= {"settings": dict(settings)} | summary.to_dict() | counted | {"files": inputs}
        self.storage.write(
            MANIFEST, (json.dumps(record, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")
        )

    def done(self) -> dict[str, PartResult]:
        """Return the results of the parts that are done."""
        names = sorted(name for name in self.storage.names(DONE) if name.endswith(".json") and name[0] != ".")
        found: dict[str, PartResult] = {}
        for begin in range(0, len(names), 1000):
            contents = self.storage.read_all([f"{DONE}/{name}" for name in names[begin : begin + 1000]])
            found |= {result.part: result for result in map(_marker, contents.values()) if result}
        return found

    def result(self, part: str) -> PartResult | None:
        """Return the result of a part that is done."""
        try:
            return _marker(self.storage.read(f"{DONE}/{part}.json"))
        except FileNotFoundError:
            return None

    def attempt(self, part: str) -> int:
        """Count and return the attempts at a part, of which those before this one were ended from outside."""
        name = f"{ATTEMPTS}/{part}"
        try:
            before = int(self.storage.read(name) or 0)
        except (FileNotFoundError, ValueError):
            before = 0
        self.storage.write(name, str(before + 1).encode())
        return before + 1

    def forget_attempts(self, part: str) -> None:
        """Count from the beginning: a part has ended, well or with an error."""
        self.storage.remove(f"{ATTEMPTS}/{part}")

    def forget_finished(self, done: Container[str]) -> None:
        """Remove the counts of parts that are done, whose workers were ended before they could."""
        for name in sorted(self.storage.names(ATTEMPTS)):
            if name in done:
                self.forget_attempts(name)

    def commit(self, result: PartResult, rows: Path | None, letters: Path | None) -> None:
        """Put the results of a part in place, then mark it."""
        if letters is not None:
            self.storage.put(f"{FAILED}/{result.part}.jsonl", letters)
        if rows is not None:
            self.storage.put(result.file, rows)
        self.storage.write(f"{DONE}/{result.part}.json", result.to_json())

    def gather_failures(self, results: Iterable[PartResult]) -> None:
        """Write the dead letters of all parts to one file."""
        names = [f"{FAILED}/{result.part}.jsonl" for result in results if result.failures]
        found = self.storage.read_all(names)
        if found:
            self.storage.write(DEAD_LETTERS, b"".join(found[name] for name in names if name in found))
        else:
            self.storage.remove(DEAD_LETTERS)

    def clear(self) -> None:
        """Remove the results of an earlier run."""
        files = [result.file for result in self.done().values() if result.file]
        self.storage.clear([*files, MANIFEST, DEAD_LETTERS, "_sector"])

    def _mismatch(self, why: str) -> LedgerError:
        return LedgerError(
            f"{self.storage.address} cannot be continued: {why}. Give --overwrite to begin anew, or another --output."
        )


def _marker(content: bytes) -> PartResult | None:
    """Return what a marker says; None for a damaged one, whose part is done again."""
    try:
        return PartResult.from_json(content)
    except (ValueError, TypeError):
        return None
