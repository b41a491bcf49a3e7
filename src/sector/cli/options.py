"""Arguments and options that several commands have in common, each with its one help text."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

InputArguments: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(metavar="[FILES… or -]", help="Documents, folders, .jsonl or .parquet corpora; - is stdin."),
]
ModelOption: TypeAlias = Annotated[
    str | None, typer.Option("--model", "-m", help="Name of an embedded model, or a model folder.")
]
HEADINGS = typer.Option(help="The author's: use them, only them, or ignore them.", metavar="use|only|ignore")
HeadingsOption: TypeAlias = Annotated[str, HEADINGS]
MergeOption: TypeAlias = Annotated[
    bool, typer.Option("--merge", help="Merge neighbouring sections with the same label.")
]
AddressOption: TypeAlias = Annotated[
    str | None, typer.Option(help="Of a Ray cluster, e.g. auto. By default one is started.")
]
EncodingOption: TypeAlias = Annotated[
    str | None, typer.Option(help="Character encoding of texts. By default detected.")
]
TextFieldOption: TypeAlias = Annotated[str, typer.Option(help="Field of a corpus record with the text.")]
IdFieldOption: TypeAlias = Annotated[str, typer.Option(help="Field of a corpus record with the id.")]
ForceOption: TypeAlias = Annotated[bool, typer.Option("--force", help="Replace existing files.")]
DeviceOption: TypeAlias = Annotated[str, typer.Option(help="auto, cpu, cuda or cuda:N.")]
