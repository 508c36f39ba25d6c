"""What holds for every measure on every table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.agreement.registry import rule_statistics, statistic_names
from annotation.agreement.values import MeasurementLevel, RatingsAgreement
from tests.annotation.agreement.measured import measured, noisy_rows, tables

KAPPAS = [each.name for each in rule_statistics() if each.name != "raw_agreement"]


def values_of(agreement: RatingsAgreement) -> dict[str, float | None]:
    return {measure: agreement[measure].value for measure in statistic_names()}


def same(one: RatingsAgreement, other: RatingsAgreement) -> bool:
    mine, theirs = values_of(one), values_of(other)
    return all(
        (mine[name] is None) == (theirs[name] is None)
        and (mine[name] is None or mine[name] == pytest.approx(theirs[name], abs=1e-12))
        for name in statistic_names()
    )


@given(tables(gaps=True), st.sampled_from(MeasurementLevel))
def test_the_order_of_items_and_raters_does_not_matter(
    rows: list[list[float | None]], level: MeasurementLevel
) -> None:
    rng = np.random.default_rng(len(rows))
    shuffled = [rows[at] for at in rng.permutation(len(rows))]
    order = rng.permutation(len(rows[0]))
    turned = [[row[at] for at in order] for row in shuffled]
    assert same(measured(rows, level=level), measured(turned, level=level))


@given(tables(gaps=True))
def test_names_of_categories_do_not_matter(rows: list[list[float | None]]) -> None:
    names: dict[float | None, float | None] = {0: 7.5, 1: -2.0, 2: 0.0, 5: 1.0, None: None}
    assert same(measured(rows), measured([[names[cell] for cell in row] for row in rows]))


@given(tables(gaps=True), st.floats(0.5, 20), st.floats(-50, 50))
def test_an_interval_scale_may_be_stretched_and_moved(
    rows: list[list[float | None]], stretch: float, shift: float
) -> None:
    moved = [[None if cell is None else cell * stretch + shift for cell in row] for row in rows]
    found = [
        measured(each, level=MeasurementLevel.INTERVAL)["krippendorff_alpha"].value for each in (rows, moved)
    ]
    assert found[0] == pytest.approx(found[1], abs=1e-9)


@given(
    st.lists(st.sampled_from([0.0, 1.0, 3.0]), min_size=2),
    st.integers(2, 5),
    st.sampled_from(MeasurementLevel),
)
def test_perfect_agreement_is_one(truth: list[float], n_raters: int, level: MeasurementLevel) -> None:
    found = values_of(measured([[value] * n_raters for value in truth], level=level))
    assert found.pop("raw_agreement") == 1
    assert set(found.values()) == ({1.0} if len(set(truth)) > 1 else {None})


@pytest.mark.parametrize("level", MeasurementLevel)
def test_chance_is_about_zero(level: MeasurementLevel) -> None:
    rng = np.random.default_rng(5)
    found = measured([[float(cell) for cell in row] for row in rng.integers(0, 3, (20_000, 3))], level=level)
    for measure in KAPPAS:
        assert found[measure].value == pytest.approx(0, abs=0.02)
    assert found["raw_agreement"].value == pytest.approx(1 / 3, abs=0.02)


@given(tables(gaps=True))
def test_an_item_with_one_rating_does_not_matter_where_it_is_left_out(rows: list[list[float | None]]) -> None:
    single: list[float | None] = [9.0] + [None] * (len(rows[0]) - 1)
    for measure in ("krippendorff_alpha", "cohen_kappa_mean", "raw_agreement"):
        before, after = measured(rows)[measure], measured([*rows, single])[measure]
        assert before.value == pytest.approx(after.value, abs=1e-12)
        assert before.n_items == after.n_items


@given(tables(gaps=True))
def test_an_item_that_nobody_rated_changes_no_number(rows: list[list[float | None]]) -> None:
    blank: list[float | None] = [None] * len(rows[0])
    with_blank, without = measured([*rows, blank], resamples=20), measured(rows, resamples=20)
    for measure in statistic_names():
        one, other = with_blank[measure], without[measure]
        for mine, theirs in ((one.value, other.value), (one.low, other.low), (one.high, other.high)):
            assert mine == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([[1, None], [None, 0]], "no item has two ratings"),
        ([[1, None], [0, None]], "fewer than two raters"),
        ([[None, None]], "fewer than two raters"),
        ([], "fewer than two raters"),
    ],
)
def test_what_cannot_be_compared_has_no_agreement(rows: list[list[float | None]], reason: str) -> None:
    found = measured(rows, resamples=10)
    for measure in statistic_names():
        estimate = found[measure]
        assert (estimate.value, estimate.low, estimate.high) == (None, None, None)
        assert reason in estimate.note


@pytest.mark.parametrize("level", MeasurementLevel)
def test_one_answer_for_everything_is_undefined_and_neither_0_nor_1(level: MeasurementLevel) -> None:
    found = measured([[1, 1, None], [1, 1, 1]], level=level, resamples=10)
    for measure in KAPPAS:
        assert found[measure].value is None
        assert "all ratings that can be compared are the same" in found[measure].note
    assert found["raw_agreement"].value == 1


def test_pairs_that_say_one_thing_each_have_no_kappa_although_answers_vary() -> None:
    estimate = measured([[1, 1, None, None], [None, None, 0, 0]])["cohen_kappa_mean"]
    assert estimate.value is None
    assert estimate.note.startswith("Undefined: every two raters gave one and the same answer")


def test_prevalence_counts_all_ratings() -> None:
    found = measured([[1, 1], [0, 1], [None, 1]])
    assert [(each.value, each.share, each.n) for each in found.prevalence] == [(0, 0.2, 1), (1, 0.8, 4)]


def test_a_rare_answer_lowers_kappa_but_not_gwets_measure() -> None:
    rows = noisy_rows(np.random.default_rng(2), 2_000, error=0.03, share=0.02)
    found = measured(rows)
    raw, kappa, ac1 = found["raw_agreement"].value, found["fleiss_kappa"].value, found["gwet_ac1"].value
    assert raw is not None and kappa is not None and ac1 is not None
    assert raw > 0.92 and kappa < 0.5 and ac1 > 0.9


def test_ratings_of_which_no_two_are_equal_are_measured_too() -> None:
    rng = np.random.default_rng(3)
    truth = rng.normal(size=(3_000, 1))
    rows = [[float(cell) for cell in row] for row in truth + rng.normal(scale=0.5, size=(3_000, 3))]
    found = measured(rows, level=MeasurementLevel.INTERVAL, resamples=20)
    alpha = found["krippendorff_alpha"]
    assert alpha.low is not None and alpha.high is not None
    assert alpha.low < 0.8 < alpha.high
