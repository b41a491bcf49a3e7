"""BERT over sentences that stand one after the other without padding, on a GPU: every step is one call for all of them.

The module's own weights are used; its dropout is not, for what is trained behind the encoder has one.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

try:
    from torch.nn.attention.varlen import varlen_attn
except ImportError:  # before torch 2.10
    varlen_attn = None  # type: ignore[assignment]


def can_pack(model: Any, device: torch.device) -> bool:
    """Whether a model's attention can be computed by the GPU's kernel for sentences of any length."""
    half = device.type == "cuda" and torch.is_autocast_enabled("cuda")
    return half and varlen_attn is not None and getattr(model.config, "model_type", "") == "bert"


def packed_means(model: Any, pieces: Tensor, lengths: Tensor, ends: Tensor, longest: int) -> Tensor:
    """Return the mean of the last layer [sentences, width] over each sentence's ``pieces`` [all pieces].

    Args:
        model: a BERT of Hugging Face.
        pieces: of all sentences, with begin and end.
        lengths: [sentences] in pieces.
        ends: [sentences] where each ends in ``pieces``.
        longest: the most pieces of a sentence.
    """
    row = torch.repeat_interleave(lengths, output_size=len(pieces))
    place = torch.arange(len(pieces), device=pieces.device) - (ends - lengths)[row]
    embeddings = model.embeddings
    states = embeddings.word_embeddings(pieces) + embeddings.position_embeddings(place)
    states = embeddings.LayerNorm(states + embeddings.token_type_embeddings.weight[0])
    bounds = functional.pad(ends, (1, 0)).int()
    for layer in model.encoder.layer:
        states = _layer(layer, states, bounds, longest)
    sums: Tensor = states.new_zeros(len(lengths), states.shape[1]).index_add(0, row, states)
    return sums.float() / lengths[:, None]


def _layer(layer: Any, states: Tensor, bounds: Tensor, longest: int) -> Tensor:
    """Return what one layer makes of the states [pieces, width]."""
    own = layer.attention.self
    heads, size = own.num_attention_heads, own.attention_head_size
    query, key, value = (part(states).view(-1, heads, size) for part in (own.query, own.key, own.value))
    seen = varlen_attn(query, key, value, bounds, bounds, longest, longest)
    assert isinstance(seen, Tensor)
    inner = layer.attention.output
    states = inner.LayerNorm(inner.dense(seen.flatten(1)) + states)
    wide = layer.intermediate.intermediate_act_fn(layer.intermediate.dense(states))
    return layer.output.LayerNorm(layer.output.dense(wide) + states)  # type: ignore[no-any-return]
