"""Build a data set from a dump: select, convert, shuffle, split, write, report. Interrupted, it goes on."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sector.atomic import replacing, write_text
from sector.datasets import DatasetCounts
from sector.datasets.json_writers import write_wikisection
from sector.digests import fingerprint
from sector.document import Document
from sector.errors import ConfigError, DataError
from sector.locks import locked
from sector.wikipedia.article import ArticleMaker
from sector.wikipedia.classes import Classes, load_classes
from sector.wikipedia.convert import Converter
from sector.wikipedia.dump import PACKED_PIECE, PIECE, DumpFile, Piece
from sector.wikipedia.report import BuildReport, page_counts
from sector.wikipedia.selection import Selector
from sector.wikipedia.site import Site
from sector.wikipedia.sparql import Endpoint
from sector.wikipedia.splits import SHARES, Shuffled, shuffle
from sector.wikipedia.titles import find_titles
from sector.wikipedia.work import WorkFolder
from sector.wikipedia.workers import convert_all

if TYPE_CHECKING:
    from sector.scale import RayParts

COMPRESSIONS = ("none", "gz", "bz2", "xz")
BuildProgress = Callable[[str, int, int], None]
"""Called with what is done, how much of it, and how much there is."""
_LANGUAGE = re.compile("[a-z]{2,3}(-[a-z]+)*|simple")
_FORMAT = 1
"""Changes when the same settings would give other records."""


@dataclass(frozen=True)
class Build:
    """One data set to be built."""

    dumps: tuple[Path, ...]
    classes_file: Path
    language: str
    output: Path
    seed: int = 1
    workers: int = 0
    """Processes that convert; 0: as many as there are cores."""
    compress: str = "none"
    force: bool = False
    """Begin anew and replace what is there."""
    endpoint: Endpoint = field(default_factory=Endpoint)
    ray: RayParts | None = None
    """Converts on a cluster, whose machines all see the dump and the output; None: processes of this machine."""
    progress: BuildProgress = field(default=lambda what, done, total: None)

    def run(self) -> BuildReport:
        """Build the set, or finish an interrupted build, and return the report."""
        classes = load_classes(self.classes_file)
        files = self._files()
        targets = self._targets(classes)
        with locked(self.output):
            return self._run(classes, files, targets)

    def _run(self, classes: Classes, files: list[DumpFile], targets: dict[str, Path]) -> BuildReport:
        work = WorkFolder(self.output / ".work")
        if self.force:
            work.remove()
        titles = find_titles(classes.select, self.language, self.endpoint, self._entities_progress(classes))
        work.begin(self._settings(titles))
        site = files[0].site
        selector = Selector(classes, titles, site.namespaces)
        self._convert(files, work, site, selector)
        report = self._write(files, work, targets, selector)
        work.remove()
        return report

    def _files(self) -> list[DumpFile]:
        if not _LANGUAGE.fullmatch(self.language):
            raise ConfigError(f"--language must be the code of a Wikipedia, e.g. de, not '{self.language}'.")
        names = [path.name for path in self.dumps]
        if len(set(names)) < len(names):
            raise ConfigError("Two files of the dump have the same name; name each file once.")
        files = [DumpFile(path, number) for number, path in enumerate(self.dumps)]
        for file in files:
            file.site.check_language(self.language)
        return files

    def _targets(self, classes: Classes) -> dict[str, Path]:
        if self.compress not in COMPRESSIONS:
            raise ConfigError(f"--compress must be one of {', '.join(COMPRESSIONS)}, not '{self.compress}'.")
        ending = "" if self.compress == "none" else f".{self.compress}"
        name = f"{self.language}_{classes.name}"
        targets = {split: self.output / f"{name}_{split}.json{ending}" for split in SHARES}
        there = [path for path in targets.values() if path.exists()]
        # An unfinished build may have written some of its files already.
        if there and not self.force and not (self.output / ".work").exists():
            raise ConfigError(f"{there[0]} exists already; choose another --output, or --force to replace it.")
        self.output.mkdir(parents=True, exist_ok=True)
        return targets

    def _entities_progress(self, classes: Classes) -> Callable[[int], None]:
        path = classes.select.entities
        size = path.stat().st_size if path else 0
        return lambda read: self.progress("searching Wikidata", read, size)

    def _settings(self, titles: dict[str, str]) -> dict[str, Any]:
        return {
            "format": _FORMAT,
            "pieces": [PIECE, PACKED_PIECE],
            "language": self.language,
            "classes": self.classes_file.read_text(encoding="utf-8"),
            "titles": fingerprint(titles),
            "dumps": [[path.name, path.stat().st_size] for path in self.dumps],
        }

    def _convert(self, files: Sequence[DumpFile], work: WorkFolder, site: Site, selector: Selector) -> None:
        maker = ArticleMaker(selector.classes.name, self.language, selector.classes.text, site.namespaces)
        converter = Converter(work.path.resolve(), tuple(file.path.name for file in files), site, selector, maker)
        before = [sum(file.size for file in files[:number]) for number in range(len(files) + 1)]
        done = 0
        for piece in self._converted(files, work, converter):
            done = max(done, before[piece.file] + piece.read)
            self.progress("converting", done, before[-1])

    def _converted(self, files: Sequence[DumpFile], work: WorkFolder, converter: Converter) -> Iterator[Piece]:
        pieces = _pieces(files, work)
        if self.ray is None:
            return convert_all(pieces, converter, self.workers or os.cpu_count() or 1)
        from sector.wikipedia.on_ray import convert_on_ray

        return convert_on_ray(files, pieces, converter, self.ray)

    def _write(
        self, files: Sequence[DumpFile], work: WorkFolder, targets: dict[str, Path], selector: Selector
    ) -> BuildReport:
        shuffled = shuffle(work, self.seed)
        summaries = [summary for _, summary in work.summaries()]
        warnings = [warning for file in files for warning in file.warnings]
        warnings += [warning for summary in summaries for warning in summary.warnings]
        if not len(shuffled):
            raise DataError(_nothing(page_counts(sum((each.fates for each in summaries), Counter())), warnings))
        total = DatasetCounts()
        counted = self._counted(total, len(shuffled))
        splits = {name: _write_split(part, targets[name], counted) for name, part in shuffled.splits().items()}
        report = BuildReport(
            name=f"{self.language}_{selector.classes.name}",
            seed=self.seed,
            dumps={file.path.name: file.size for file in files},
            generator=files[0].site.generator,
            classes=self.classes_file.read_text(encoding="utf-8"),
            pages=page_counts(sum((each.fates for each in summaries), Counter())),
            titles=len(selector.titles),
            titles_found=sum(summary.asked for summary in summaries),
            splits={name: tally.statistics() for name, tally in splits.items()},
            total=total.statistics(),
            warnings=warnings,
        )
        self._write_report(report)
        return report

    def _counted(self, total: DatasetCounts, length: int) -> Callable[[Iterable[Document]], Iterator[Document]]:
        def count(documents: Iterable[Document]) -> Iterator[Document]:
            for document in documents:
                total.add(document)
                self.progress("writing", total.documents, length)
                yield document

        return count

    def _write_report(self, report: BuildReport) -> None:
        texts = {
            "statistics.json": report.to_json(),
            "statistics.md": report.to_markdown(),
            "SOURCES.md": report.sources(),
        }
        for name, text in texts.items():
            write_text(self.output / f"{report.name}_{name}", text)


def _pieces(files: Sequence[DumpFile], work: WorkFolder) -> Iterator[Piece]:
    for file in files:
        yield from file.pieces(work.finished(file.number))


def _write_split(
    part: Shuffled, target: Path, counted: Callable[[Iterable[Document]], Iterator[Document]]
) -> DatasetCounts:
    tally = DatasetCounts()

    def each() -> Iterator[Document]:
        for document in counted(part.documents()):
            tally.add(document)
            yield document

    with replacing(target) as draft:
        write_wikisection(each(), draft, target.name)
    return tally


def _nothing(pages: dict[str, int], warnings: Sequence[str]) -> str:
    counts = ", ".join(f"{count:,} {name}" for name, count in pages.items() if count and name != "all")
    message = f"No article of {pages['all']:,} pages became a document ({counts or 'there are no pages'})"
    return " ".join((f"{message}; loosen the file of --classes.", *warnings))
