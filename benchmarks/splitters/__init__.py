"""Splitters that people use today beside ours, on the same texts in one run."""
