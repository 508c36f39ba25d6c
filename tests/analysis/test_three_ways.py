"""Every question is asked in three ways, and the corrected one is never less exact than gold alone."""

from dataclasses import replace

import polars as pl
import pytest

from analysis.values import Finding, Way
from tests.analysis.questions import QUESTIONS, Question
from tests.analysis.simulated_corpus import Simulated, simulated

CORPUS = simulated(n_posts=2_500, n_gold=900, seed=3)


def width(found: Finding) -> float | None:
    low, high = found.estimate.low, found.estimate.high
    return None if low is None or high is None else high - low


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.__name__)
def test_corrected_intervals_are_no_wider_than_those_from_gold_alone(question: Question) -> None:
    pairs = zip(question(CORPUS, Way.GOLD), question(CORPUS, Way.CORRECTED), strict=True)
    known = [(one, other) for one, other in pairs if width(one) and width(other)]
    assert known
    # An interval on another scale, as of Wilson or Fisher, is wider where its middle moves
    assert all((width(other) or 0) <= 1.1 * (width(one) or 0) for one, other in known)
    assert sum(width(other) or 0 for _, other in known) < sum(width(one) or 0 for one, _ in known)
    assert all(one.weight == 0 for one, _ in known)
    assert all(other.weight is not None and 0 <= other.weight <= 1 for _, other in known)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.__name__)
def test_a_model_that_says_nothing_leaves_gold_alone(question: Question) -> None:
    """Its labels are of other items, so that they have nothing to do with what is so."""
    posts, replies = (
        replace(
            part,
            items=part.items.with_columns(
                pl.col(f"{kind}.{code}").shuffle(seed=5)
                for code in part.codes
                for kind in ("model", "probability")
            ),
        )
        for part in (CORPUS.posts, CORPUS.replies)
    )
    shuffled = Simulated(posts, replies)
    pairs = list(zip(question(shuffled, Way.GOLD), question(shuffled, Way.CORRECTED), strict=True))
    known = [(width(one) or 0, width(other) or 0) for one, other in pairs if width(one) and width(other)]
    assert known and all(other <= 1.05 * one for one, other in known)
    weights = [other.weight for _, other in pairs if other.weight is not None]
    assert sum(weights) / len(weights) < 0.3
