"""Losses per sentence: the paper's cross-entropy (topics), sigmoid cross-entropy (headings) and ranking (both); ours.

Targets are n-hot [sentences, labels]; a topic has one 1 in its row. A row without any 1 has no gold label: it weighs
nothing in cross-entropy and in ranking, and teaches "none of these words" in sigmoid cross-entropy.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from sector.tasks import TaskName

GAMMA = 2.0
MARGIN_POSITIVE = 2.5
MARGIN_NEGATIVE = 0.5

Loss = Callable[[Tensor, Tensor], Tensor]


def label_loss(logits: tuple[Tensor, ...], targets: Tensor, *, task: TaskName, loss: str) -> Tensor:
    """Return each sentence's loss [sentences], summed over the network's outputs."""
    plain: Loss = sigmoid_cross_entropy if task == "headings" else cross_entropy
    single: Loss = {"rank": ranking_loss, "softmax": shared_cross_entropy}.get(loss, plain)
    return torch.stack([single(output.float(), targets) for output in logits]).sum(dim=0)


def teacher_loss(logits: tuple[Tensor, ...], labels: Tensor, *, exclusive: bool) -> Tensor:
    """Cross-entropy with a teacher's probabilities [sentences, labels], which sum up to 1 where they are exclusive."""
    single: Loss = sigmoid_cross_entropy
    if exclusive:
        single, labels = cross_entropy, labels / labels.sum(dim=1, keepdim=True).clamp(min=1e-6)
    return torch.stack([single(output.float(), labels) for output in logits]).sum(dim=0)


def boundary_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Binary cross-entropy of both boundaries [sentences, 2], summed per sentence."""
    return functional.binary_cross_entropy_with_logits(logits.float(), targets, reduction="none").sum(dim=1)


def cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    """−Σ y log softmax(s): zero for a sentence without a label."""
    return -(targets * functional.log_softmax(logits, dim=1)).sum(dim=1)


def shared_cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    """Cross-entropy with the gold labels as equal parts of one distribution."""
    return cross_entropy(logits, targets / targets.sum(dim=1, keepdim=True).clamp(min=1.0))


def sigmoid_cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    """Binary cross-entropy summed over the heading words."""
    return functional.binary_cross_entropy_with_logits(logits, targets, reduction="none").sum(dim=1)


def ranking_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Pull the mean score of the right labels above m⁺ and push the most offending wrong one below −m⁻.

    L = log(1 + exp γ(m⁺ − score⁺)) + log(1 + exp γ(m⁻ + score⁻)); zero for a sentence without a label.
    """
    positives = targets.sum(dim=1)
    positive = (logits * targets).sum(dim=1) / positives.clamp(min=1.0)
    negative = logits.masked_fill(targets > 0, float("-inf")).amax(dim=1)
    pull = functional.softplus(GAMMA * (MARGIN_POSITIVE - positive))
    push = functional.softplus(GAMMA * (MARGIN_NEGATIVE + negative))
    return torch.where(positives > 0, pull + push, torch.zeros_like(pull))
