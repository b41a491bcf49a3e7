"""SECTOR's network (Arnold et al., TACL 2019, sections 4.2 and 4.3), equations in the paper's order.

Sentences come and go as flat rows. For the LSTMs they are laid out by step and document, from the first sentence
forward and from the last one backward: padding stands behind a document's end in either direction and is never read.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor, nn

from sector.network.config import NetworkConfig


class Layout(NamedTuple):
    """Where each row stands when a batch is laid out as [steps, documents]."""

    forward: Tensor
    """[steps · documents] the row to read, in reading order; the number of rows where a document has ended"""
    backward: Tensor
    """[steps · documents] the same from the end of each document"""
    forward_place: Tensor
    """[rows] the place of each row in ``forward``"""
    backward_place: Tensor
    """[rows] the place of each row in ``backward``"""
    documents: int


class SectorOutput(NamedTuple):
    """What the network says about each sentence, in the order in which it was given."""

    forward: Tensor
    """→e [sentences, embedding]"""
    backward: Tensor
    """←e [sentences, embedding]"""
    logits: tuple[Tensor, ...]
    """One [sentences, labels] for the summed output, two (forward, backward) for the averaged one."""
    boundary: Tensor | None = None
    """Logits [sentences, 2] of "the label changes here" and "a section begins here"; none without that layer. Those of
    the first sentence of a document mean nothing."""


class SectorNetwork(nn.Module):
    """Two LSTMs, a tanh bottleneck per direction, the label layer and, past the paper, a boundary layer."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config
        width = config.projection or config.inputs
        self.projection = nn.Linear(config.inputs, width, bias=False) if config.projection else nn.Identity()
        self.lstm_forward = nn.LSTM(width, config.hidden)
        self.lstm_backward = nn.LSTM(width, config.hidden)
        copies = 1 if config.tied else 2
        self.embedding = nn.ModuleList(nn.Linear(config.hidden, config.embedding) for _ in range(copies))
        self.label = nn.ModuleList(nn.Linear(config.embedding, config.labels) for _ in range(copies))
        # Of each sentence and of the one before it, whose part is moved down one row.
        self.boundary = nn.Linear(2 * config.hidden, 4) if config.boundary else None
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
            if name.endswith("bias_ih_l0"):
                with torch.no_grad():
                    parameter[self.config.hidden : 2 * self.config.hidden] = 1.0

    @torch.no_grad()
    def set_prior(self, frequencies: Tensor) -> None:
        """Let the network begin with the labels' frequencies [labels], so that it need not learn them first."""
        likely = frequencies.clamp(1e-6, 1 - 1e-6)
        prior = likely.log() if self.config.exclusive else torch.logit(likely)
        share = len(self.label) if self.config.output == "sum" else 1
        for parameter in (layer.get_parameter("bias") for layer in self.label):
            parameter.copy_(prior / share)

    def forward(self, sentences: Tensor, layout: Layout) -> SectorOutput:
        """Read the rows [sentences, inputs] of a batch of documents."""
        x = self.projection(self.dropout(sentences))
        x = torch.cat([x, x.new_zeros(1, x.shape[1])])
        h_forward = self._read(self.lstm_forward, x, layout.forward, layout.forward_place, layout.documents)
        h_backward = self._read(self.lstm_backward, x, layout.backward, layout.backward_place, layout.documents)
        e_forward = torch.tanh(self.embedding[0](h_forward))
        e_backward = torch.tanh(self.embedding[-1](h_backward))
        logits = self._logits(e_forward, e_backward)
        return SectorOutput(e_forward, e_backward, logits, self._boundary(h_forward, h_backward))

    def _read(self, lstm: nn.LSTM, x: Tensor, rows: Tensor, places: Tensor, documents: int) -> Tensor:
        """h_k = LSTM(x_k, h_{k−1}) in the order of ``rows``; gives h back in the order of x."""
        steps = x.index_select(0, rows).view(-1, documents, x.shape[1])
        hidden: Tensor = self.inner_dropout(lstm(steps)[0].flatten(0, 1))
        return hidden.index_select(0, places)

    def _logits(self, e_forward: Tensor, e_backward: Tensor) -> tuple[Tensor, ...]:
        e_forward, e_backward = self.inner_dropout(e_forward), self.inner_dropout(e_backward)
        first, last = self.label[0], self.label[-1]
        if self.config.output == "mean":
            return first(e_forward), last(e_backward)
        if self.config.tied:  # W→e + W←e + b: the bias counts once
            return (first(e_forward + e_backward),)
        return (first(e_forward) + last(e_backward),)

    def _boundary(self, h_forward: Tensor, h_backward: Tensor) -> Tensor | None:
        if self.boundary is None:
            return None
        own, previous = self.boundary(torch.cat([h_forward, h_backward], dim=1)).split(2, dim=1)
        return torch.add(own, previous.roll(1, dims=0))

    def probabilities(self, output: SectorOutput) -> Tensor:
        """ŷ or ẑ [sentences, labels]: softmax for topics, sigmoid for headings, averaged over the outputs."""
        activate = partial(torch.softmax, dim=1) if self.config.exclusive else torch.sigmoid
        predicted = [activate(logits.float()) for logits in output.logits]
        return torch.stack(predicted).mean(dim=0)
