"""What looks may spend adds up to the level, and no look is free."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learning.alpha_spending import (
    LEVEL,
    fine_percent,
    is_worn_out,
    left_after,
    level_of_look,
    standard_errors_asked,
)
from tests.examples import examples


@given(st.integers(1, 5_000))
@settings(max_examples=examples(40))
def test_looks_never_spend_more_than_there_is(looks: int) -> None:
    spent = math.fsum(level_of_look(number) for number in range(1, looks + 1))
    assert spent < LEVEL
    assert spent + left_after(looks) == pytest.approx(LEVEL)


@given(st.integers(1, 100_000))
@settings(max_examples=examples(40))
def test_each_look_spends_something_and_less_than_the_one_before(number: int) -> None:
    assert 0 < level_of_look(number + 1) < level_of_look(number)
    assert level_of_look(number) == pytest.approx(5 * LEVEL / ((number + 4) * (number + 5)))
    assert standard_errors_asked(number + 1) > standard_errors_asked(number)


def test_what_is_worn_out_stays_worn_out_and_looks_are_counted_from_one() -> None:
    worn = [is_worn_out(looks) for looks in range(200)]
    assert not worn[0] and worn[-1] and worn == sorted(worn)
    with pytest.raises(ValueError, match="counted from 1"):
        level_of_look(0)


@given(st.floats(1e-8, 1))
@settings(max_examples=examples(40))
def test_small_shares_keep_two_digits(share: float) -> None:
    words = fine_percent(share)
    assert words.endswith("%") and "e" not in words
    assert float(words[:-1]) / 100 == pytest.approx(share, rel=0.06)
