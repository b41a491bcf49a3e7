"""Many documents at once: where they come from, how they are segmented side by side, results that can be continued."""

from sector.corpus.base import Problem, Source
from sector.corpus.engine import Job, LocalEngine
from sector.corpus.inputs import InputOptions, find_sources
from sector.corpus.results import ResultsFile
from sector.corpus.run import FolderRun, readable

__all__ = [
    "FolderRun",
    "InputOptions",
    "Job",
    "LocalEngine",
    "Problem",
    "ResultsFile",
    "Source",
    "find_sources",
    "readable",
]
