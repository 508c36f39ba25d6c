"""A backbone made on the spot: a random BERT of two narrow layers with a vocabulary of a few words and all letters."""

from __future__ import annotations

import string
from pathlib import Path

from tests.ml_backend.fixtures import SIGNS

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def make_backbone(folder: Path, *, seed: int = 5) -> str:
    # Loading torch takes seconds, and many test processes load this module that make none
    import torch
    from transformers import BertConfig, BertModel
    from transformers.models.bert.tokenization_bert import BertTokenizer

    folder.mkdir(parents=True, exist_ok=True)
    letters = [*string.ascii_lowercase, *string.digits]
    words = sorted({word for sign in SIGNS for word in sign.split()})
    pieces = [*SPECIAL, *words, *letters, *(f"##{each}" for each in letters), *".,!?;:'\"-"]
    vocabulary = {piece: at for at, piece in enumerate(pieces)}
    BertTokenizer(vocab=vocabulary, do_lower_case=True, model_max_length=128).save_pretrained(str(folder))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        config = BertConfig(
            vocab_size=len(pieces),
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=64,
            max_position_embeddings=130,
        )
        BertModel(config).save_pretrained(str(folder))
    return str(folder)
