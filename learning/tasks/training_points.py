"""How far a training has come, as points of a loss curve: written by whoever trains, read by whoever shows it."""

from __future__ import annotations

import msgspec


class TrainingPoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`loss` is the mean since the point before it; `dev_score` is there at the end of an epoch, where it was measured.

    A training that went on after a stop gives its earlier points again: of two with the same step and the same kind of
    score, either will do. `n_steps` is what was planned; where training stops before, its last point has as many as
    were made.
    """

    epoch: int
    step: int
    n_steps: int
    loss: float
    dev_score: float | None = None
