"""A backbone with adapters and one head: the probabilities of classes, or a number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import torch
from peft import set_peft_model_state_dict
from safetensors.torch import load, save
from torch import Tensor, nn

from learning.transfer.study import Stacking, TrainingChoices
from ml_backend.encoder.backbone import Backbone
from ml_backend.encoder.config import EncoderConfig
from ml_backend.encoder.layers import Halves, inputs_of
from ml_backend.encoder.lora import lora_state, merge_lora, with_lora
from ml_backend.encoder.network import pool
from ml_backend.encoder.packing import make_pack
from ml_backend.encoder.windows import Window

SOURCE, TARGET = "default", "target"
AT_ONCE = 64


class TaskNetwork(nn.Module):
    """`halves` has the lower layers apart, which nothing changes; None where all layers learn."""

    def __init__(
        self,
        encoder: Any,
        halves: Halves | None,
        *,
        pad: int,
        takes_types: bool,
        n_outputs: int,
        dropout: float,
    ) -> None:
        super().__init__()
        self.encoder, self.halves = encoder, halves
        self.pad, self.takes_types = pad, takes_types
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(2 * int(encoder.config.hidden_size), n_outputs)

    def forward(self, windows: Sequence[Window]) -> Tensor:
        found: Tensor = self.head(self.dropout(self.pooled(windows)))
        return found

    def pooled(self, windows: Sequence[Window]) -> Tensor:
        """Mean and maximum over the tokens of each judged text; what is before it was read with it."""
        pack = make_pack(windows, self.pad)
        if self.halves is not None:
            states = self.halves.states(pack)
        else:
            states = self.encoder(**inputs_of(pack, self.takes_types)).last_hidden_state
        is_own = torch.zeros_like(pack.is_token)
        for row, window in enumerate(windows):
            is_own[row, window.kept.start : window.kept.stop] = True
        return pool(states, is_own)

    def outputs(self, windows: Sequence[Window]) -> Tensor:
        """Of all, in their order, read by length."""
        return torch.cat(list(self._in_batches(windows, self.__call__)))[_back(windows)]

    def embedding(self, windows: Sequence[Window]) -> Tensor:
        """The mean over texts of the mean over their tokens."""
        half = self.head.in_features // 2
        return torch.cat([each[:, :half] for each in self._in_batches(windows, self.pooled)]).mean(dim=0)

    def _in_batches(self, windows: Sequence[Window], read: Any) -> Iterator[Tensor]:
        self.eval()
        order = _by_length(windows)
        with torch.inference_mode():
            for first in range(0, len(order), AT_ONCE):
                yield read([windows[at] for at in order[first : first + AT_ONCE]])

    def head_parameters(self) -> list[nn.Parameter]:
        return list(self.head.parameters())

    def encoder_parameters(self) -> list[nn.Parameter]:
        return [each for each in self.encoder.parameters() if each.requires_grad]


def _by_length(windows: Sequence[Window]) -> list[int]:
    return sorted(range(len(windows)), key=lambda at: (len(windows[at].ids), at))


def _back(windows: Sequence[Window]) -> list[int]:
    """Where each stands among those in the order of their length."""
    order = _by_length(windows)
    return sorted(range(len(order)), key=order.__getitem__)


def encoder_config(choices: TrainingChoices) -> EncoderConfig:
    """What the parts of the encoder that are used here read of it."""
    return EncoderConfig(
        backbone=choices.backbone,
        frozen_layers=choices.frozen_layers,
        rank=choices.rank,
        alpha=choices.alpha,
        max_tokens=choices.max_tokens,
        dropout=choices.dropout,
    )


def put_on_adapters(backbone: Backbone, choices: TrainingChoices, source: bytes) -> tuple[Any, Any]:
    """The backbone with a new adapter to learn, on top of the source's where there is one; and the backbone inside,
    whose layers can be taken apart."""
    config = encoder_config(choices)
    model = with_lora(backbone, config)
    if not source:
        return model, backbone.model
    set_peft_model_state_dict(model, load(source))
    if choices.stacking is Stacking.MERGED:
        merged = replace(backbone, model=merge_lora(model))
        return with_lora(merged, config), merged.model
    model.add_adapter(TARGET, model.peft_config[SOURCE])
    model.base_model.set_adapter([SOURCE, TARGET])
    for name, parameter in model.named_parameters():
        parameter.requires_grad = f".{TARGET}." in name
    return model, backbone.model


def adapter_bytes(model: Any) -> bytes:
    _, weights = lora_state(model)
    return save({name: tensor.contiguous() for name, tensor in weights.items()})
