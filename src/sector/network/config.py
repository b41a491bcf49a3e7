"""The shape of a network: what its weights need to be read back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from sector.errors import ConfigError
from sector.tasks import TASKS, TaskName

OUTPUTS = ("sum", "mean")
DROPOUT_PLACES = ("input", "everywhere")
BOUNDARIES = 4
"""Values of the boundary layer: two logits of a sentence, and their parts from the sentence before, not yet added."""


@dataclass(frozen=True, slots=True)
class NetworkConfig:
    """Sizes and variants; the defaults are the paper's."""

    inputs: int
    """Width of a sentence vector, structure flags included."""
    labels: int
    """Number of topics, or of heading words; with an open vocabulary, dimensions of the space of headings."""
    task: TaskName = "topics"
    """``topics``: one label per sentence (softmax); ``headings``: any number of words (sigmoid); ``open``: a vector in
    the space of headings."""
    softmax: bool = False
    """Let the words of headings share one probability of 1, instead of having one each; topics always do."""
    hidden: int = 256
    """Units of each LSTM."""
    embedding: int = 128
    """Size of the topic embedding per direction."""
    projection: int = 0
    """Size of a linear layer between the sentence vector and both LSTMs; 0 leaves it out, as the paper does."""
    tied: bool = True
    """Share embedding and label layer between the directions (paper), or not (authors' code)."""
    output: str = "sum"
    """``sum``: one label layer reads the sum of both directions (paper); ``mean``: each direction predicts and is
    trained alone, and the probabilities are averaged (authors' code)."""
    boundary: bool = False
    """Predict too where the label changes and where a section begins; what the segmentation ``joint`` looks at."""
    dropout: float = 0.5
    dropout_place: str = "input"
    """``input``: on the sentence vector only; ``everywhere``: before the embedding and label layers too."""

    def __post_init__(self) -> None:
        for name, allowed in (("task", TASKS), ("output", OUTPUTS), ("dropout_place", DROPOUT_PLACES)):
            if getattr(self, name) not in allowed:
                raise ConfigError(f"'{name}' must be one of {', '.join(allowed)}, not {getattr(self, name)!r}.")
        for name, least in (("inputs", 1), ("labels", 1), ("hidden", 1), ("embedding", 1), ("projection", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise ConfigError(f"'{name}' must be a whole number of at least {least}, not {value!r}.")
        for name in ("boundary", "softmax", "tied"):
            if not isinstance(getattr(self, name), bool):
                raise ConfigError(f"'{name}' must be true or false, not {getattr(self, name)!r}.")
        if not 0.0 <= self.dropout < 1.0:
            raise ConfigError(f"'dropout' must be at least 0 and below 1, not {self.dropout!r}.")

    @property
    def exclusive(self) -> bool:
        """Whether the labels' probabilities sum up to 1."""
        return self.softmax or self.task == "topics"

    @property
    def graph_outputs(self) -> dict[str, int]:
        """The outputs of the exported graph and how many values each has per sentence."""
        first = "vectors" if self.task == "open" else "probabilities"
        sizes = {first: self.labels, "forward": self.embedding, "backward": self.embedding}
        return sizes | ({"boundary": BOUNDARIES} if self.boundary else {})

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> NetworkConfig:
        """Read the fields back; an unknown one is an error."""
        unknown = set(record) - {field.name for field in fields(cls)}
        if unknown:
            raise ConfigError(f"The network has no setting called {', '.join(sorted(unknown))}.")
        try:
            return cls(**record)
        except TypeError as error:
            raise ConfigError(f"The network's settings are incomplete: {error}.") from error
