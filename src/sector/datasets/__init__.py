"""Data sets: read the known formats as documents with gold sections, write them, count them, fetch them."""

from sector.datasets.base import DatasetReader
from sector.datasets.chen import ChenReader
from sector.datasets.formats import READERS, detect, load, read
from sector.datasets.jsonl import JsonlReader
from sector.datasets.multiseg import MultisegReader
from sector.datasets.ref import RefReader
from sector.datasets.statistics import DatasetCounts, Statistics, describe
from sector.datasets.wiki727 import Wiki727Reader
from sector.datasets.wikisection import WikiSectionReader
from sector.datasets.writing import WRITERS, write

__all__ = [
    "READERS",
    "WRITERS",
    "ChenReader",
    "DatasetCounts",
    "DatasetReader",
    "JsonlReader",
    "MultisegReader",
    "RefReader",
    "Statistics",
    "Wiki727Reader",
    "WikiSectionReader",
    "describe",
    "detect",
    "load",
    "read",
    "write",
]
