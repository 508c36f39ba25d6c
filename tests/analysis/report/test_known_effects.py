"""On a corpus whose effects were set, a report finds them: corrected within its intervals, naive not.

The truth is the report of a much larger corpus of the same making with a model that is never wrong, and where an effect
was set as a number, that number.
"""

from functools import cache

import numpy as np
import pytest

from analysis.report.build import build_report
from analysis.report.content import Report, ReportOptions
from analysis.report.material import ReportInput
from analysis.values import MODEL_WAYS, Finding, Measure, Way
from tests.analysis.report.report_fixtures import FACTS, given_report
from tests.analysis.simulated_corpus import COMMUNITIES, SHARES, as_it_is, simulated

pytestmark = pytest.mark.slow
Key = tuple[str, str, str, str, Measure]


@cache
def truth() -> Report:
    large = simulated(n_posts=60_000, n_gold=10, seed=99)
    given = ReportInput(as_it_is(large.posts), as_it_is(large.replies), FACTS)
    return build_report(given, ReportOptions(with_corrected=False))


@cache
def found(seed: int) -> Report:
    return build_report(given_report(n_posts=12_000, n_gold=1_500, seed=seed))


def estimates(report: Report, way: Way) -> dict[Key, Finding]:
    """Of every table; Welch and Pearson, which only naive labels have, stand beside the same clustered."""
    return {
        (table.pair, each.code, each.other, each.where, each.measure): each
        for table in report.tables
        for each in table.findings
        if each.way is way
        and each.measure is not Measure.ASSOCIATION
        and not each.test.name.startswith("Welch")
    }


def is_held(estimate: Finding, true: Finding) -> bool:
    low, high, value = estimate.estimate.low, estimate.estimate.high, true.estimate.value
    return low is not None and high is not None and value is not None and low <= value <= high


def held(report: Report, way: Way) -> list[bool]:
    true = estimates(truth(), Way.NAIVE)
    return [is_held(each, true[key]) for key, each in estimates(report, way).items() if key in true]


def test_corrected_intervals_of_a_report_hold_what_is_so_and_naive_ones_do_not() -> None:
    corrected = [hit for seed in range(2) for hit in held(found(seed), Way.CORRECTED)]
    naive = held(found(0), Way.NAIVE)
    assert len(corrected) > 300
    assert np.mean(corrected) >= 0.92
    assert np.mean(naive) <= 0.75


def test_shares_that_were_set_are_in_the_table_by_community() -> None:
    """Three in ten posts ask for advice just when they share emotions, so that only the others' shares are as set."""
    report = found(0)
    corrected = estimates(report, Way.CORRECTED)
    naive = estimates(report, Way.NAIVE)
    keys = [("shares-by-community", "emotions", "", name, Measure.SHARE) for name in COMMUNITIES]
    misses: dict[Way, list[float]] = {way: [] for way in MODEL_WAYS}
    for key, share in zip(keys, SHARES["emotions"], strict=True):
        for way, each in ((Way.NAIVE, naive[key]), (Way.CORRECTED, corrected[key])):
            misses[way].append(abs((each.estimate.value or 0) - share))
    assert np.mean(misses[Way.CORRECTED]) < 0.035 < np.mean(misses[Way.NAIVE])


def test_the_odds_that_were_set_are_in_the_regression() -> None:
    """Concern raises the log odds of an answer by 0.7, other things equal: a ratio of 2.01."""
    key = ("regressions-answered", "concern", "", "", Measure.LOG_ODDS)
    corrected, naive = (estimates(found(1), way)[key].estimate for way in (Way.CORRECTED, Way.NAIVE))
    assert corrected.low is not None and corrected.high is not None
    assert corrected.low < 0.7 < corrected.high
    assert naive.high is not None and naive.high < 0.7
    table = next(table for table in truth().tables if table.name == "regressions-answered-naive")
    column = [each.title for each in table.columns].index("Odds ratio")
    concern = next(row for row in table.rows if row.label == "Personal concern")
    assert float(concern.cells[column].text) == pytest.approx(np.exp(0.7), abs=0.1)
