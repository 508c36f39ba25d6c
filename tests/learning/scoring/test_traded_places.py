"""Models that trade places on posts, against measuring predictions that are exchanged in fact."""

from __future__ import annotations

import numpy as np
import pytest

from annotation.release.rows import ReleaseRow
from codebook.schema import Codebook
from learning.predictions.rows import ItemPrediction
from learning.scoring.compare import compare, pair_up
from learning.scoring.traded_places import TradedPlaces, traded_places
from learning.scoring.values import HEADLINE, Metric
from tests.learning.scoring.gold_fixtures import CAUSES, EPITOME, PRACTICES, RATINGS, questions, random_study

Given = tuple[list[ReleaseRow], list[ItemPrediction], list[ItemPrediction]]


def given(codebook: Codebook) -> Given:
    """Gold and two models, two items to a post."""
    rows, first = random_study(codebook, n=40, seed=1)
    return rows, first, random_study(codebook, n=40, seed=2)[1]


def gain(work: Given, codebook: Codebook, metric: Metric) -> float:
    found = compare(*work, codebook, part_of_split=None, resamples=0, seed=1).mean()
    assert found is not None
    value = found.differences[metric].value
    assert value is not None
    return value


def trade(work: Given, codebook: Codebook, metric: Metric) -> TradedPlaces:
    found = traded_places(pair_up(*work, None), codebook, metric)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "codebook", [PRACTICES, EPITOME, RATINGS, CAUSES], ids=["ticks", "levels", "scales", "sentences"]
)
def test_what_changes_hands_is_measured_as_if_predictions_were_exchanged(codebook: Codebook) -> None:
    work = given(codebook)
    for metric in {HEADLINE[question.answer] for question in questions(codebook).values()}:
        places = trade(work, codebook, metric)
        nobody, everybody = np.zeros((1, places.n_differing)), np.ones((1, places.n_differing))
        assert places.gains(nobody)[0] == pytest.approx(gain(work, codebook, metric))
        assert places.gains(everybody)[0] == pytest.approx(-gain(work, codebook, metric))
        post = places.posts[3]
        one = np.zeros((1, places.n_differing))
        one[0, 3] = 1
        rows, first, second = work
        gold = pair_up(*work, None).gold
        moved = {row.item.item_id for row, at in zip(gold.rows, gold.clusters, strict=True) if at == post}
        mine = [theirs if own.item_id in moved else own for own, theirs in zip(first, second, strict=True)]
        others = [own if own.item_id in moved else theirs for own, theirs in zip(first, second, strict=True)]
        assert places.gains(one)[0] == pytest.approx(gain((rows, mine, others), codebook, metric))


def test_posts_on_which_both_say_the_same_are_not_traded() -> None:
    rows, first, second = given(PRACTICES)
    half = [*second[:20], *first[20:]]
    places = trade((rows, first, half), PRACTICES, Metric.MACRO_F1)
    assert 0 < places.n_differing <= 20
    assert trade((rows, first, first), PRACTICES, Metric.MACRO_F1).n_differing == 0


def test_a_measure_that_no_code_has_is_not_traded() -> None:
    assert traded_places(pair_up(*given(PRACTICES), None), PRACTICES, Metric.SENTENCE_F1) is None
