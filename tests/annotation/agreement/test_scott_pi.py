"""Scott's pi has the values that one works out by hand."""

import pytest
from hypothesis import given

from tests.annotation.agreement.measured import Rows, measured, tables


def pairs(table: list[list[int]]) -> Rows:
    """A table of counts, the first rater's answers by row and the second's by column, as ratings."""
    return [[at, to] for at, row in enumerate(table) for to, n in enumerate(row) for _ in range(n)]


def test_three_categories_by_hand() -> None:
    """15 of 45 agree; both together say the categories 18, 30 and 42 times of 90."""
    by_chance = (18**2 + 30**2 + 42**2) / 90**2
    found = measured(pairs([[1, 2, 3], [4, 5, 6], [7, 8, 9]]))["scott_pi"]
    assert found.value == pytest.approx((15 / 45 - by_chance) / (1 - by_chance), abs=1e-12)
    assert found.value == pytest.approx(-0.0563, abs=5e-5)
    assert (found.n_items, found.n_raters) == (45, 2)


def test_it_is_below_cohens_kappa_where_habits_differ() -> None:
    """Cohen's first table (1960): 140 of 200 agree, margins 120, 60, 20 and 100, 60, 40."""
    found = measured(pairs([[88, 14, 18], [10, 40, 10], [2, 6, 12]]))
    by_chance = (220**2 + 120**2 + 60**2) / 400**2
    assert found["scott_pi"].value == pytest.approx((0.7 - by_chance) / (1 - by_chance), abs=1e-12)
    assert found["cohen_kappa_mean"].value == pytest.approx(0.492, abs=5e-4)
    assert found["scott_pi"].value == pytest.approx(0.487, abs=5e-4)


@given(tables(gaps=False))
def test_of_two_raters_it_is_fleiss_kappa_and_of_more_the_mean_of_pairs(rows: list[list[float]]) -> None:
    found = measured(rows)["scott_pi"].value
    n_raters = len(rows[0])
    of_pairs = [
        measured([[row[one], row[other]] for row in rows])["fleiss_kappa"].value
        for one in range(n_raters)
        for other in range(one)
    ]
    defined = [value for value in of_pairs if value is not None]
    assert found == (pytest.approx(sum(defined) / len(defined), abs=1e-12) if defined else None)


def test_pairs_without_a_value_are_told() -> None:
    found = measured([[1, 1, 0], [1, 1, 1]])["scott_pi"]
    assert found.note.startswith("Pi of 1 of 3 pairs of raters is undefined; the mean is over the others.")
