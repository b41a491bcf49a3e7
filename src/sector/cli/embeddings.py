"""`sector train-embeddings`: train word vectors for the encoder emb on any documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from sector.cli import console


def train_embeddings(
    data: Annotated[list[Path], typer.Argument(help="Documents in any supported format.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Output folder, for words.txt and vectors.npy.")],
    language: Annotated[str, typer.Option(help="Language of the documents, e.g. en or de.")] = "",
    dimensions: Annotated[int, typer.Option(help="Dimensions of a vector.")] = 256,
    window: Annotated[int, typer.Option(help="Words of context on either side.")] = 7,
    epochs: Annotated[int, typer.Option(help="Passes over the data.")] = 8,
    min_count: Annotated[int, typer.Option(help="Minimum frequency of a word.")] = 3,
    subwords: Annotated[
        bool, typer.Option(help="Train FastText with subword vectors; helps for German and for small data.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Random seed. Runs are exactly repeatable with one worker only.")] = 1,
    workers: Annotated[int, typer.Option(help="Threads.")] = 2,
) -> None:
    """Train word vectors (CBOW) on documents, for `sector train --encoder emb --vectors FOLDER`."""
    from sector import datasets
    from sector.encoders.settings import check_positive
    from sector.encoders.word2vec import train

    for name, value in (("dimensions", dimensions), ("window", window), ("epochs", epochs), ("min_count", min_count)):
        check_positive(name, value)
    with console.progress("documents") as bar:
        task = bar.add_task("reading", total=None)

        def sentences() -> Iterator[list[str]]:
            for path in data:
                for document in datasets.read(path, language=language):
                    yield document.sentence_texts
                    bar.advance(task)

        vectors = train(sentences(), dimensions, window, epochs, min_count, seed, workers, subwords=subwords)
    output.mkdir(parents=True, exist_ok=True)
    vectors.save(output)
    console.err.print(f"{len(vectors)} words, {vectors.width} dimensions")
    console.write(f"{output}\n")
