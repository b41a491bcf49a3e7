"""Temperature scaling: after training, probabilities are made to mean what they say.

A network that has seen its training documents many times is too sure of itself on others. Dividing its logits by one
number, found on the validation documents, changes no ranking and makes a confidence of 0.8 right in 8 of 10 cases. The
number goes into the weights of the label layer, so that nothing else needs to know of it (Guo et al., 2017).

A topic's number is that of the highest likelihood. The words of a heading share one distribution, so that none of them
has much of it; there the likelihood of "the best word is one of the heading's" counts.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from sector.evaluation.calibration import expected_calibration_error
from sector.training.batches import reading_batches
from sector.training.learner import SectorLearner

LOWEST, HIGHEST, STEPS = 0.25, 8.0, 60
"""The temperatures that are tried, in equal ratios."""


@torch.no_grad()
def calibrate(task: SectorLearner) -> dict[str, float]:
    """Scale the label layer; return the temperature and the calibration error of sentences before and after."""
    if task.validation is None or not task.network.config.exclusive or task.network.config.output != "sum":
        return {}
    logits, gold = _validation_logits(task)
    if not len(gold):
        return {}
    measure = _word_loss if task.data.task == "headings" else _label_loss
    tried = torch.logspace(np.log10(LOWEST), np.log10(HIGHEST), STEPS).tolist()
    losses = [measure(logits / temperature, gold) for temperature in tried]
    temperature = tried[int(np.argmin(losses))]
    for parameter in task.network.label.parameters():
        parameter.div_(temperature)
    return {
        "temperature": temperature,
        "ece_before": _error(logits, gold),
        "ece_after": _error(logits / temperature, gold),
    }


def _validation_logits(task: SectorLearner) -> tuple[Tensor, Tensor]:
    """Return logits and gold labels [sentences, labels] of the validation sentences that have one, on the host."""
    assert task.validation is not None and task.data.validation is not None
    width = len(task.data.labels)
    logits, gold = [torch.zeros(0, width)], [torch.zeros(0, width, dtype=torch.bool)]
    for batch in reading_batches(task.data.validation, task.config.batch):
        targets = task.validation.targets.rows(batch.sentences)
        labelled = targets.sum(dim=1) > 0
        logits.append(task.read(task.validation, batch).logits[0][labelled].float().cpu())
        gold.append((targets[labelled] > 0).cpu())
    return torch.cat(logits), torch.cat(gold)


def _label_loss(logits: Tensor, gold: Tensor) -> float:
    return float(torch.nn.functional.cross_entropy(logits, gold.int().argmax(dim=1)))


def _word_loss(logits: Tensor, gold: Tensor) -> float:
    confidence, right = _best(logits, gold)
    return float(torch.nn.functional.binary_cross_entropy(confidence, right))


def _error(logits: Tensor, gold: Tensor) -> float:
    confidence, right = _best(logits, gold)
    return expected_calibration_error(confidence.numpy(), right.numpy())


def _best(logits: Tensor, gold: Tensor) -> tuple[Tensor, Tensor]:
    """Return the probability of each sentence's best label, and 1 where it is right."""
    confidence, label = torch.softmax(logits, dim=1).max(dim=1)
    return confidence.clamp(max=1.0), gold.gather(1, label[:, None])[:, 0].float()
