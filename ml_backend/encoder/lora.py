"""Low-rank additions to a backbone: put on for training, kept as a PEFT directory, merged for prediction."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from peft import (
    LoraConfig,
    PeftModel,
    get_peft_model,
    get_peft_model_state_dict,
    set_peft_model_state_dict,
)
from safetensors.torch import save_file
from torch import Tensor, nn

from ml_backend.encoder.backbone import Backbone, BackboneUnfit
from ml_backend.encoder.config import EncoderConfig

WEIGHTS = "adapter_model.safetensors"
# What the linear layers of attention and of the layers between are called in BERT, RoBERTa, MPNet and their kin.
TARGETS = frozenset({"query", "key", "value", "dense", "q", "k", "v", "o"})


def with_lora(backbone: Backbone, config: EncoderConfig) -> Any:
    linear = {
        name.rpartition(".")[2]
        for name, module in backbone.model.named_modules()
        if isinstance(module, nn.Linear)
    }
    targets = sorted(TARGETS & linear)
    if not targets:
        raise BackboneUnfit(
            backbone.name, "layers that low-rank additions are known for; train it with --full"
        )
    return get_peft_model(
        backbone.model,
        LoraConfig(
            r=config.rank,
            lora_alpha=config.alpha,
            target_modules=targets,
            layers_to_transform=_layers_to_train(backbone, config.frozen_layers),
        ),
    )


def _layers_to_train(backbone: Backbone, n_frozen: int) -> list[int] | None:
    return list(range(n_frozen, int(backbone.model.config.num_hidden_layers))) if n_frozen else None


def lora_state(model: Any) -> tuple[Any, dict[str, Tensor]]:
    """Its configuration and weights, to be kept after it is merged."""
    # No embeddings are trained; asked to find out by itself, the library would look for the backbone on the hub.
    found = get_peft_model_state_dict(model, save_embedding_layers=False)
    return model.peft_config["default"], {name: tensor.detach().clone() for name, tensor in found.items()}


def put_on(model: Any, weights: Mapping[str, Tensor]) -> None:
    """In place of the weights that low-rank additions begin with."""
    set_peft_model_state_dict(model, dict(weights))


def save_lora(folder: Path, config: Any, weights: dict[str, Tensor], backbone: str) -> None:
    config.base_model_name_or_path = backbone
    config.inference_mode = True
    # A set is written in the order of the day.
    config.target_modules = sorted(config.target_modules)
    config.save_pretrained(str(folder))
    save_file(weights, folder / WEIGHTS)


def merge_lora(model: Any) -> Any:
    """One matrix instead of two and a sum: the same answers, a third faster."""
    return model.merge_and_unload().eval()


def load_lora(backbone: Backbone, folder: Path) -> Any:
    return PeftModel.from_pretrained(backbone.model, str(folder), use_safetensors=True)
