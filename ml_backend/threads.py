"""How many threads torch computes with; the cards of adapters name them."""

from __future__ import annotations

import torch


def use_threads(asked: int) -> int:
    """0 leaves the number to torch."""
    if asked > 0:
        torch.set_num_threads(asked)
    return torch.get_num_threads()
