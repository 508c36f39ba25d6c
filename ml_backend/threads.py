"""How many threads torch computes with; the cards of adapters name them."""

from __future__ import annotations


def use_threads(asked: int, *, with_torch: bool) -> int:
    """0 leaves the number to torch. What computes without it has one thread, and torch, which takes seconds to load,
    is then left alone."""
    if not with_torch:
        return max(asked, 1)
    import torch

    if asked > 0:
        torch.set_num_threads(asked)
    return torch.get_num_threads()
