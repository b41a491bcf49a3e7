"""Any document: a reader per format, and which one a file needs."""

from sector.reading.read import document_of, file_bytes, read, read_text
from sector.reading.registry import FORMATS, SUFFIXES, find_format, formats

__all__ = ["FORMATS", "SUFFIXES", "document_of", "file_bytes", "find_format", "formats", "read", "read_text"]
