"""`sector wiki`: data sets in WikiSection's style from Wikipedia."""

from __future__ import annotations

import typer

from sector.cli.wiki_labels import labels

wiki_app = typer.Typer(help="Build data sets from Wikipedia and label their sections.", no_args_is_help=True)
wiki_app.command()(labels)
