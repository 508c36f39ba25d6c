"""Change by the calendar, and since people joined."""

from datetime import UTC, datetime, timedelta

import numpy as np
import polars as pl
import pytest

from analysis.errors import ColumnMissing, NotAnalysable
from analysis.labelled import LabelledCorpus, labelled_corpus
from analysis.over_time import over_time, since_joining
from analysis.values import Way
from codebook.schema import Part

START = datetime(2015, 1, 1, tzinfo=UTC)
YEAR = (START, START + timedelta(days=365))


def supporters(fall_a_year: float, n_authors: int = 300, late: int = 50) -> LabelledCorpus:
    """Each writes every half year for three; a code is found in 60 of 100 at first and less each year they stay.
    `late` more come two years later and begin anew."""
    rng = np.random.default_rng(1)
    rows = []
    for author in range(n_authors + late):
        joined = START + timedelta(days=int(rng.integers(0, 300)) + (730 if author >= n_authors else 0))
        for half in range(6):
            chance = 0.6 - fall_a_year * half / 2
            rows.append((f"a{author}", joined + timedelta(days=183 * half), int(rng.random() < chance)))
    items = pl.DataFrame(rows, schema=["author", "created", "model.emotion"], orient="row")
    ids = pl.Series([str(at) for at in range(items.height)])
    items = items.with_columns(ids.alias("item_id"), ids.alias("post"), pl.lit("talk").alias("community"))
    return labelled_corpus(items, part=Part.REPLY, codes={"emotion": "Emotional reaction"})


def test_those_who_joined_together_fall_as_was_set_and_latecomers_are_left_out() -> None:
    (course,) = since_joining(supporters(0.15), joined=YEAR, way=Way.NAIVE, months=6)
    assert [found.where for found in course.periods] == [f"month {6 * at}" for at in range(6)]
    assert [found.basis.n for found in course.periods] == [300] * 6
    low, high = course.trend.estimate.low, course.trend.estimate.high
    assert low is not None and high is not None and low < -0.15 < high < 0
    assert course.trend.basis.n_clusters == 300
    assert course.trend.effect.value == pytest.approx(-0.15 * 2.5 / 0.6, abs=0.1)
    assert course.trend.sentence.startswith("The mean of “Emotional reaction” falls by 0.1")


def test_by_the_calendar_latecomers_hide_part_of_the_fall() -> None:
    (course,) = over_time(supporters(0.15), way=Way.NAIVE, every="1y")
    assert [found.where for found in course.periods][:2] == ["2015-01-01", "2016-01-01"]
    assert sum(found.basis.n for found in course.periods) == 350 * 6
    (together,) = since_joining(supporters(0.15), joined=YEAR, way=Way.NAIVE)
    assert abs(course.trend.estimate.value or 0) < abs(together.trend.estimate.value or 0)


def test_no_change_is_no_finding() -> None:
    (course,) = over_time(supporters(0.0), way=Way.NAIVE)
    assert course.trend.test.p is not None and course.trend.test.p > 0.05


def test_what_cannot_be_asked_is_said() -> None:
    with pytest.raises(NotAnalysable, match="Nobody joined"):
        since_joining(supporters(0.1), joined=(YEAR[0] - timedelta(days=900), YEAR[0]), way=Way.NAIVE)
    nameless = supporters(0.1)
    bare = labelled_corpus(nameless.items.drop("author"), part=Part.REPLY, codes=nameless.codes)
    with pytest.raises(ColumnMissing, match="author"):
        since_joining(bare, joined=YEAR, way=Way.NAIVE)
