"""Corrected estimates know what their gold is worth: chosen gold is worth less than its number, and below what an
interval needs there is none."""

import csv
from io import StringIO

import numpy as np
import polars as pl
import pytest

from analysis.differences import differences
from analysis.labelled import LabelledCorpus, labelled_corpus
from analysis.labels import LEAST_GOLD
from analysis.outcomes import Outcome
from analysis.over_time import over_time
from analysis.prevalence import prevalence
from analysis.regressions import regressions
from analysis.tables import csv_findings
from analysis.values import Finding, Way
from codebook.schema import Part
from learning.query_strategies.inclusion import inclusion_probabilities
from tests.analysis.simulated_corpus import simulated

N_ITEMS, SHARE = 1_500, 0.1


def chosen_corpus(seed: int, *, n_gold: int, random_share: float) -> LabelledCorpus:
    """Gold as active learning draws it: some at random, and what the model is least sure of."""
    rng = np.random.default_rng(seed)
    truth = rng.random(N_ITEMS) < SHARE
    said = rng.random(N_ITEMS) < np.where(truth, 0.6, 0.1)
    n_random = round(random_share * n_gold)
    order = np.argsort(-rng.normal(said != truth, 1.0))
    chances = np.empty(N_ITEMS)
    chances[order] = inclusion_probabilities(N_ITEMS, n_random, n_gold - n_random)
    drawn = np.zeros(N_ITEMS, dtype=np.bool_)
    drawn[rng.permutation(N_ITEMS)[:n_random]] = True
    drawn[order[~drawn[order]][: n_gold - n_random]] = True
    names = [str(at) for at in range(N_ITEMS)]
    items = pl.DataFrame(
        {
            "item_id": names,
            "post": names,
            "community": ["a"] * N_ITEMS,
            "model.code": said.astype(np.int64),
            "gold.code": pl.Series([int(y) if has else None for y, has in zip(truth, drawn, strict=True)]),
            "drawn": drawn,
            "gold_probability": chances,
        }
    )
    return labelled_corpus(items, part=Part.POST, codes={"code": "Code"})


def share_of(corpus: LabelledCorpus, way: Way = Way.CORRECTED) -> Finding:
    (row,) = prevalence(corpus, by="community", way=way).rows
    return row.shares[0]


def holds(found: Finding) -> bool:
    low, high = found.estimate.low, found.estimate.high
    return low is not None and high is not None and low <= SHARE <= high


def test_chosen_gold_counts_for_less_and_below_the_minimum_has_no_interval() -> None:
    found = share_of(chosen_corpus(1, n_gold=120, random_share=0.2))
    assert found.basis.n_gold == 120
    assert found.basis.n_effective is not None and found.basis.n_effective < 30
    assert found.estimate.value is not None and found.estimate.low is None
    assert "says as much as 2" in found.note and f"needs {LEAST_GOLD}" in found.note
    assert "120 gold labels that say as much as 2" in found.sentence


def test_a_rare_code_needs_more() -> None:
    """With the code in 15 of 100 items, 55 labels have eight: an interval would hold what is so too seldom."""
    found = share_of(chosen_corpus(1, n_gold=55, random_share=1.0))
    assert found.basis.n_effective == pytest.approx(55) and found.estimate.low is None
    assert "of so rare a code" in found.note


def test_evenly_drawn_gold_of_the_same_number_has_an_interval() -> None:
    found = share_of(chosen_corpus(1, n_gold=200, random_share=1.0))
    assert found.basis.n_effective == pytest.approx(200)
    assert found.estimate.low is not None and not found.note
    assert "say as much as" not in found.sentence


def test_intervals_that_are_given_hold_what_is_so() -> None:
    """Those of 100 and 400 chosen labels; without the rule they would hold it in fewer cases."""
    given = [
        share_of(chosen_corpus(seed, n_gold=n_gold, random_share=share))
        for seed in range(20_000, 20_040)
        for n_gold in (100, 400)
        for share in (0.2, 0.4)
    ]
    kept = [found for found in given if found.estimate.low is not None]
    assert len(kept) == 80
    assert np.mean([holds(found) for found in kept]) >= 0.88


def test_a_difference_needs_gold_on_both_sides() -> None:
    """The finding that a report once printed first: corrected with three labels on one platform."""
    posts = simulated(n_posts=1_500, n_gold=600, seed=3).posts
    is_stack = posts.items["platform"] == "stack"
    few = is_stack & (is_stack & posts.items["drawn"]).cum_sum().gt(3)
    items = posts.items.with_columns(
        pl.when(few).then(None).otherwise(pl.col(name)).alias(name) for name in ("gold.emotions",)
    ).with_columns(drawn=posts.items["drawn"] & ~few)
    corpus = labelled_corpus(items, part=Part.POST, codes={"emotions": "Sharing emotions"})
    (row,) = prevalence(corpus, by="platform", way=Way.CORRECTED).rows
    for found in (*row.differences, row.mean, row.wald):
        assert found.test.p is None and found.estimate.low is None
        assert f"needs {LEAST_GOLD}" in found.note
    assert row.shares[0].estimate.low is not None and row.shares[1].estimate.low is None


def test_every_kind_of_corrected_estimate_follows_the_rule() -> None:
    posts = simulated(n_posts=900, n_gold=40, seed=4).posts
    table = differences(posts, outcome=Outcome.N_REPLIES, way=Way.CORRECTED, by="platform")
    findings = [
        *table.findings,
        *regressions(posts, outcome=Outcome.N_REPLIES, way=Way.CORRECTED),
        *(found for course in over_time(posts, way=Way.CORRECTED, every="1y") for found in course.findings),
    ]
    assert findings and all(found.estimate.low is None and found.test.p is None for found in findings)


def test_files_have_what_the_gold_is_worth() -> None:
    found = share_of(chosen_corpus(1, n_gold=120, random_share=0.2))
    (row,) = csv.DictReader(StringIO(csv_findings([found], {"code": "Code"})))
    assert row["n_gold"] == "120" and 20 < float(row["n_effective_gold"]) < 30


def test_gold_alone_is_the_weighted_share_of_gold_whatever_the_model_says() -> None:
    corpus = chosen_corpus(5, n_gold=400, random_share=0.5)
    found = share_of(corpus, Way.GOLD)
    drawn = corpus.items.filter("drawn")
    gold, weight = drawn["gold.code"].to_numpy(), 1 / drawn["gold_probability"].to_numpy()
    share = float(weight @ gold / weight.sum())
    error = float(np.sqrt(np.sum((weight * (gold - share) / weight.sum()) ** 2)))
    assert found.way is Way.GOLD
    assert found.estimate.value == pytest.approx(share)
    assert found.estimate.low is not None and found.estimate.high is not None
    assert (found.estimate.high - found.estimate.low) / (2 * 1.96 * error) == pytest.approx(1, abs=0.03)
    assert "from 400 gold labels" in found.sentence
    reverse = corpus.items.with_columns((1 - pl.col("model.code")).alias("model.code"))
    other = share_of(labelled_corpus(reverse, part=Part.POST, codes={"code": "Code"}), Way.GOLD)
    assert other.estimate.value == found.estimate.value


def test_gold_alone_has_no_interval_below_the_minimum() -> None:
    found = share_of(chosen_corpus(5, n_gold=30, random_share=1.0), Way.GOLD)
    assert found.estimate.value is not None
    assert (found.estimate.low, found.estimate.high) == (None, None)
    assert "No interval" in found.note
