"""How often the tests of faults kill: a few times in every run, and many times in a soak."""

from __future__ import annotations

import pytest
from _pytest.mark import MarkDecorator


def kills(few: int, many: int) -> MarkDecorator:
    """Parametrizes a test by its number of kills; the few are enough for each kind of victim to be one."""
    return pytest.mark.parametrize("n_kills", [few, pytest.param(many, marks=pytest.mark.soak)])
