"""The measures equal those of statsmodels, krippendorff and scikit-learn on any table."""

import warnings
from itertools import combinations

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from annotation.agreement.values import MeasurementLevel
from tests.annotation.agreement.measured import measured, tables

EXACT = 1e-12
FLOATS = (-3.5, 0.1, 0.25, 2.0, 1e3)


@given(tables(gaps=False))
def test_fleiss_equals_statsmodels(rows: list[list[float | None]]) -> None:
    assume(len({cell for row in rows for cell in row}) > 1)
    counts, _ = aggregate_raters(np.array(rows, dtype=float))
    assert measured(rows)["fleiss_kappa"].value == pytest.approx(fleiss_kappa(counts), abs=EXACT)


@given(
    st.one_of(tables(gaps=True), tables(gaps=False), tables(gaps=True, values=FLOATS)),
    st.sampled_from(MeasurementLevel),
)
def test_alpha_equals_krippendorff(rows: list[list[float | None]], level: MeasurementLevel) -> None:
    paired = [row for row in rows if sum(cell is not None for cell in row) > 1]
    found = measured(rows, level=level)["krippendorff_alpha"]
    if len({cell for row in paired for cell in row if cell is not None}) < 2:
        assert found.value is None
        return
    expected = krippendorff.alpha(np.array(rows, dtype=float).T, level_of_measurement=level.value)
    assert found.value == pytest.approx(expected, abs=EXACT)


@given(tables(gaps=True))
def test_cohen_equals_scikit_learn_for_every_pair_and_so_does_its_mean(
    rows: list[list[float | None]],
) -> None:
    values = np.array(rows, dtype=float)
    found = measured(rows)
    defined = []
    for pair, (one, other) in zip(found.pairs, combinations(range(values.shape[1]), 2), strict=True):
        assert (pair.rater, pair.other) == (str(one + 1), str(other + 1))
        both = values[~np.isnan(values[:, [one, other]]).any(axis=1)]
        assert pair.kappa.n_items == len(both)
        expected = scikit_kappa(both[:, one], both[:, other])
        if expected is None:
            assert pair.kappa.value is None and pair.kappa.note.startswith("Undefined")
        else:
            assert pair.kappa.value == pytest.approx(expected, abs=EXACT)
            defined.append(expected)
    if defined:
        assert found["cohen_kappa_mean"].value == pytest.approx(np.mean(defined), abs=EXACT)
    else:
        assert found["cohen_kappa_mean"].value is None


def scikit_kappa(one: np.ndarray, other: np.ndarray) -> float | None:  # type: ignore[type-arg]
    if not len(one) or len({*one, *other}) < 2:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(cohen_kappa_score(one.astype(int), other.astype(int)))


@given(tables(gaps=True))
def test_gwet_equals_the_formula_written_out(rows: list[list[float | None]]) -> None:
    categories = sorted({cell for row in rows for cell in row if cell is not None})
    given_rows = [[cell for cell in row if cell is not None] for row in rows]
    rated = [row for row in given_rows if row]
    paired = [row for row in given_rows if len(row) > 1]
    found = measured(rows)["gwet_ac1"]
    if len(categories) < 2 or not paired:
        assert found.value is None
        return
    observed = np.mean(
        [np.mean([one == other for one, other in combinations(row, 2)]) for row in paired], dtype=float
    )
    shares = [np.mean([row.count(category) / len(row) for row in rated]) for category in categories]
    chance = sum(share * (1 - share) for share in shares) / (len(categories) - 1)
    assert found.value == pytest.approx((observed - chance) / (1 - chance), abs=EXACT)
