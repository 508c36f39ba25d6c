"""The maximum of kappa has the values that the literature prints and that one works out by hand."""

import pytest
from hypothesis import given

from tests.annotation.agreement.measured import Rows, measured, tables


def test_cohens_own_example() -> None:
    """Cohen (1960): margins of 120, 60, 20 and 100, 60, 40 of 200, so that p_max = 0.90, p_e = 0.41: 0.49 / 0.59."""
    counts = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
    rows: Rows = [[at, to] for at, row in enumerate(counts) for to, n in enumerate(row) for _ in range(n)]
    found = measured(rows)
    assert found["kappa_max"].value == pytest.approx(0.49 / 0.59, abs=1e-12)
    assert found["kappa_max"].value == pytest.approx(0.831, abs=5e-4)
    assert found["cohen_kappa_mean"].value == pytest.approx(0.492, abs=5e-4)


def test_two_who_never_use_the_same_answer_cannot_agree_at_all() -> None:
    assert measured([[0, 1]] * 5)["kappa_max"].value == 0


def test_it_is_the_mean_over_pairs() -> None:
    """Ann and Ben could agree on everything; Cy says yes once where they say it twice, of four: (3/4 - 1/2) / (1/2)."""
    rows: Rows = [[1, 0, 0], [0, 1, 0], [1, 1, 1], [0, 0, 0]]
    assert measured(rows)["kappa_max"].value == pytest.approx((1 + 0.5 + 0.5) / 3, abs=1e-12)


@given(tables(gaps=True))
def test_no_kappa_of_a_pair_is_higher(rows: list[list[float | None]]) -> None:
    for one in range(len(rows[0])):
        for other in range(one):
            found = measured([[row[one], row[other]] for row in rows])
            kappa, most = found["cohen_kappa_mean"].value, found["kappa_max"].value
            assert (kappa is None) == (most is None)
            assert kappa is None or most is None or kappa <= most + 1e-12 <= 1 + 2e-12
