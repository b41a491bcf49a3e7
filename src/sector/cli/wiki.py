"""`sector wiki`: data sets in WikiSection's style from Wikipedia."""

from __future__ import annotations

import typer

app = typer.Typer(help="Build labelled section data sets from Wikipedia dumps.", no_args_is_help=True)
# A further verb is one line in `app.py`: wiki.app.command()(its function).
