"""The work folder of a build: a file for each finished piece of the dump, so that a build can go on where it stopped.

A file's first line is the piece's summary; each further line is the number of a page, a tab and the record.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sector.atomic import write_text
from sector.errors import ConfigError, DataError
from sector.wikipedia.dump import Piece

_SETTINGS = "settings.json"


@dataclass
class Summary:
    """What became of the pages of a piece."""

    begin: int
    end: int
    fates: Counter[str] = field(default_factory=Counter)
    asked: int = 0
    """Pages whose title was asked for, whatever became of them."""
    warnings: list[str] = field(default_factory=list)

    def to_json(self) -> str:
        """Return one line."""
        return json.dumps(vars(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, line: bytes, path: Path) -> Summary:
        """Read that line."""
        try:
            values = json.loads(line)
            return cls(**(values | {"fates": Counter(values["fates"])}))
        except (ValueError, TypeError, KeyError) as error:
            raise DataError("The finished piece is damaged; remove it and run the build again.", file=path) from error


@dataclass(frozen=True)
class WorkFolder:
    """The folder of one build."""

    path: Path

    @property
    def pieces(self) -> Path:
        """Where finished pieces lie."""
        return self.path / "pieces"

    def begin(self, settings: Mapping[str, Any]) -> None:
        """Make the folder, or check that the one there is of a build with the same settings."""
        kept = self.path / _SETTINGS
        text = json.dumps(settings, indent=1, ensure_ascii=False, sort_keys=True)
        if kept.exists() and kept.read_text(encoding="utf-8") != text:
            message = f"{self.path} holds an unfinished build of another dump or with other settings"
            raise ConfigError(f"{message}; finish that one, choose another --output, or add --force to begin anew.")
        self.pieces.mkdir(parents=True, exist_ok=True)
        for draft in self.pieces.glob(".*.part"):
            draft.unlink()
        write_text(kept, text)

    def finish(self, piece: Piece, summary: Summary, lines: Iterable[str]) -> None:
        """Keep what was made of a piece."""
        content = "".join(f"{line}\n" for line in (summary.to_json(), *lines))
        write_text(self.pieces / f"{piece.file:04d}-{piece.begin:015d}.jsonl", content)

    def finished(self, file: int) -> dict[int, int]:
        """Return where the finished pieces of a file begin and end."""
        found = (summary for _, summary in self.summaries(f"{file:04d}-"))
        return {summary.begin: summary.end for summary in found}

    def summaries(self, prefix: str = "") -> Iterator[tuple[Path, Summary]]:
        """Return the finished pieces in the order of the dump."""
        for path in sorted(self.pieces.glob(f"{prefix}[0-9]*.jsonl")):
            with path.open("rb") as stream:
                yield path, Summary.from_json(stream.readline(), path)

    def remove(self) -> None:
        """Remove the folder with all that is in it."""
        if self.path.exists():
            shutil.rmtree(self.path)
