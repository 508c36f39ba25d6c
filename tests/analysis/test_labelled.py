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
from analysis.labels import Surrogate, labels_of, ticks_of
from analysis.outcomes import Outcome, with_outcome
from analysis.prevalence import prevalence
from analysis.values import Way
from codebook.schema import Part

ITEMS = pl.DataFrame(
    {
        "item_id": ["a", "b", "c", "d"],
        "post": ["p", "p", "q", "r"],
        "community": ["work", "work", "work", "home"],
        "model.worry": [1, 0, 1, 0],
        "gold.worry": [1, None, 0, None],
        "gold_probability": [0.5, None, 0.25, None],
    }
)


def corpus(**changed: object) -> LabelledCorpus:
    items = ITEMS.with_columns(**{name: pl.Series(values) for name, values in changed.items()})  # type: ignore[arg-type]
    return labelled_corpus(items, part=Part.REPLY, codes={"worry": "Worry"})


def test_gold_corrects_by_its_probability() -> None:
    labels = labels_of(corpus(), "worry", Way.CORRECTED)
    assert labels.pseudo_outcomes().tolist() == [1.0, 0.0, -3.0, 0.0]
    assert labels_of(corpus(), "worry", Way.NAIVE).pseudo_outcomes().tolist() == [1.0, 0.0, 1.0, 0.0]


def test_an_item_that_was_drawn_and_has_no_gold_leaves_its_weight_to_the_others() -> None:
    """Of a weight of 2 + 4 + 4 drawn, 6 are answered, so that each answered item counts 10/6 times as much."""
    asked = corpus(drawn=[True, False, True, True], gold_probability=[0.5, None, 0.25, 0.25])
    labels = labels_of(asked, "worry", Way.CORRECTED)
    assert labels.answered_weight.tolist() == pytest.approx([2 * 10 / 6, 4 * 10 / 6])


def test_a_probability_may_stand_for_the_label_and_is_corrected_too() -> None:
    sure = corpus(**{"probability.worry": [0.9, 0.2, 0.6, 0.1]})
    labels = ticks_of(sure, "worry", Way.CORRECTED, surrogate=Surrogate.PROBABILITY)
    assert labels.pseudo_outcomes().tolist() == pytest.approx([0.9 + 2 * 0.1, 0.2, 0.6 - 4 * 0.6, 0.1])


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
