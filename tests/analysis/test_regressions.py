"""Regressions community by community, little gold, and gold that a model has seen."""

import numpy as np
import polars as pl
import pytest

from analysis.clusters import Clusters
from analysis.co_occurrence import across_parts, pair_replies_with_posts
from analysis.design_based_supervised_learning import CorrectedRegression
from analysis.errors import ModelSawGold, NotAnalysable
from analysis.labelled import labelled_corpus
from analysis.labels import Labels
from analysis.outcomes import Outcome
from analysis.regressions import Model, regressions, regressions_by
from analysis.three_ways import Answer
from analysis.values import Way
from codebook.schema import Part
from tests.analysis.simulated_corpus import COMMUNITIES, POST_CODES, REPLY_CODES, simulated

SIMULATED = simulated(n_posts=2_400, n_gold=700, seed=4)


def test_each_community_has_its_own_regression_and_all_are_adjusted_together() -> None:
    found = regressions_by(SIMULATED.replies, outcome=Outcome.ANSWERED, way=Way.NAIVE, model=Model.LOGISTIC)
    assert [each.where for each in found[::2]] == list(COMMUNITIES)
    assert {each.test.n_tests for each in found} == {12}
    assert "with length and time held equal" in found[0].sentence


def test_one_community_alone_is_what_a_corpus_of_it_gives() -> None:
    (_, first), *_ = SIMULATED.posts.by("community")
    alone = regressions(first, outcome=Outcome.N_REPLIES, way=Way.NAIVE)
    beside = regressions_by(SIMULATED.posts, outcome=Outcome.N_REPLIES, way=Way.NAIVE)
    assert [each.estimate for each in alone] == [each.estimate for each in beside[: len(alone)]]


def test_a_community_without_gold_is_said_and_the_others_are_there() -> None:
    without = pl.col("community") == COMMUNITIES[0]
    items = SIMULATED.replies.items.with_columns(
        pl.col("drawn") & ~without,
        *(pl.when(~without).then(pl.col(f"gold.{code}")).alias(f"gold.{code}") for code in REPLY_CODES),
    )
    corpus = labelled_corpus(items, part=Part.REPLY, codes=REPLY_CODES)
    found = regressions_by(corpus, outcome=Outcome.ANSWERED, way=Way.CORRECTED)
    assert [each.estimate.value is None for each in found] == [True, True, *[False] * 10]
    assert found[0].note.startswith("Undefined: no gold")


def test_a_post_that_the_model_learned_from_is_refused_in_pairs_too() -> None:
    posts = labelled_corpus(
        SIMULATED.posts.items.with_columns(pl.lit(True).alias("seen_in_training")),
        part=Part.POST,
        codes=POST_CODES,
    )
    pairs = pair_replies_with_posts(posts, SIMULATED.replies)
    with pytest.raises(ModelSawGold, match="cross-fitting"):
        across_parts(pairs, list(POST_CODES), list(REPLY_CODES), way=Way.CORRECTED)


def test_pairs_need_posts_and_replies_of_one_sample() -> None:
    few = SIMULATED.posts.where(SIMULATED.posts.items["post"].cast(pl.Int64()).to_numpy() > 100)
    with pytest.raises(NotAnalysable, match="of one sample"):
        pair_replies_with_posts(few, SIMULATED.replies)
    with pytest.raises(NotAnalysable, match="ids of their own"):
        pair_replies_with_posts(SIMULATED.replies, SIMULATED.replies)


@pytest.mark.parametrize("is_logistic", [True, False])
def test_a_handful_of_gold_gives_a_finite_result_or_none(is_logistic: bool) -> None:
    """What is singular but for rounding is no solution."""
    found = [_few(seed, is_logistic=is_logistic) for seed in range(100)]
    solved = [each for each in found if each is not None]
    assert solved and len(solved) < len(found)
    assert all(np.isfinite([each.value, each.error]).all() for each in solved)


def _few(seed: int, *, is_logistic: bool) -> Answer | None:
    rng = np.random.default_rng(seed)
    n, n_gold = int(rng.integers(6, 16)), int(rng.integers(1, 4))
    label = (rng.random(n) < 0.4).astype(float)
    at = np.sort(rng.choice(n, n_gold, replace=False))
    gold = (rng.random(n_gold) < 0.5).astype(float)
    labels = Labels(label, at, gold, np.full(n_gold, n / n_gold))
    controls = np.hstack([np.ones((n, 1)), rng.integers(0, 3, (n, 2)).astype(float)])
    outcome = (rng.random(n) < 0.5).astype(float)
    regression = CorrectedRegression(
        labels, controls, outcome, Clusters(np.arange(n), n), is_logistic=is_logistic
    )
    return regression.answer(Way.CORRECTED)
