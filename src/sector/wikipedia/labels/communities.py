"""Dense clusters of a graph by Newman's leading eigenvector (2006), computed by igraph."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from sector.errors import MissingExtraError
from sector.wikipedia.labels.counts import Pair

TOLERANCES = (0.0, 1e-8, 1e-6, 1e-4)
"""How exact an eigenvector must be, in turn: those of small, regular graphs may not converge to the last digit."""
STEPS = 20_000
SMALLEST = 4
"""A connected piece with fewer nodes is one cluster."""


def communities(nodes: Sequence[str], edges: Mapping[Pair, float]) -> dict[str, int]:
    """Return each node the number of its cluster; the same graph always gives the same clusters."""
    igraph = _igraph()
    places = {node: i for i, node in enumerate(nodes)}
    pairs = [(places[first], places[second]) for first, second in edges]
    graph = igraph.Graph(n=len(nodes), edges=pairs, edge_attrs={"weight": list(edges.values())})
    found: dict[str, int] = {}
    with _repeatable(igraph):
        for piece in graph.connected_components():
            offset = len(set(found.values()))
            for node, cluster in zip(piece, _split(igraph, graph.subgraph(piece)), strict=True):
                found[nodes[node]] = offset + cluster
    return found


def _split(igraph: ModuleType, piece: Any) -> list[int]:
    """Split a connected piece for as long as that raises its modularity."""
    if piece.vcount() < SMALLEST:
        return [0] * piece.vcount()
    for tolerance in TOLERANCES:
        options = igraph.ARPACKOptions()
        options.tol, options.maxiter = tolerance, STEPS
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)
                clusters = piece.community_leading_eigenvector(weights="weight", arpack_options=options)
        except igraph.InternalError:
            continue
        return list(clusters.membership)
    return [0] * piece.vcount()


@contextmanager
def _repeatable(igraph: ModuleType) -> Iterator[None]:
    """Give igraph a fixed random seed for a while: its search for eigenvectors begins with a random vector."""
    igraph.set_random_number_generator(random.Random(0))
    try:
        yield
    finally:
        igraph.set_random_number_generator(random)


def _igraph() -> ModuleType:
    try:
        import igraph
    except ImportError as error:
        raise MissingExtraError("igraph", "wiki") from error
    module: ModuleType = igraph
    return module
