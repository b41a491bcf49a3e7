"""`sector data`: fetch, convert and describe data sets."""

from __future__ import annotations

import typer

app = typer.Typer(help="Fetch, convert and describe data sets.", no_args_is_help=True)
