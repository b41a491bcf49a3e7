"""`sector train-embeddings`: word vectors from any documents, for the encoder emb."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from sector.cli import console


def train_embeddings(
    data: Annotated[list[Path], typer.Argument(help="Documents, in any format of `sector data`.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write: words.txt and vectors.npy.")],
    language: Annotated[str, typer.Option(help="Language of the documents, e.g. en or de.")] = "",
    dimensions: Annotated[int, typer.Option(help="Size of a vector.")] = 256,
    window: Annotated[int, typer.Option(help="Words of context on either side.")] = 7,
    epochs: Annotated[int, typer.Option(help="Passes over the text.")] = 8,
    min_count: Annotated[int, typer.Option(help="Least frequency of a word.")] = 3,
    subwords: Annotated[
        bool, typer.Option(help="FastText: parts of words have vectors too; for German and for little text.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Repeats a run exactly with one worker only.")] = 1,
    workers: Annotated[int, typer.Option(help="Threads.")] = 2,
) -> None:
    """Train word vectors (CBOW) on documents; use them with `sector train --encoder emb --vectors FOLDER`."""
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
    print(output)
