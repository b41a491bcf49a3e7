"""The losses against their formulas, and the ranking loss's gradient against finite differences."""

from __future__ import annotations

from math import exp, log

import pytest
import torch

from sector.network.losses import cross_entropy, label_loss, ranking_loss, sigmoid_cross_entropy


def test_cross_entropy() -> None:
    logits = torch.tensor([[1.0, 2.0, 0.5]])
    expected = -log(exp(2.0) / (exp(1.0) + exp(2.0) + exp(0.5)))
    assert cross_entropy(logits, torch.tensor([[0.0, 1.0, 0.0]])).item() == pytest.approx(expected)


def test_sigmoid_cross_entropy_sums_over_words() -> None:
    logits = torch.tensor([[0.3, -1.2]])
    expected = log(1 + exp(-0.3)) + log(1 + exp(-1.2))
    assert sigmoid_cross_entropy(logits, torch.tensor([[1.0, 0.0]])).item() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("targets", "positive", "negative"),
    [([0.0, 1.0, 0.0], 2.0, 1.0), ([1.0, 1.0, 0.0], 1.5, 0.5), ([1.0, 1.0, 1.0], 3.5 / 3, float("-inf"))],
)
def test_ranking_loss_takes_mean_of_right_and_worst_of_wrong(
    targets: list[float], positive: float, negative: float
) -> None:
    scores = torch.tensor([[1.0, 2.0, 0.5]])
    expected = log(1 + exp(2 * (2.5 - positive))) + log(1 + exp(2 * (0.5 + negative)))
    assert ranking_loss(scores, torch.tensor([targets])).item() == pytest.approx(expected)


def test_ranking_gradient_by_finite_differences() -> None:
    torch.manual_seed(0)
    scores = torch.randn(5, 7, dtype=torch.float64, requires_grad=True)
    targets = (torch.rand(5, 7) < 0.3).double()
    targets[0] = 0
    assert torch.autograd.gradcheck(lambda s: ranking_loss(s, targets), (scores,))


@pytest.mark.parametrize("loss", ["ce", "rank"])
def test_a_topic_sentence_without_a_label_has_no_loss_and_no_gradient(loss: str) -> None:
    logits = torch.randn(2, 3, requires_grad=True)
    targets = torch.tensor([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    rows = label_loss((logits,), targets, task="topics", loss=loss)
    assert rows[0].item() == 0
    rows.sum().backward()  # type: ignore[no-untyped-call]
    assert logits.grad is not None
    assert logits.grad[0].tolist() == [0, 0, 0]
    assert logits.grad[1].abs().sum() > 0


def test_two_outputs_add_up() -> None:
    first, second, targets = torch.randn(4, 3), torch.randn(4, 3), torch.eye(4, 3)
    both = label_loss((first, second), targets, task="topics", loss="ce")
    torch.testing.assert_close(both, cross_entropy(first, targets) + cross_entropy(second, targets))
