"""What a labelled corpus has to be, and what is said of one that is not."""

import numpy as np
import polars as pl
import pytest

from analysis.clusters import clusters_of
from analysis.errors import (
    ColumnBroken,
    ColumnMissing,
    GoldMissing,
    ModelSawGold,
    NeverDrawn,
    NotAnalysable,
    NotTicks,
    ProbabilityUnknown,
)
from analysis.labelled import LabelledCorpus, labelled_corpus
from analysis.labels import labels_of, ticks_of
from analysis.outcomes import Outcome, with_outcome
from analysis.prevalence import prevalence
from analysis.values import Way
from codebook.schema import Part

ITEMS = pl.DataFrame(
    {
        "item_id": ["a", "b", "c", "d"],
        "post": ["p", "p", "q", "r"],
        "community": ["work", "work", "work", "home"],
        "platform": ["reddit"] * 4,
        "model.worry": [1, 0, 1, 0],
        "gold.worry": [1, None, 0, None],
        "gold_probability": [0.5, None, 0.25, None],
    }
)


def corpus(**changed: object) -> LabelledCorpus:
    items = ITEMS.with_columns(**{name: pl.Series(values) for name, values in changed.items()})  # type: ignore[arg-type]
    return labelled_corpus(items, part=Part.REPLY, codes={"worry": "Worry"})


def test_gold_stands_for_as_many_items_as_its_probability_says() -> None:
    labels = labels_of(corpus(), "worry", Way.CORRECTED)
    assert (labels.at.tolist(), labels.gold.tolist(), labels.weight.tolist()) == (
        [0, 2],
        [1.0, 0.0],
        [2.0, 4.0],
    )
    assert not len(labels_of(corpus(), "worry", Way.NAIVE).at)


def test_an_item_that_was_drawn_and_has_no_gold_is_stood_for_by_the_others() -> None:
    asked = corpus(drawn=[True, False, True, True], gold_probability=[0.5, None, 0.25, 0.25])
    (row,) = prevalence(asked, by="platform", way=Way.GOLD).rows
    assert row.shares[0].estimate.value == pytest.approx(2 / 6)


def test_a_probability_stands_for_the_label_where_there_is_one() -> None:
    sure = corpus(**{"probability.worry": [0.9, 0.2, 0.6, 0.1]})
    assert ticks_of(sure, "worry", Way.CORRECTED).model.tolist() == [0.9, 0.2, 0.6, 0.1]
    assert ticks_of(sure, "worry", Way.NAIVE).model.tolist() == [1.0, 0.0, 1.0, 0.0]
    assert ticks_of(corpus(), "worry", Way.CORRECTED).model.tolist() == [1.0, 0.0, 1.0, 0.0]
    with pytest.raises(NotTicks):
        ticks_of(corpus(**{"probability.worry": [0.9, 0.2, 1.6, 0.1]}), "worry", Way.CORRECTED)


def test_a_part_of_a_corpus_has_clusters_of_its_own() -> None:
    work = corpus().where(np.array([True, True, True, False]))
    assert work.clusters.n == 2 and len(work) == 3
    assert [name for name, _ in corpus().by("community")] == ["home", "work"]


@pytest.mark.parametrize(
    ("changed", "error", "said"),
    [
        (
            {"gold_probability": [0.5, None, None, None]},
            ProbabilityUnknown,
            "1 items have gold and no probability",
        ),
        ({"gold_probability": [0.5, None, 1.5, None]}, ProbabilityUnknown, "as the sample stored it"),
        ({"gold_probability": [0.5, 0.0, 0.25, None]}, NeverDrawn, "no chance of being drawn"),
        ({"seen_in_training": [True, True, False, False]}, ModelSawGold, "cross-fitting"),
        ({"gold.worry": pl.Series([None] * 4, dtype=pl.UInt8)}, GoldMissing, "ask for naive estimates"),
    ],
)
def test_gold_that_cannot_speak_for_the_rest_is_refused(
    changed: dict[str, object], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        labels_of(corpus(**changed), "worry", Way.CORRECTED)


def test_without_probabilities_nothing_is_corrected() -> None:
    bare = labelled_corpus(ITEMS.drop("gold_probability"), part=Part.REPLY, codes={"worry": "Worry"})
    with pytest.raises(ColumnMissing, match="gold_probability"):
        labels_of(bare, "worry", Way.CORRECTED)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"model.worry": [1, None, 0, 0]}, "has gaps"),
        ({"community": ["work", "home", "work", "home"]}, "in two communities"),
        ({"length": ["long", "long", "long", "long"]}, "cast it"),
    ],
)
def test_broken_columns_are_named(changed: dict[str, object], said: str) -> None:
    with pytest.raises(ColumnBroken, match=said):
        corpus(**changed)


def test_missing_columns_and_empty_corpora_are_refused() -> None:
    with pytest.raises(ColumnMissing, match="post"):
        labelled_corpus(ITEMS.drop("post"), part=Part.REPLY, codes={"worry": "Worry"})
    with pytest.raises(ColumnBroken, match="no items"):
        labelled_corpus(ITEMS.clear(), part=Part.REPLY, codes={"worry": "Worry"})
    with pytest.raises(ColumnMissing, match="topic"):
        prevalence(corpus(), by="topic", way=Way.NAIVE)
    with pytest.raises(ColumnBroken, match="have no topic"):
        prevalence(corpus(topic=["x", None, "x", "y"]), by="topic", way=Way.NAIVE)


def test_levels_have_no_share_until_somebody_says_what_counts() -> None:
    with pytest.raises(NotTicks, match="which levels"):
        prevalence(corpus(**{"model.worry": [0, 1, 2, 0]}), by="community", way=Way.NAIVE)


def test_outcomes_that_a_platform_does_not_have_are_left_out_and_counted() -> None:
    known = with_outcome(corpus(accepted=[True, None, False, None]), Outcome.ACCEPTED)
    assert known.values.tolist() == [1.0, 0.0]
    assert known.note == "2 items without the outcome are left out."
    with pytest.raises(NotAnalysable, match="platform that knows it"):
        with_outcome(corpus(accepted=pl.Series([None] * 4, dtype=pl.Boolean)), Outcome.ACCEPTED)


def test_clusters_have_the_same_numbers_whatever_was_read_before() -> None:
    before = clusters_of(pl.Series(["one-post", "another-post", "one-post", "a-third-post"]))
    pl.Series(["a-third-post", "another-post", "one-post"]).cast(pl.Categorical())
    after = clusters_of(pl.Series(["one-post", "another-post", "one-post", "a-third-post"]))
    assert before.places.tolist() == after.places.tolist() == [0, 1, 0, 2]
    backwards = pl.Series(["seldom-c", "seldom-b", "seldom-a"]).cast(pl.Categorical()).reverse()
    assert clusters_of(backwards).places.tolist() == [0, 1, 2]
