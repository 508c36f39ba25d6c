"""A backbone in two: lower layers that stay as they are and read each text once, and upper ones that learn."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from ml_backend.encoder.backbone import Backbone, BackboneUnfit
from ml_backend.encoder.packing import Pack, cuts, make_pack
from ml_backend.encoder.windows import Window


class _Given(nn.Module):
    """In the place of the embeddings of the upper layers: what the lower ones made is taken as it is."""

    def forward(self, **given: Any) -> Any:
        return given["inputs_embeds"]


def check_layers(backbone: Backbone, n_frozen: int) -> None:
    n_layers = int(backbone.model.config.num_hidden_layers)
    if n_frozen and not hasattr(getattr(backbone.model, "encoder", None), "layer"):
        raise BackboneUnfit(backbone.name, "list of layers that can be frozen; leave out --frozen-layers")
    if n_frozen >= n_layers:
        raise BackboneUnfit(
            backbone.name, f"{n_frozen + 1} layers, of which one has to learn: it has {n_layers}"
        )


def freeze(model: Any, n_frozen: int) -> None:
    """All but the upper layers: whatever else is shared between the two halves has to stay as it is too."""
    if n_frozen:
        model.requires_grad_(False)
        model.encoder.layer[n_frozen:].requires_grad_(True)


@dataclass(slots=True)
class Halves:
    """Both share the weights of the whole; `seen` holds what the lower one made of each window."""

    lower: Any
    upper: Any
    seen: dict[Window, Tensor]

    @classmethod
    def of(cls, model: Any, n_frozen: int) -> Halves:
        layers = list(model.encoder.layer)
        lower, upper = _with_layers(model, layers[:n_frozen]), _with_layers(model, layers[n_frozen:])
        upper._modules["embeddings"] = _Given()
        return cls(lower, upper, {})

    def remember(self, windows: Iterable[Window], pad: int, takes_types: bool) -> None:
        """Reads each window once, for all epochs."""
        new = sorted(
            {window for window in windows if window not in self.seen}, key=lambda each: len(each.ids)
        )
        self.lower.eval()
        with torch.no_grad():
            for first, last in cuts([len(window.ids) for window in new]):
                pack = make_pack(new[first:last], pad)
                states = self.lower(**inputs_of(pack, takes_types)).last_hidden_state
                for window, row in zip(pack.windows, states, strict=True):
                    self.seen[window] = row[: len(window.ids)].clone()

    def states(self, pack: Pack) -> Tensor:
        """Of windows that are remembered."""
        given = nn.utils.rnn.pad_sequence([self.seen[window] for window in pack.windows], batch_first=True)
        found: Tensor = self.upper(inputs_embeds=given, attention_mask=pack.is_token.long()).last_hidden_state
        return found


def inputs_of(pack: Pack, takes_types: bool) -> dict[str, Tensor]:
    found = {"input_ids": pack.ids, "attention_mask": pack.is_token.long()}
    return {**found, "token_type_ids": pack.types} if takes_types else found


def _with_layers(model: Any, layers: list[Any]) -> Any:
    part, encoder = _shallow(model), _shallow(model.encoder)
    encoder._modules["layer"] = nn.ModuleList(layers)
    part._modules["encoder"] = encoder
    return part


def _shallow(module: Any) -> Any:
    """The same parts and weights, in a list of its own."""
    found = copy.copy(module)
    found._modules = dict(module._modules)
    return found
