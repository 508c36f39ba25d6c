"""Embeds texts with a pretrained encoder as it is: the mean over the tokens of all windows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from ml_backend.encoder.backbone import Backbone, load_backbone
from ml_backend.learners.interface import Report
from ml_backend.learners.scores import Numbers

BATCH_SIZE = 32
BATCHES_BETWEEN_REPORTS = 20
WINDOW = 256


def embeddings(texts: Sequence[str], backbone_name: str, report: Report) -> Numbers:
    """A row of length 1 for each text; a long text is read in windows, nothing of it is left out."""
    backbone = load_backbone(backbone_name, report)
    windows = [(at, tokens) for at, text in enumerate(texts) for tokens in _windows(backbone, text)]
    windows.sort(key=lambda each: len(each[1]))
    sums = np.zeros((len(texts), backbone.model.config.hidden_size))
    with torch.inference_mode():
        for n, start in enumerate(range(0, len(windows), BATCH_SIZE), start=1):
            batch = windows[start : start + BATCH_SIZE]
            for (at, _), summed in zip(batch, _sums(backbone, [tokens for _, tokens in batch]), strict=True):
                sums[at] += summed
            if n % BATCHES_BETWEEN_REPORTS == 0:
                report(f"Embedded {start + len(batch):,} of {len(windows):,} windows")
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.asarray(sums / np.maximum(lengths, 1e-12), dtype=np.float64)


def _windows(backbone: Backbone, text: str) -> list[list[int]]:
    room = min(WINDOW, backbone.length) - 2
    tokens = backbone.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
    first, last = backbone.tokenizer.cls_token_id, backbone.tokenizer.sep_token_id
    return [[first, *tokens[at : at + room], last] for at in range(0, max(1, len(tokens)), room)]


def _sums(backbone: Backbone, batch: Sequence[Sequence[int]]) -> Numbers:
    longest = max(map(len, batch))
    pad = backbone.tokenizer.pad_token_id or 0
    ids = torch.tensor([[*tokens, *[pad] * (longest - len(tokens))] for tokens in batch])
    mask = torch.tensor([[1] * len(tokens) + [0] * (longest - len(tokens)) for tokens in batch])
    hidden = backbone.model(input_ids=ids, attention_mask=mask).last_hidden_state
    found: Numbers = (hidden * mask[:, :, None]).sum(dim=1).double().numpy()
    return found
