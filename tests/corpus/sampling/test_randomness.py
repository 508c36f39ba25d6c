"""Random numbers per unit: fixed for all time, and uniform."""

import pytest
from scipy import stats

from corpus.sampling.errors import InvalidSeed
from corpus.sampling.randomness import RandomNumbers, draw_key


def numbers(seed: int = 1, kind: str = "pps_posts", community: str = "r/work") -> RandomNumbers:
    return RandomNumbers(draw_key(seed, frozenset()), kind, community)


def test_numbers_are_the_same_on_every_machine() -> None:
    assert numbers().numbering("order")("p1").hex() == "564a64edcb0606d0a550afc8b73ce8c4"
    assert numbers().below(10**9, "start") == 640920254


def test_each_ingredient_counts() -> None:
    excluding = RandomNumbers(draw_key(1, {("r/work", "p7")}), "pps_posts", "r/work")
    drawn = [
        numbers().numbering("order")("p1"),
        numbers(seed=2).numbering("order")("p1"),
        numbers(kind="whole_posts").numbering("order")("p1"),
        numbers(community="r/Parenting").numbering("order")("p1"),
        numbers().numbering("reply")("p1"),
        numbers().numbering("order")("p2"),
        numbers().numbering("order")("p", "1"),
        excluding.numbering("order")("p1"),
    ]
    assert len(set(drawn)) == len(drawn)


def test_numbers_are_uniform() -> None:
    number = numbers().numbering("order")
    values = [int.from_bytes(number(str(i)), "big") / 2**128 for i in range(5_000)]
    assert stats.kstest(values, "uniform").pvalue > 1e-4
    starts = [numbers(seed=seed).below(7, "start") for seed in range(5_000)]
    assert stats.chisquare([starts.count(value) for value in range(7)]).pvalue > 1e-4


def test_a_larger_simple_random_sample_contains_the_smaller() -> None:
    units = [(str(i),) for i in range(50)]
    assert set(numbers().smallest(5, units, "post")) < set(numbers().smallest(9, reversed(units), "post"))


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, True, "1", None])
def test_refuses_other_seeds(seed: object) -> None:
    with pytest.raises(InvalidSeed, match="whole number"):
        draw_key(seed, frozenset())  # type: ignore[arg-type]
