"""The boundary layer and shared words of headings, against their equations."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor

from sector.errors import ConfigError
from sector.network.config import NetworkConfig
from sector.network.losses import boundary_loss, label_loss, shared_cross_entropy, teacher_loss
from sector.network.model import SectorNetwork, SectorOutput
from sector.tasks import TaskName
from sector.training.batches import lay_out
from sector.training.learner import layout_on

CPU = torch.device("cpu")
LENGTHS = np.array([3, 1, 4])


def run(config: NetworkConfig) -> tuple[SectorNetwork, SectorOutput, Tensor]:
    """Return a network, its output for three documents, and both hidden states side by side."""
    torch.manual_seed(2)
    made = SectorNetwork(config).eval()
    states: list[Tensor] = []
    read = made._read
    made._read = lambda *a: states.append(read(*a)) or states[-1]  # type: ignore[method-assign, func-returns-value]
    begins = np.cumsum(LENGTHS) - LENGTHS
    with torch.no_grad():
        output = made(torch.randn(int(LENGTHS.sum()), 6), layout_on(lay_out(begins, LENGTHS), CPU))
    return made, output, torch.cat(states, dim=1)


def test_a_boundary_sees_both_of_its_sentences() -> None:
    made, output, hidden = run(NetworkConfig(6, 4, hidden=5, embedding=3, boundary=True))
    assert made.boundary is not None and output.boundary is not None
    weight, bias = made.boundary.weight, made.boundary.bias
    for begin, length in zip(np.cumsum(LENGTHS) - LENGTHS, LENGTHS, strict=True):
        for k in range(begin + 1, begin + length):
            own = weight[:2] @ hidden[k] + bias[:2]
            before = weight[2:] @ hidden[k - 1] + bias[2:]
            torch.testing.assert_close(output.boundary[k], own + before)


def test_the_paper_has_no_boundary_layer() -> None:
    made, output, _ = run(NetworkConfig(6, 4, hidden=5, embedding=3))
    assert output.boundary is None
    assert not any(name.startswith("boundary") for name in made.state_dict())


@pytest.mark.parametrize(
    ("task", "softmax", "exclusive"), [("topics", False, True), ("headings", False, False), ("headings", True, True)]
)
def test_exclusive_labels_share_a_probability_of_one(task: TaskName, softmax: bool, exclusive: bool) -> None:
    config = NetworkConfig(6, 4, task=task, softmax=softmax, hidden=5, embedding=3)
    made, output, _ = run(config)
    sums = made.probabilities(output).sum(dim=1)
    assert config.exclusive is exclusive
    assert torch.allclose(sums, torch.ones(8)) is exclusive


@pytest.mark.parametrize("name", ["boundary", "softmax", "tied"])
def test_switches_are_true_or_false(name: str) -> None:
    with pytest.raises(ConfigError, match=name):
        NetworkConfig.from_dict({"inputs": 4, "labels": 2, name: 1})


def test_words_of_a_heading_are_equal_parts() -> None:
    logits = torch.tensor([[1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0]])
    targets = torch.tensor([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    log = torch.log_softmax(logits, dim=1)
    expected = [-(log[0, 0] + log[0, 2]).item() / 2, -log[1, 1].item(), 0.0]
    assert shared_cross_entropy(logits, targets).tolist() == pytest.approx(expected)
    assert label_loss((logits,), targets, task="headings", loss="softmax").tolist() == pytest.approx(expected)


def test_boundary_loss_adds_both_boundaries() -> None:
    logits, targets = torch.tensor([[2.0, -1.0]]), torch.tensor([[1.0, 0.0]])
    expected = -np.log(1 / (1 + np.exp(-2))) - np.log(1 - 1 / (1 + np.exp(1)))
    assert boundary_loss(logits, targets).tolist() == pytest.approx([expected])


def test_a_teacher_is_followed_best_by_its_own_probabilities() -> None:
    said = torch.tensor([[0.6, 0.3, 0.1]])
    for exclusive, logits in ((True, said.log()), (False, torch.logit(said))):
        best = teacher_loss((logits,), said, exclusive=exclusive)
        for other in (logits + torch.tensor([0.1, 0, 0]), logits - torch.tensor([0, 0, 0.1])):
            assert teacher_loss((other,), said, exclusive=exclusive) > best
    shifted = teacher_loss((torch.logit(said) + 3,), said, exclusive=False)
    assert shifted > teacher_loss((torch.logit(said),), said, exclusive=False) + 1
