"""How the learning rate goes from step to step, the same for all that is trained by gradients."""

from __future__ import annotations

WARM_UP = 0.1


def share_of_rate(step: int, n_steps: int) -> float:
    """Up in the first tenth of all steps, then down to nothing.

    >>> [share_of_rate(step, 20) for step in (0, 1, 2, 11, 19)]
    [0.5, 1.0, 1.0, 0.5, 0.05555555555555555]
    """
    warm = max(1, int(WARM_UP * n_steps))
    if step < warm:
        return (step + 1) / warm
    return max(0.0, (n_steps - step) / max(1, n_steps - warm))
