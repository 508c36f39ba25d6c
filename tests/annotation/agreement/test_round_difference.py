"""How far a theme moved: the difference, its interval, and why there is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.agreement.round_difference import NO_INTERVAL, NO_WIDTH, SAME_POSTS, round_difference
from annotation.agreement.values import Estimate

shares = st.floats(min_value=0, max_value=1)


def estimate(value: float | None, reach: float | None = 0.1, note: str = "") -> Estimate:
    if value is None or reach is None:
        return Estimate(value, None, None, 50, 3, note)
    return Estimate(value, value - reach, value + reach, 50, 3, note)


reaches = st.floats(min_value=1e-6, max_value=0.5)


@given(shares, shares, reaches, reaches)
def test_the_interval_is_as_wide_as_both_rounds_ask_for(
    one: float, other: float, reach: float, further: float
) -> None:
    found = round_difference(estimate(one, reach), estimate(other, further), share_posts=False)
    back = round_difference(estimate(other, further), estimate(one, reach), share_posts=False)
    assert found.value is not None and found.low is not None and found.high is not None
    assert found.value == pytest.approx(other - one)
    assert (found.high - found.low) / 2 == pytest.approx((reach**2 + further**2) ** 0.5)
    assert back.value == pytest.approx(-found.value)
    assert back.low == pytest.approx(-found.high)


def test_rounds_on_the_same_posts_have_no_interval_here() -> None:
    found = round_difference(estimate(0.4), estimate(0.6), share_posts=True)
    assert (found.low, found.high, found.note) == (None, None, SAME_POSTS)
    assert found.value == pytest.approx(0.2)


def test_what_is_missing_is_said() -> None:
    undefined = estimate(None, note="Everybody gave the same answer.")
    assert round_difference(undefined, estimate(0.5), share_posts=False) == Estimate(
        None, None, None, 100, 3, "Everybody gave the same answer."
    )
    assert round_difference(estimate(0.5, None), estimate(0.5), share_posts=False).note == NO_INTERVAL


@pytest.mark.parametrize("rounds", [(1.0, 0.0, 0.6, 0.1), (0.6, 0.1, 1.0, 0.0)])
def test_perfect_agreement_does_not_pretend_to_be_without_error(
    rounds: tuple[float, float, float, float],
) -> None:
    one, reach, other, further = rounds
    found = round_difference(estimate(one, reach), estimate(other, further), share_posts=False)
    assert (found.low, found.high, found.note) == (None, None, NO_WIDTH)
