"""Bands have names and rules decide."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.agreement.clopper_pearson import lowest_without_disagreement
from annotation.agreement.landis_koch import Band, band_of
from annotation.agreement.registry import Statistic, rule_statistics
from annotation.agreement.trust_rule import Bound, Decision, Rule, verdict, verdict_on
from annotation.agreement.values import CategoryShare, Estimate
from tests.annotation.agreement.measured import measured

RULE = Rule("fleiss_kappa", Bound.LOW, 0.61)


@given(st.floats(-1, 1))
def test_every_kappa_has_one_band_whose_bounds_hold_it(value: float) -> None:
    low, high = band_of(value).bounds
    assert low <= value <= high
    assert sum(band.bounds[0] <= value < band.bounds[1] for band in Band) == (value < 1)


@pytest.mark.parametrize(
    ("value", "band"),
    [
        (-0.01, Band.POOR),
        (0.2, Band.SLIGHT),
        (0.21, Band.FAIR),
        (0.8, Band.SUBSTANTIAL),
        (0.81, Band.ALMOST_PERFECT),
    ],
)
def test_bands_begin_where_landis_and_koch_print_them(value: float, band: Band) -> None:
    assert band_of(value) is band


@pytest.mark.parametrize(
    ("low", "value", "bound", "decision"),
    [
        (0.61, 0.7, Bound.LOW, Decision.TRUSTED),
        (0.6, 0.7, Bound.LOW, Decision.ANOTHER_ROUND),
        (0.6, 0.7, Bound.VALUE, Decision.TRUSTED),
        (None, 0.7, Bound.LOW, Decision.UNDECIDABLE),
        (None, None, Bound.VALUE, Decision.UNDECIDABLE),
    ],
)
def test_a_rule_looks_at_its_bound(
    low: float | None, value: float | None, bound: Bound, decision: Decision
) -> None:
    found = verdict_on(Rule("fleiss_kappa", bound, 0.61), Estimate(value, low, None, 10, 3, "Why."))
    assert found.decision is decision
    assert found.reason


def test_what_is_undefined_is_undecidable_with_its_reason() -> None:
    found = verdict(RULE, measured([[1, 1], [1, 1]], resamples=10))
    assert found.decision is Decision.UNDECIDABLE
    assert "all ratings that can be compared are the same" in found.reason


def test_a_rule_reads_as_a_sentence() -> None:
    assert str(RULE) == "the lower bound of Fleiss' kappa is at least 0.61"
    assert str(Rule("gwet_ac1", Bound.VALUE, 0.8)) == "Gwet's AC1 is at least 0.80"


@pytest.mark.parametrize(("n", "decision"), [(14, Decision.ANOTHER_ROUND), (100, Decision.TRUSTED)])
def test_a_few_items_without_any_disagreement_prove_little(n: int, decision: Decision) -> None:
    agreement = measured([[1, 1, 1]] * (n // 3) + [[0, 0, 0]] * (n - n // 3), resamples=50)
    assert (agreement["fleiss_kappa"].value, agreement["fleiss_kappa"].high) == (1, 1)
    assert verdict(RULE, agreement).decision is decision


@given(st.integers(1, 500), st.floats(0.001, 0.5), st.sampled_from(rule_statistics()))
def test_what_nobody_disputed_is_sure_only_with_many_items(n: int, share: float, measure: Statistic) -> None:
    shares = [CategoryShare(0, 1 - share, 1), CategoryShare(1, share, 1)]
    few, more = (lowest_without_disagreement(measure, shares, times) for times in (n, n + 1))
    assert few is not None and more is not None
    assert -1 <= few <= more < 1


def test_replies_to_three_posts_prove_as_little_as_three_posts() -> None:
    rows = [[at % 2, at % 2] for at in range(100)]
    agreement = measured(rows, resamples=50, clusters=[f"p{at % 3}" for at in range(100)])
    assert agreement.n_units == 3
    found = verdict(RULE, agreement)
    assert found.decision is Decision.ANOTHER_ROUND
    assert "The lower bound is" in found.reason


def test_where_no_two_ratings_differ_the_numbers_say_so() -> None:
    alone = measured([[1, 1], [0, 0]] * 50, resamples=50)
    assert alone["fleiss_kappa"].note == (
        "No two ratings differ; by the exact bound, 100 items still allow a rate of"
        " disagreement of up to 3.6%."
    )
    by_post = measured([[1, 1], [0, 0]] * 50, resamples=50, clusters=["p", "q"] * 50)
    assert "100 items from 2 posts still allow" in by_post["raw_agreement"].note
    assert measured([[1, 1], [0, 0], [1, 0]] * 9, resamples=50)["fleiss_kappa"].note == ""


def test_a_rare_theme_on_few_items_is_not_trusted_on_the_value_of_kappa() -> None:
    """Its interval tells how little two items say, and then the rule may look at it."""
    ratings = [[1, 1, 1]] * 2 + [[0, 0, 0]] * 98
    by_value = verdict(Rule("fleiss_kappa", Bound.VALUE, 0.61), measured(ratings, resamples=100))
    assert by_value.decision is Decision.UNDECIDABLE
    assert "About 2 of 100 items" in by_value.reason
    assert verdict(RULE, measured(ratings, resamples=100)).decision is Decision.ANOTHER_ROUND
    by_ac1 = verdict(Rule("gwet_ac1", Bound.LOW, 0.5), measured(ratings, resamples=100))
    assert by_ac1.decision is Decision.TRUSTED
    assert verdict(RULE, measured(ratings * 10, resamples=100)).decision is Decision.TRUSTED
