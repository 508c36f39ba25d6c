"""What training lowers: cross-entropy with class weights, or the focal loss, over all sentences of a batch.

With p the probability that a sentence's own label was given, and w the weight of its label:

    cross-entropy  -w log p                 focal  -w (1 - p)^gamma log p

(Lin and others, “Focal Loss for Dense Object Detection”, ICCV 2017.) Gamma 0 is cross-entropy.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from ml_backend.co_attention.config import CoAttentionConfig, Loss


def sentence_loss(logits: Tensor, gold: Tensor, weights: Tensor, config: CoAttentionConfig) -> Tensor:
    """The weighted mean; `gold` is 0 or 1, `weights` what each sentence's item counts.

    >>> even = torch.zeros(2), torch.tensor([0.0, 1.0]), torch.ones(2)
    >>> round(float(sentence_loss(*even, CoAttentionConfig(loss=Loss.CROSS_ENTROPY))), 4)
    0.6931
    >>> round(float(sentence_loss(*even, CoAttentionConfig(gamma=2.0))), 4)
    0.1733
    """
    losses = binary_cross_entropy_with_logits(logits, gold, reduction="none")
    if config.loss is Loss.FOCAL:
        losses = losses * (1 - torch.exp(-losses)) ** config.gamma
    counted = weights * torch.where(gold > 0, config.positive_weight, 1.0)
    found: Tensor = (losses * counted).sum() / counted.sum()
    return found
