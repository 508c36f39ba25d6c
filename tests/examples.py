"""How many random examples a property is tried on: as many as it says in `make test`, fewer in `make check`.

`make test` and `make check` always try the same ones, so that no run fails by luck; `make soak` tries others each time,
twenty times as many.
"""

from __future__ import annotations

import os

import hypothesis

QUICK, WHOLE, SOAK = "quick", "whole", "soak"
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", WHOLE)
QUICK_EXAMPLES, WHOLE_EXAMPLES, SOAK_TIMES = 10, 100, 20


def examples(number: int, *, soak: int | None = None) -> int:
    """For `@settings(max_examples=...)`, which would otherwise overrule what was asked for."""
    if PROFILE == QUICK:
        return min(number, QUICK_EXAMPLES)
    return (soak or number * SOAK_TIMES) if PROFILE == SOAK else number


def load_profile() -> None:
    """Times are noisy on a shared machine, so no example is failed for being slow."""
    hypothesis.settings.register_profile(
        PROFILE, deadline=None, derandomize=PROFILE != SOAK, max_examples=examples(WHOLE_EXAMPLES)
    )
    hypothesis.settings.load_profile(PROFILE)
