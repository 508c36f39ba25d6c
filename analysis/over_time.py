"""How labels change: by period of the calendar, or with the time since an author joined.

Each period has its mean with a clustered error, and over all the trend is the slope of the line through the labels,

    β = Σ (t_i - t̄) ỹ_i / Σ (t_i - t̄)²

per year, moved by item i as (t_i - t̄)(ỹ_i - ȳ - β(t_i - t̄)) / Σ (t - t̄)². Pseudo-outcomes may stand for ỹ. Its effect
size is the change over the whole time as a part of the level at its beginning, as the line has it. Who stays is not who
came: a trend since joining mixes change in people with who is left, so look at those who joined together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
import polars as pl

from analysis.clustered_errors import GroupedItems, GroupMeans, clustered_error
from analysis.clusters import Clusters, Groups
from analysis.controls import years
from analysis.errors import ColumnMissing, NotAnalysable
from analysis.gold_notes import (
    NO_GOLD_HERE,
    NO_INTERVAL,
    OUTSIDE,
    basis_of,
    degrees_of_freedom,
    gold_basis,
    gold_note,
    withhold_unsupported,
)
from analysis.labelled import LabelledCorpus, labelled_corpus
from analysis.labels import Labels, Surrogate, labels_of
from analysis.multiple_testing import adjust_p_values
from analysis.normal import cut, interval, t_test
from analysis.values import (
    NO_TEST,
    ROUNDING,
    Effect,
    Estimate,
    Finding,
    Measure,
    Values,
    Way,
    varies,
)

TREND = "slope, clustered"
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
    surrogate: Surrogate = Surrogate.DECISION,
) -> tuple[Course, ...]:
    """`every` is a length as polars has it, such as 1mo, 1q or 1y. p-values of trends are adjusted over the codes."""
    start = corpus.column("created", why="says when each item was written").dt.truncate(every)
    distinct = start.unique().sort()
    places = np.searchsorted(distinct.to_physical().to_numpy(), start.to_physical().to_numpy())
    groups = Groups(tuple(distinct.dt.strftime("%Y-%m-%d").to_list()), places)
    return _courses(corpus, years(corpus), groups, way, surrogate)


def since_joining(
    corpus: LabelledCorpus,
    *,
    joined: tuple[datetime, datetime],
    way: Way,
    months: int = 6,
    surrogate: Surrogate = Surrogate.DECISION,
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
    return _courses(kept, days / 365.25, groups, way, surrogate)


def _courses(
    corpus: LabelledCorpus, time: Values, groups: Groups, way: Way, surrogate: Surrogate
) -> tuple[Course, ...]:
    items = GroupedItems(groups, corpus.clusters)
    courses = []
    for code in corpus.codes:
        labels = labels_of(corpus, code, way, surrogate=surrogate)
        means = items.means(labels.pseudo_outcomes())
        periods = [_period(corpus, code, way, labels, groups, means, at) for at in range(len(groups.names))]
        trend = _trend(corpus, code, way, time, labels)
        courses.append(Course(code, corpus.codes[code], tuple(periods), trend))
    return _adjust(courses)


def _period(
    corpus: LabelledCorpus, code: str, way: Way, labels: Labels, groups: Groups, means: GroupMeans, at: int
) -> Finding:
    gold = np.flatnonzero(groups.places[labels.at] == at)
    note = gold_note(labels, way, gold)
    n_clusters = int(means.n_clusters[at])
    df = (n_clusters if way is Way.NAIVE else corpus.clusters.n_among(labels.at[gold])) - 1
    mean = float(means.means[at])
    highest = _highest(labels)
    estimate = cut(interval(mean, float(means.errors[at]), df), high=highest)
    if note == NO_GOLD_HERE:
        estimate = Estimate(None, None, None)
    elif not 0 <= mean <= highest:
        note = OUTSIDE
    elif estimate.low is None:
        note = note or NO_INTERVAL
    said = "not known" if estimate.value is None else f"{mean:.3f}"
    found = Finding(
        code=code,
        where=groups.names[at],
        measure=Measure.LEVEL,
        way=way,
        basis=gold_basis(labels, way, int(means.sizes[at]), n_clusters, gold),
        estimate=estimate,
        test=NO_TEST,
        effect=Effect(Measure.LEVEL.value, estimate.value),
        says=f"From {groups.names[at]} on, the mean of “{corpus.codes[code]}” in {corpus.things} is {said}",
        note=note,
    )
    return withhold_unsupported(found)


def _highest(labels: Labels) -> float:
    """What a mean cannot pass: 1 of ticks, the highest level of codes with levels."""
    return float(np.concatenate([labels.model, labels.gold, [1.0]]).max())


def slope(values: Values, at: Values, clusters: Clusters) -> tuple[float, float, float] | None:
    """The slope, its error, and the level of the line at the beginning; None where all is at one time.

    >>> found = slope(np.array([0.0, 1, 1, 2]), np.array([0.0, 1, 1, 2]), Clusters(np.arange(4), 4))
    >>> [round(each, 3) for each in found]
    [1.0, 0.0, 0.0]
    """
    if not varies(at):
        return None
    away, mean = at - at.mean(), float(values.mean())
    spread = float(away @ away)
    found = float(away @ (values - mean)) / spread
    error = clustered_error(away * (values - mean - found * away) / spread, clusters)
    return found, error, mean + found * float(away.min())


def _trend(corpus: LabelledCorpus, code: str, way: Way, time: Values, labels: Labels) -> Finding:
    found = slope(labels.pseudo_outcomes(), time, corpus.clusters)
    if found is None:
        raise NotAnalysable("All items are of one time: there is no change to be seen.")
    value, error, level = found
    df = degrees_of_freedom(labels, corpus.clusters, way)
    estimate = interval(value, error, df)
    span = float(time.max() - time.min())
    relative = value * span / level if level > ROUNDING else None
    way_of = "falls" if value < 0 else "rises"
    in_all = "" if relative is None else f", over {span:.1f} years by {abs(relative):.0%} of where it began"
    trend = Finding(
        code=code,
        where="",
        measure=Measure.PER_YEAR,
        way=way,
        basis=basis_of(labels, corpus.clusters, way),
        estimate=estimate,
        test=t_test(TREND, value, error, df),
        effect=Effect("relative change", relative),
        says=f"The mean of “{corpus.codes[code]}” {way_of} by {abs(value):.3f} a year{in_all}",
        note=gold_note(labels, way) or (NO_INTERVAL if estimate.low is None else ""),
    )
    return withhold_unsupported(trend)


def _adjust(courses: Sequence[Course]) -> tuple[Course, ...]:
    trends = adjust_p_values([course.trend for course in courses])
    return tuple(
        Course(course.code, course.name, course.periods, trend)
        for course, trend in zip(courses, trends, strict=True)
    )
