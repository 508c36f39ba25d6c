"""Probability-proportional-to-size selection: exact, whatever the sizes."""

from collections import Counter
from fractions import Fraction
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from corpus.sampling.pps import plan_pps, select_systematic

SIZES = st.lists(st.integers(1, 60) | st.integers(1, 3), min_size=1, max_size=12)


@st.composite
def sizes_and_n(draw: st.DrawFn) -> tuple[list[int], int]:
    sizes = draw(SIZES)
    return sizes, draw(st.integers(0, len(sizes)))


@given(sizes_and_n())
def test_probabilities_sum_to_n_exactly(case: tuple[list[int], int]) -> None:
    sizes, n = case
    plan = plan_pps(sizes, n)
    probabilities = [plan.probability(i) for i in range(len(sizes))] if n else [Fraction(0)]
    assert sum(probabilities) == n
    assert all(p <= 1 for p in probabilities)


@given(sizes_and_n())
def test_certain_units_are_those_of_repeated_removal(case: tuple[list[int], int]) -> None:
    sizes, n = case
    certain: set[int] = set()
    while True:
        left = [i for i in range(len(sizes)) if i not in certain]
        total, wanted = sum(sizes[i] for i in left), n - len(certain)
        now = {i for i in left if wanted > 0 and wanted * sizes[i] >= total}
        if not now:
            break
        certain |= now
    assert plan_pps(sizes, n).certain == certain


@given(sizes_and_n(), st.randoms(use_true_random=False))
def test_every_start_counted_gives_the_stated_probabilities(
    case: tuple[list[int], int], random: Random
) -> None:
    """All possible starts are tried, so that this is the probability itself and not an estimate."""
    sizes, n = case
    plan = plan_pps(sizes, n)
    order = list(range(len(sizes)))
    random.shuffle(order)
    starts = range(max(plan.total, 1) if plan.n_drawn else 1)
    times: Counter[int] = Counter()
    for start in starts:
        selected = select_systematic(plan, order, start) if plan.n_drawn else sorted(plan.certain)
        assert len(set(selected)) == len(selected) == n
        times.update(selected)
    if n:
        assert all(Fraction(times[i], len(starts)) == plan.probability(i) for i in range(len(sizes)))


def test_removing_one_large_unit_makes_the_next_certain() -> None:
    plan = plan_pps([100, 10, 2, 2, 2], n=3)
    assert [plan.probability(i) for i in range(5)] == [1, 1, Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]


def test_equal_sizes_give_equal_probabilities() -> None:
    plan = plan_pps([1] * 7, n=3)
    assert {plan.probability(i) for i in range(7)} == {Fraction(3, 7)}


def test_all_units_are_certain_when_n_is_their_number() -> None:
    assert plan_pps([1, 5, 2], n=3).certain == {0, 1, 2}
