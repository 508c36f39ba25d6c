"""How labels change: by period of the calendar, or with the time since an author joined.

Each period has its mean with a clustered error, and over all the trend is the slope of the line through the labels,

    β = Σ (t_i - t̄) y_i / Σ (t_i - t̄)²

per year, moved by item i as (t_i - t̄)(y_i - ȳ - β(t_i - t̄)) / Σ (t - t̄)². Its effect
size is the change over the whole time as a part of the level at its beginning, as the line has it. Who stays is not who
came: a trend since joining mixes change in people with who is left, so look at those who joined together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
import polars as pl

from analysis.clusters import Clusters, Groups
from analysis.controls import years
from analysis.errors import ColumnMissing, NotAnalysable
from analysis.gold_notes import (
    NO_GOLD_HERE,
    NO_INTERVAL,
    basis_of,
    gold_basis,
    gold_note,
    withhold_unsupported,
)
from analysis.group_means import GroupEstimates, MeansByGroup
from analysis.labelled import LabelledCorpus, labelled_corpus
from analysis.labels import Labels, labels_of
from analysis.multiple_testing import adjust_p_values
from analysis.normal import interval, t_test
from analysis.three_ways import Fit, ask
from analysis.tuned_estimates import Part, mean_of
from analysis.values import (
    NO_TEST,
    ROUNDING,
    Effect,
    Estimate,
    Finding,
    Measure,
    Places,
    Significance,
    Values,
    Way,
    varies,
)

TREND = "slope, clustered"
NO_TREND = "Undefined: all gold is of one time; draw more."
_DAYS_IN_MONTH = 365.25 / 12


@dataclass(frozen=True, slots=True)
class Course:
    """A code over time: the mean of each period, in order, and the trend over all."""

    code: str
    name: str
    periods: tuple[Finding, ...]
    trend: Finding

    @property
    def findings(self) -> tuple[Finding, ...]:
        return (*self.periods, self.trend)


def over_time(
    corpus: LabelledCorpus,
    *,
    way: Way,
    every: str = "1mo",
) -> tuple[Course, ...]:
    """`every` is a length as polars has it, such as 1mo, 1q or 1y. p-values of trends are adjusted over the codes."""
    start = corpus.column("created", why="says when each item was written").dt.truncate(every)
    distinct = start.unique().sort()
    places = np.searchsorted(distinct.to_physical().to_numpy(), start.to_physical().to_numpy())
    groups = Groups(tuple(distinct.dt.strftime("%Y-%m-%d").to_list()), places)
    return _courses(corpus, years(corpus), groups, way)


def since_joining(
    corpus: LabelledCorpus,
    *,
    joined: tuple[datetime, datetime],
    way: Way,
    months: int = 6,
) -> tuple[Course, ...]:
    """By months since the author's first item, of authors whose first was in `joined`, from and until; clustered by
    author."""
    if "author" not in corpus.items.columns:
        raise ColumnMissing("author", "says whose time it is")
    first = pl.col("created").min().over("author")
    items = corpus.items.with_columns(first.alias("joined")).filter(
        (pl.col("joined") >= joined[0]) & (pl.col("joined") < joined[1])
    )
    if not items.height:
        raise NotAnalysable("Nobody joined in that time: choose another.")
    kept = labelled_corpus(items, part=corpus.part, codes=corpus.codes, clustered_by="author")
    days = (items["created"] - items["joined"]).dt.total_seconds().to_numpy() / 86_400
    distinct, places = np.unique(
        np.floor(days / _DAYS_IN_MONTH / months).astype(np.int64), return_inverse=True
    )
    groups = Groups(tuple(f"month {at * months}" for at in distinct.tolist()), places)
    return _courses(kept, days / 365.25, groups, way)


def _courses(corpus: LabelledCorpus, time: Values, groups: Groups, way: Way) -> tuple[Course, ...]:
    by_period = MeansByGroup(groups, corpus.clusters)
    courses = []
    for code in corpus.codes:
        labels = labels_of(corpus, code, way)
        found = by_period.of(labels, way, highest=_highest(labels))
        periods = [_period(corpus, code, way, labels, groups, found, at) for at in range(len(groups.names))]
        trend = _trend(corpus, code, way, time, labels)
        courses.append(Course(code, corpus.codes[code], tuple(periods), trend))
    return _adjust(courses)


def _period(
    corpus: LabelledCorpus,
    code: str,
    way: Way,
    labels: Labels,
    groups: Groups,
    found: GroupEstimates,
    at: int,
) -> Finding:
    gold = np.flatnonzero(groups.places[labels.at] == at)
    note = gold_note(labels, way, gold)
    means, estimate = found.means, found.estimates[at]
    if note != NO_GOLD_HERE and estimate.low is None:
        note = note or NO_INTERVAL
    said = "not known" if estimate.value is None else f"{estimate.value:.3f}"
    period = Finding(
        code=code,
        where=groups.names[at],
        measure=Measure.LEVEL,
        way=way,
        basis=gold_basis(labels, way, int(means.sizes[at]), int(means.n_clusters[at]), gold),
        estimate=estimate,
        test=NO_TEST,
        effect=Effect(Measure.LEVEL.value, estimate.value),
        says=f"From {groups.names[at]} on, the mean of “{corpus.codes[code]}” in {corpus.things} is {said}",
        note=note,
        weight=found.weights[at],
    )
    return withhold_unsupported(period)


def _highest(labels: Labels) -> float:
    """What a mean cannot pass: 1 of ticks, the highest level of codes with levels."""
    return float(np.concatenate([labels.model, labels.gold, [1.0]]).max())


def slope(values: Values, at: Values, weight: Values) -> Fit | None:
    """Of labels over time; None where all is at one time.

    >>> found = slope(np.array([0.0, 1, 1, 2]), np.array([0.0, 1, 1, 2]), np.ones(4))
    >>> round(found.value, 3), found.moved.round(3).tolist()
    (1.0, [-0.0, 0.0, 0.0, 0.0])
    """
    if not varies(at):
        return None
    if not varies(values):
        return Fit(0.0, np.zeros(len(values)))
    share = weight / float(weight.sum())
    away, from_mean = at - float(share @ at), values - float(share @ values)
    spread = float(share @ away**2)
    found = float(share @ (away * from_mean)) / spread
    return Fit(found, share * away * (from_mean - found * away) / spread)


def _trend(corpus: LabelledCorpus, code: str, way: Way, time: Values, labels: Labels) -> Finding:
    if not varies(time):
        raise NotAnalysable("All items are of one time: there is no change to be seen.")

    def estimate(columns: Sequence[Values], weight: Values, at: Places | slice) -> Fit | None:
        return slope(columns[0], time[at], weight)

    found = ask(estimate, [labels], corpus.clusters, way)
    about = code, "", Measure.PER_YEAR, way, basis_of(labels, corpus.clusters, way)
    says = f"The mean of “{corpus.codes[code]}”"
    if found is None:
        nothing = Estimate(None, None, None), Significance(TREND, None, (), None)
        return Finding(*about, *nothing, Effect("relative change", None), f"{says} has no trend", NO_TREND)
    value, estimated = found.value, interval(found.value, found.error, found.df)
    span = float(time.max() - time.min())
    level = _level(labels, way, value, time)
    relative = value * span / level if level > ROUNDING else None
    way_of = "falls" if value < 0 else "rises"
    in_all = "" if relative is None else f", over {span:.1f} years by {abs(relative):.0%} of where it began"
    trend = Finding(
        *about,
        estimated,
        t_test(TREND, value, found.error, found.df),
        Effect("relative change", relative),
        f"{says} {way_of} by {abs(value):.3f} a year{in_all}",
        gold_note(labels, way) or (NO_INTERVAL if estimated.low is None else ""),
        weight=found.weight,
    )
    return withhold_unsupported(trend)


def _level(labels: Labels, way: Way, slope: float, time: Values) -> float:
    """Of the line at the beginning, through the mean that goes with the way."""
    mean = float(labels.model.mean())
    if way is not Way.NAIVE:
        found = mean_of(Part(labels, np.ones(len(labels)), Clusters(np.arange(len(labels)), len(labels))))
        mean = found.parts.value if way is Way.CORRECTED else found.gold_parts.value
    return mean - slope * float(time.mean() - time.min())


def _adjust(courses: Sequence[Course]) -> tuple[Course, ...]:
    trends = adjust_p_values([course.trend for course in courses])
    return tuple(
        Course(course.code, course.name, course.periods, trend)
        for course, trend in zip(courses, trends, strict=True)
    )
