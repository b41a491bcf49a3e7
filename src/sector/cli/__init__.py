"""The command line: one file per command. Results go to stdout, progress and messages to stderr."""

from sector.cli.app import main

__all__ = ["main"]
