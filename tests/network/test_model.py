"""The network against a plain numpy reference, equation by equation."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import torch

from sector.errors import ConfigError
from sector.network.config import NetworkConfig
from sector.network.model import SectorNetwork
from sector.tasks import TaskName
from sector.training.batches import lay_out
from sector.training.learner import layout_on

CPU = torch.device("cpu")
Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def lstm(x: Array, weights: dict[str, Array], direction: str) -> Array:
    """Read one document [sentences, inputs] forward with forget gates, one sentence at a time."""
    w, r = weights[f"lstm_{direction}.weight_ih_l0"], weights[f"lstm_{direction}.weight_hh_l0"]
    b = weights[f"lstm_{direction}.bias_ih_l0"] + weights[f"lstm_{direction}.bias_hh_l0"]
    h, c, states = np.zeros(r.shape[1]), np.zeros(r.shape[1]), []
    for row in x:
        i, f, g, o = np.split(w @ row + r @ h + b, 4)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        states.append(h)
    return np.array(states)


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True))


def reference(config: NetworkConfig, weights: dict[str, Array], x: Array) -> tuple[Array, Array, Array]:
    """Return →e, ←e and the label distribution of one document."""
    if config.projection:
        x = x @ weights["projection.weight"].T
    last = 0 if config.tied else 1
    h_forward, h_backward = lstm(x, weights, "forward"), lstm(x[::-1], weights, "backward")[::-1]
    e_forward = np.tanh(h_forward @ weights["embedding.0.weight"].T + weights["embedding.0.bias"])
    e_backward = np.tanh(h_backward @ weights[f"embedding.{last}.weight"].T + weights[f"embedding.{last}.bias"])
    activate = sigmoid if config.task == "headings" else softmax
    s_forward = e_forward @ weights["label.0.weight"].T
    s_backward = e_backward @ weights[f"label.{last}.weight"].T
    b_forward, b_backward = weights["label.0.bias"], weights[f"label.{last}.bias"]
    if config.output == "mean":
        return (
            e_forward,
            e_backward,
            (activate(s_forward + b_forward) + activate(s_backward + b_backward)) / 2,
        )
    bias = b_forward if config.tied else b_forward + b_backward
    return e_forward, e_backward, activate(s_forward + s_backward + bias)


def network(config: NetworkConfig) -> tuple[SectorNetwork, dict[str, Array]]:
    torch.manual_seed(3)
    made = SectorNetwork(config).eval()
    for parameter in made.parameters():  # biases too, so that a wrong one shows
        torch.nn.init.normal_(parameter, std=0.4)
    return made, {name: value.double().numpy() for name, value in made.state_dict().items()}


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("output", ["sum", "mean"])
@pytest.mark.parametrize("task", ["topics", "headings"])
@pytest.mark.parametrize("projection", [0, 3])
def test_equations(tied: bool, output: str, task: TaskName, projection: int) -> None:
    config = NetworkConfig(6, 4, task=task, hidden=5, embedding=3, tied=tied, output=output, projection=projection)
    made, weights = network(config)
    random = np.random.default_rng(0)
    lengths = np.array([3, 1, 7])
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    x = random.normal(size=(int(offsets[-1]), 6))
    with torch.no_grad():
        result = made(torch.tensor(x, dtype=torch.float32), layout_on(lay_out(offsets[:-1], lengths), CPU))
        probabilities = made.probabilities(result)
    for begin, end in pairwise(offsets):
        mine = slice(begin, end)
        e_forward, e_backward, expected = reference(config, weights, x[begin:end])
        np.testing.assert_allclose(result.forward[mine], e_forward, atol=1e-5)
        np.testing.assert_allclose(result.backward[mine], e_backward, atol=1e-5)
        np.testing.assert_allclose(probabilities[mine], expected, atol=1e-5)


def test_tied_weights_are_the_same_and_fewer() -> None:
    tied, untied = (SectorNetwork(NetworkConfig(6, 4, tied=t)) for t in (True, False))
    count = [sum(p.numel() for p in n.parameters()) for n in (tied, untied)]
    assert count[1] - count[0] == (256 * 128 + 128) + (128 * 4 + 4)


def test_forget_gates_begin_open() -> None:
    made = SectorNetwork(NetworkConfig(6, 4, hidden=5))
    weights = made.state_dict()
    bias = weights["lstm_forward.bias_ih_l0"] + weights["lstm_forward.bias_hh_l0"]
    assert bias.tolist() == [0] * 5 + [1] * 5 + [0] * 10


def test_dropout_everywhere_drops_more_than_the_input() -> None:
    torch.manual_seed(0)
    x, layout = torch.ones(4, 6), layout_on(lay_out(np.array([0]), np.array([4])), CPU)
    for place, same in (("input", True), ("everywhere", False)):
        made = SectorNetwork(NetworkConfig(6, 4, hidden=32, embedding=16, dropout=0.5, dropout_place=place)).train()
        made.dropout.p = 0.0
        first, second = made(x, layout), made(x, layout)
        assert torch.equal(first.logits[0], second.logits[0]) is same


@pytest.mark.parametrize(
    "wrong",
    [
        {"task": "tags"},
        {"output": "max"},
        {"hidden": 0},
        {"inputs": 2.5},
        {"dropout": 1.0},
        {"dropout_place": "nowhere"},
    ],
)
def test_bad_shapes_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        NetworkConfig.from_dict({"inputs": 4, "labels": 2} | wrong)


def test_unknown_setting_is_refused() -> None:
    with pytest.raises(ConfigError, match="layers"):
        NetworkConfig.from_dict({"inputs": 4, "labels": 2, "layers": 3})
    with pytest.raises(ConfigError, match="incomplete"):
        NetworkConfig.from_dict({"inputs": 4})
