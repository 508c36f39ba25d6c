"""Instruct models made on the spot: random Phi-3, Llama and Mistral of two narrow layers, a BPE of our words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    Phi3Config,
    Phi3ForCausalLM,
    PreTrainedTokenizerFast,
)

from codebook.questions import model_questions
from codebook.shipped import load_shipped, shipped_codebooks
from ml_backend.generative.wording import instructions
from tests.ml_backend.fixtures import SIGNS

FAMILIES = ("phi3", "llama", "mistral")
_CONFIGS = {"phi3": Phi3Config, "llama": LlamaConfig, "mistral": MistralConfig}
_MODELS = {"phi3": Phi3ForCausalLM, "llama": LlamaForCausalLM, "mistral": MistralForCausalLM}
PAD, END, USER, ASSISTANT = "<pad>", "<|end|>", "<|user|>", "<|assistant|>"
TEMPLATE = (
    "{% for message in messages %}{{ '<|' + message['role'] + '|>\n' + message['content'] + '<|end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% endif %}"
)


def make_instruct(folder: Path, family: str = "llama", *, seed: int = 5) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = _tokenizer()
    tokenizer.save_pretrained(str(folder))
    config = _CONFIGS[family](
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=4096,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        initializer_range=0.1,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        family_type: Any = _MODELS[family]
        family_type(config).save_pretrained(str(folder))
    return str(folder)


def _tokenizer() -> PreTrainedTokenizerFast:
    """Of bytes, so that it knows every sign; words of the codebooks and of the made-up items are its pieces."""
    found = Tokenizer(models.BPE())
    found.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    found.decoder = decoders.ByteLevel()
    texts = [
        instructions(question, evidence=True)
        for name in shipped_codebooks()
        for question in model_questions(load_shipped(name))
    ]
    trainer = trainers.BpeTrainer(
        vocab_size=8000,
        special_tokens=[PAD, END, USER, ASSISTANT],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    found.train_from_iterator([*texts, *SIGNS], trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=found, pad_token=PAD, eos_token=END, model_max_length=4096
    )
    tokenizer.chat_template = TEMPLATE
    return tokenizer
