"""Where training stands, and how that is kept in a file and taken up again: tensors and JSON, never pickle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn
from torch.optim import AdamW

from learning.tasks.progress import TrainingPoint
from ml_backend.learners.checkpoint import Checkpoint

STATE = "state"
VERSION = 1


class Progress(msgspec.Struct):
    """`n_done` counts the batches of this epoch, `step` those of all; `recent` are losses since the last point."""

    epoch: int = 1
    n_done: int = 0
    step: int = 0
    loss_of_epoch: float = 0.0
    recent: list[float] = msgspec.field(default_factory=list)
    best_score: float = -1.0
    epochs_waited: int = 0
    points: list[TrainingPoint] = msgspec.field(default_factory=list)


class _Header(msgspec.Struct, frozen=True):
    backbone_sha256: str
    progress: Progress
    version: int = VERSION


@dataclass
class TrainingState:
    """All that the next step depends on: `order` is the state of the generator when this epoch's order was drawn."""

    network: nn.Module
    optimizer: AdamW
    backbone_sha256: str
    order: Tensor
    progress: Progress = field(default_factory=Progress)
    best: dict[str, Tensor] = field(default_factory=dict)

    def save_to(self, checkpoint: Checkpoint) -> None:
        tensors = {
            "order": self.order,
            "chance": torch.random.get_rng_state(),
            **_prefix("weights", trained_weights(self.network)),
            **_prefix("best", self.best),
            **_prefix("optimizer", self._optimizer_tensors()),
        }
        header = msgspec.json.encode(_Header(self.backbone_sha256, self.progress)).decode()
        checkpoint.write(save(tensors, {STATE: header}))

    def take_from(self, checkpoint: Checkpoint) -> bool:
        """False, with nothing changed, where there is no state that can be gone on from."""
        found = _read(checkpoint)
        if found is None:
            return False
        header, tensors = found
        weights = _under("weights", tensors)
        is_ours = header.version == VERSION and header.backbone_sha256 == self.backbone_sha256
        if not is_ours or weights.keys() != trained_weights(self.network).keys():
            return False
        self.progress, self.order, self.best = header.progress, tensors["order"], _under("best", tensors)
        self.network.load_state_dict(weights, strict=False)
        self._take_optimizer(_under("optimizer", tensors))
        torch.random.set_rng_state(tensors["chance"])
        return True

    def _optimizer_tensors(self) -> dict[str, Tensor]:
        state: dict[int, dict[str, Tensor]] = self.optimizer.state_dict()["state"]
        return {f"{at}.{name}": value for at, values in state.items() for name, value in values.items()}

    def _take_optimizer(self, tensors: Mapping[str, Tensor]) -> None:
        state: dict[int, dict[str, Tensor]] = {}
        for key, value in tensors.items():
            at, _, name = key.partition(".")
            state.setdefault(int(at), {})[name] = value
        groups: Any = self.optimizer.state_dict()["param_groups"]
        self.optimizer.load_state_dict({"state": state, "param_groups": groups})


def trained_weights(network: nn.Module) -> dict[str, Tensor]:
    return {
        name: parameter.detach().clone()
        for name, parameter in network.named_parameters()
        if parameter.requires_grad
    }


def take_weights(network: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Those that the network has too; what is new begins as it would anyway."""
    own = network.state_dict()
    found = {name: weight for name, weight in weights.items() if name in own}
    network.load_state_dict(found, strict=False)


def _read(checkpoint: Checkpoint) -> tuple[_Header, dict[str, Tensor]] | None:
    if not checkpoint.path.is_file():
        return None
    try:
        with safe_open(checkpoint.path, "pt") as file:
            header = msgspec.json.decode((file.metadata() or {})[STATE], type=_Header)
            return header, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError, KeyError, msgspec.DecodeError):
        return None


def _prefix(kind: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {f"{kind}/{name}": tensor.contiguous() for name, tensor in tensors.items()}


def _under(kind: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    start = f"{kind}/"
    return {name.removeprefix(start): value for name, value in tensors.items() if name.startswith(start)}
