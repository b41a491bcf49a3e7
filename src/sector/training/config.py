"""Every option of a training run, with its default and what it is for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from sector.errors import ConfigError
from sector.network.config import DROPOUT_PLACES, OUTPUTS

SCHEDULES = ("linear", "exponential", "constant")
LOSSES = ("ce", "rank", "softmax")


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """How a network is trained; what it reads and predicts is decided when the data is prepared."""

    loss: str = "ce"
    """``ce``: cross-entropy (sigmoid cross-entropy for headings); ``rank``: the pairwise ranking loss;
    ``softmax``: the words of a heading as equal parts of one distribution, which ranks them better."""
    hidden: int = 256
    """Units of each LSTM."""
    embedding: int = 128
    """Size of the topic embedding per direction."""
    projection: int = 0
    """Size of a linear layer before the LSTMs, for speed at run time; 0: none, as in the paper."""
    tied: bool = True
    """Share embedding and label layer between the directions."""
    output: str = "sum"
    """``sum`` (paper) or ``mean`` of two separate outputs (authors' code)."""
    dropout: float = 0.5
    dropout_place: str = "input"
    """``input`` or ``everywhere``."""
    space: int = 256
    """Dimensions of the space of headings. Only for the task ``open``."""
    sampled: int = 384
    """Headings of other documents that a section is compared with at each step. Only for the task ``open``."""
    boundary: float = 0.0
    """Weight of the boundary loss; 0: no boundary layer, as in the paper. The segmentation ``joint`` needs one."""
    balance: float = 0.0
    """From 0, where all sentences count alike (paper), to 1, where all sections do."""
    distil: float = 0.5
    """Weight of what a teacher says against the gold labels, where the data has been read by a teacher."""
    learn_vectors: bool = False
    """Fine-tune the word vectors of ``emb``."""
    reader_rate: float = 0.0
    """Learning rate of word vectors or of a pretrained encoder; 0: that of the network."""
    frozen: bool = False
    """Leave a pretrained encoder as it is: it reads every sentence once, and the network alone is trained."""
    checkpointing: bool = False
    """Compute a pretrained encoder's layers twice to save memory."""
    averaging: float = 0.0
    """Decay per step of an exponential moving average of the weights, e.g. 0.995; 0: no average."""
    word_dropout: float = 0.0
    """Share of words left out of a sentence in training. Only for dense encoders: dropping the columns of a sparse
    one does the same."""
    flag_dropout: float = 0.0
    """Share of documents whose line breaks and list items are not seen, so that one model is right for text with
    paragraphs and without. Only where the recipe has ``flags``."""
    epochs: int = 20
    """At most so many passes over the documents; the linear schedule ends there."""
    patience: int = 10
    """Stop after so many epochs without a better MAP on the validation documents. Ignored without validation data."""
    batch: int = 16
    """Documents per step."""
    window: int = 400
    """Longest run of sentences trained on at once; a longer document gives a new random window in each epoch."""
    crop: float = 0.0
    """Share of documents that are cut to a random part in each epoch, so that short documents are learned too."""
    learning_rate: float = 1e-3
    weight_decay: float = 1e-4
    """Decoupled (AdamW)."""
    warmup: int = 100
    """Steps until the learning rate is reached. Only for the linear schedule."""
    schedule: str = "linear"
    """``linear`` to zero at the last epoch, ``exponential`` (× 0.85 per epoch, the authors' code) or ``constant``."""
    clip: float = 1.0
    """Largest norm of the gradient; 0: no clipping."""
    precision: str = "auto"
    """``auto``: half precision on CUDA, float32 on a CPU; ``float32``: everywhere."""
    seed: int = 1
    """Two runs with one seed on one machine give the same weights."""

    def __post_init__(self) -> None:
        self._check_choices()
        self._check_numbers()

    def _check_choices(self) -> None:
        choices = {
            "loss": LOSSES,
            "output": OUTPUTS,
            "dropout_place": DROPOUT_PLACES,
            "schedule": SCHEDULES,
            "precision": ("auto", "float32"),
            "tied": (True, False),
            "learn_vectors": (True, False),
            "frozen": (True, False),
            "checkpointing": (True, False),
        }
        for name, allowed in choices.items():
            if getattr(self, name) not in allowed:
                listed = ", ".join(str(choice) for choice in allowed)
                raise ConfigError(f"The option '{name}' must be one of {listed}, not {getattr(self, name)!r}.")

    def _check_numbers(self) -> None:
        whole = {
            "hidden": 1,
            "embedding": 1,
            "projection": 0,
            "space": 1,
            "sampled": 1,
            "epochs": 1,
            "patience": 1,
            "batch": 1,
            "window": 2,
        }
        for name, least in (whole | {"warmup": 0, "seed": 0}).items():
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise ConfigError(f"The option '{name}' must be a whole number of at least {least}, not {value!r}.")
        parts = ("dropout", "word_dropout", "balance", "distil", "crop", "averaging", "flag_dropout")
        for name in (*parts, "boundary", "reader_rate", "learning_rate", "weight_decay", "clip"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or isinstance(value, bool) or value < 0:
                raise ConfigError(f"The option '{name}' must be a number of at least 0, not {value!r}.")
        for name in parts:
            whole_allowed = name in ("balance", "distil", "crop", "flag_dropout")
            if getattr(self, name) > 1 or (getattr(self, name) == 1 and not whole_allowed):
                raise ConfigError(f"The option '{name}' must be below 1, not {getattr(self, name)!r}.")

    def to_dict(self) -> dict[str, Any]:
        """Return the options as JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> TrainingConfig:
        """Read options from JSON or TOML; an unknown name is an error that lists the known ones."""
        known = {field.name for field in fields(cls)}
        unknown = sorted(set(record) - known)
        if unknown:
            raise ConfigError(
                f"There is no training option called {', '.join(unknown)}; there are {', '.join(sorted(known))}."
            )
        return cls(**record)
