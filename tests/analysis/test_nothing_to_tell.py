"""Where data cannot tell, there is no number: rounding is no finding, and one community does not hide the others."""

from datetime import UTC, datetime

import numpy as np
import polars as pl
import pytest

from analysis.controls import Control, controls_of
from analysis.errors import NotAnalysable
from analysis.gold_notes import NO_INTERVAL
from analysis.labelled import LabelledCorpus, labelled_corpus
from analysis.outcomes import Outcome
from analysis.over_time import over_time
from analysis.regression_fit import NO_CORRECTED_FIT, NO_ODDS, NOT_APART, SAME_OUTCOME
from analysis.regressions import NO_ERROR, Model, regressions, regressions_by
from analysis.report.build import build_report
from analysis.report.content import ReportOptions
from analysis.report.material import ReportInput
from analysis.values import MODEL_WAYS, Basis, Effect, Estimate, Finding, Measure, Significance, Way
from tests.analysis.report.report_fixtures import BARE_FACTS
from tests.analysis.simulated_corpus import COMMUNITIES, simulated

REPLIES = simulated(n_posts=600, n_gold=250, seed=4).replies
HERE = pl.col("community") == COMMUNITIES[0]
THEN = datetime(2020, 1, 1, tzinfo=UTC)


def changed(*columns: pl.Expr, kept: pl.Expr | None = None, codes: tuple[str, ...] = ()) -> LabelledCorpus:
    items = REPLIES.items.with_columns(*columns)
    names = {code: REPLIES.codes[code] for code in codes or REPLIES.codes}
    return labelled_corpus(
        items if kept is None else items.filter(kept), part=REPLIES.part, codes=names, clustered_by="post"
    )


def model_says(label: pl.Expr) -> pl.Expr:
    return label.cast(pl.UInt8()).alias("model.concern")


def no_numbers(found: Finding) -> bool:
    return (
        found.estimate == Estimate(None, None, None) and found.test.p is None and found.effect.value is None
    )


def test_a_code_in_every_item_of_a_community_proves_nothing_there() -> None:
    corpus = changed(model_says(HERE | (pl.col("model.concern") == 1)), codes=("concern",))
    first, *others = regressions_by(corpus, outcome=Outcome.ANSWERED, way=Way.NAIVE)
    assert first.where == COMMUNITIES[0] and no_numbers(first) and first.note == NOT_APART
    assert all(found.test.p is not None for found in others)
    report = build_report(ReportInput(None, corpus, BARE_FACTS), ReportOptions(sections=("answered",)))
    table = next(table for table in report.tables if table.name == "regressions-answered-naive")
    at = [column.group for column in table.columns].index(COMMUNITIES[0])
    assert table.rows[0].cells[at].text == "–" and any(NOT_APART in note for note in table.notes)


@pytest.mark.parametrize("model", Model)
def test_a_code_that_is_a_community_cannot_be_told_apart_from_it(model: Model) -> None:
    corpus = changed(
        model_says(HERE), HERE.cast(pl.Float64()).alias("probability.concern"), codes=("concern",)
    )
    naive, corrected = (
        regressions(corpus, outcome=Outcome.ANSWERED, way=way, model=model)[0] for way in MODEL_WAYS
    )
    assert no_numbers(naive) and naive.note == NOT_APART
    # Gold knows better than the model, which is of no help
    assert corrected.estimate.value is not None and corrected.weight is not None and corrected.weight < 0.1


@pytest.mark.parametrize("model", Model)
def test_gold_on_all_items_that_is_a_community_corrects_nothing(model: Model) -> None:
    gold = HERE.cast(pl.UInt8()).alias("gold.concern")
    everywhere = (pl.lit(True).alias("drawn"), pl.lit(1.0).alias("gold_probability"))
    corpus = changed(gold, *everywhere, codes=("concern",))
    (found,) = regressions(corpus, outcome=Outcome.ANSWERED, way=Way.CORRECTED, model=model)
    assert no_numbers(found) and found.note == NO_CORRECTED_FIT


@pytest.mark.parametrize("n", [50, 150, 333, 700])
@pytest.mark.parametrize("model", Model)
def test_items_of_one_instant_have_the_regression_without_time(n: int, model: Model) -> None:
    corpus = changed(pl.lit(THEN).alias("created"), kept=pl.int_range(pl.len()) < n)
    assert "time" not in controls_of(corpus, tuple(Control)).names
    with_time, without = (
        regressions(corpus, outcome=Outcome.ANSWERED, way=Way.NAIVE, model=model, controls=controls)
        for controls in (tuple(Control), (Control.LENGTH, Control.COMMUNITY))
    )
    assert [found.estimate for found in with_time] == [found.estimate for found in without]


@pytest.mark.parametrize("n", [20, 50, 150, 258, 333])
def test_items_of_one_instant_have_no_trend(n: int) -> None:
    corpus = changed(pl.lit(THEN).alias("created"), kept=pl.int_range(pl.len()) < n)
    with pytest.raises(NotAnalysable, match="of one time"):
        over_time(corpus, way=Way.NAIVE)


def test_a_code_in_all_items_neither_rises_nor_falls() -> None:
    (course,) = over_time(changed(model_says(pl.lit(1)), codes=("concern",)), way=Way.NAIVE, every="1y")
    assert course.trend.estimate == Estimate(0.0, None, None) and course.trend.test.p is None
    assert course.trend.note == NO_INTERVAL


def test_an_outcome_that_is_the_same_for_all_has_no_test() -> None:
    corpus = changed(pl.lit(True).alias("answered"))
    for found in regressions(corpus, outcome=Outcome.ANSWERED, way=Way.NAIVE):
        assert found.estimate.value == pytest.approx(0) and found.estimate.low is None
        assert found.test.p is None and NO_ERROR in found.note and found.effect.value is None
    for found in regressions(corpus, outcome=Outcome.ANSWERED, way=Way.NAIVE, model=Model.LOGISTIC):
        assert no_numbers(found) and found.note == SAME_OUTCOME


def test_odds_that_have_no_ratio_say_why() -> None:
    corpus = changed(
        (pl.col("answered") & (pl.col("model.concern") == 0)).alias("answered"), codes=("concern",)
    )
    (found,) = regressions(corpus, outcome=Outcome.ANSWERED, way=Way.NAIVE, model=Model.LOGISTIC)
    assert no_numbers(found) and found.note == NO_ODDS


@pytest.mark.parametrize("way", MODEL_WAYS)
def test_a_community_in_which_nobody_is_answered_hides_no_odds_of_the_others(way: Way) -> None:
    n_here = REPLIES.items.filter(HERE).height
    corpus = changed((pl.col("answered") & ~HERE).alias("answered"))
    found, alone = (
        regressions(each, outcome=Outcome.ANSWERED, way=way, model=Model.LOGISTIC)
        for each in (corpus, changed(kept=~HERE))
    )
    assert [each.estimate for each in found] == [each.estimate for each in alone]
    assert all(each.estimate.low is not None for each in found)
    assert all(f"{n_here} items of {COMMUNITIES[0]} are left out" in each.note for each in found)
    linear = regressions(corpus, outcome=Outcome.ANSWERED, way=way)
    assert all("left out" not in each.note and each.basis.n == len(corpus) for each in linear)


def test_a_sentence_bears_an_interval_beyond_all_numbers() -> None:
    test, estimate = Significance("t", 0.1, (1.0,), 0.9), Estimate(1.0, -2_000.0, 2_000.0)
    about = (
        "concern",
        "",
        Measure.LOG_ODDS,
        Way.NAIVE,
        Basis(9, 9),
        estimate,
        test,
        Effect("odds ratio", None),
    )
    assert "95% interval 0.000 to inf" in Finding(*about, "Odds").sentence


def test_a_rare_code_in_many_items_is_still_told_apart() -> None:
    """What is singular is known from rounding, whatever the size."""
    n = 200_000
    ids = [str(at) for at in range(n)]
    rng = np.random.default_rng(1)
    items = pl.DataFrame(
        {
            "item_id": ids,
            "post": ids,
            "community": np.where(np.arange(n) < 5, "few", "many"),
            "n_replies": rng.integers(0, 9, n),
            "model.rare": (np.arange(n) % 66_667 == 9).astype(np.uint8),
            "model.all": np.ones(n, dtype=np.uint8),
            "model.few": (np.arange(n) < 5).astype(np.uint8),
            "model.almost": (np.arange(n) < 4).astype(np.uint8),
        }
    )
    codes = {code: code for code in ("rare", "all", "few", "almost")}
    corpus = labelled_corpus(items, part=REPLIES.part, codes=codes, clustered_by="item_id")
    found = regressions(corpus, outcome=Outcome.N_REPLIES, way=Way.NAIVE, controls=(Control.COMMUNITY,))
    assert [each.estimate.value is None for each in found] == [False, True, True, False]
