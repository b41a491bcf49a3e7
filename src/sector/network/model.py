"""SECTOR's network (Arnold et al., TACL 2019, sections 4.2 and 4.3), equations in the paper's order.

It reads documents packed without padding: the sentences of a batch stand in time-major order, longest document first,
so nothing but real sentences enters either direction and every layer after the LSTMs is one matrix product.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from sector.network.config import NetworkConfig


class SectorOutput(NamedTuple):
    """What the network says about each sentence, in the order in which it was given."""

    forward: Tensor
    """→e [sentences, embedding]"""
    backward: Tensor
    """←e [sentences, embedding]"""
    logits: tuple[Tensor, ...]
    """One [sentences, labels] for the summed output, two (forward, backward) for the averaged one."""


class SectorNetwork(nn.Module):
    """Two LSTMs, a tanh bottleneck per direction and the label layer."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        width = config.projection or config.inputs
        self.projection = nn.Linear(config.inputs, width, bias=False) if config.projection else nn.Identity()
        self.lstm = nn.LSTM(width, config.hidden, bidirectional=True)
        copies = 1 if config.tied else 2
        self.embedding = nn.ModuleList(nn.Linear(config.hidden, config.embedding) for _ in range(copies))
        self.label = nn.ModuleList(nn.Linear(config.embedding, config.labels) for _ in range(copies))
        self.dropout = nn.Dropout(config.dropout)
        self.inner_dropout = nn.Dropout(config.dropout if config.dropout_place == "everywhere" else 0.0)
        self._initialise()

    def _initialise(self) -> None:
        """Xavier weights, zero biases, forget gates open (bias 1)."""
        for name, parameter in self.named_parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
            else:
                nn.init.zeros_(parameter)
            if name.startswith("lstm.bias_ih"):
                with torch.no_grad():
                    parameter[self.config.hidden : 2 * self.config.hidden] = 1.0

    def forward(self, sentences: Tensor, batch_sizes: Tensor) -> SectorOutput:
        """Read packed sentences [sentences, inputs]; ``batch_sizes`` [steps] counts the documents alive at each step."""
        x = self.projection(self.dropout(sentences))
        packed, _ = self.lstm(PackedSequence(x, batch_sizes))
        hidden = self.inner_dropout(packed.data)
        h_forward, h_backward = hidden.split(self.config.hidden, dim=1)
        e_forward = torch.tanh(self.embedding[0](h_forward))
        e_backward = torch.tanh(self.embedding[-1](h_backward))
        return SectorOutput(e_forward, e_backward, self._logits(e_forward, e_backward))

    def _logits(self, e_forward: Tensor, e_backward: Tensor) -> tuple[Tensor, ...]:
        e_forward, e_backward = self.inner_dropout(e_forward), self.inner_dropout(e_backward)
        first, last = self.label[0], self.label[-1]
        if self.config.output == "mean":
            return first(e_forward), last(e_backward)
        if self.config.tied:  # W→e + W←e + b: the bias counts once
            return (first(e_forward + e_backward),)
        return (first(e_forward) + last(e_backward),)

    def probabilities(self, output: SectorOutput) -> Tensor:
        """ŷ or ẑ [sentences, labels]: softmax for topics, sigmoid for headings, averaged over the outputs."""
        activate = torch.sigmoid if self.config.task == "headings" else lambda logits: torch.softmax(logits, dim=1)
        predicted = [activate(logits.float()) for logits in output.logits]
        return torch.stack(predicted).mean(dim=0)
