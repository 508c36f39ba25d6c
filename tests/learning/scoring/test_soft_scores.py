"""Scores against the shares of annotators, where a release carries them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from annotation.release.rows import ReleaseRow, Vote
from annotation.release.soft_labels import shares_of
from learning.scoring.cases import gold_of
from learning.scoring.values import Metric
from tests.learning.scoring.gold_fixtures import (
    CAUSES,
    EPITOME,
    RATINGS,
    first_code,
    gold_row,
    measured,
    predicted,
)

WARM = first_code(EPITOME)


def judged(item_id: str, said: Sequence[int], value: int | None = None) -> ReleaseRow:
    """By as many annotators; the label is the first one's answer if it is not given."""
    row = gold_row(item_id, {WARM: said[0] if value is None else value}, EPITOME)
    votes = tuple(Vote(f"annotator-{at}", each, "e") for at, each in enumerate(said))
    label = replace(row.labels[0], votes=votes, n_annotators=len(said), shares=shares_of(said, range(3)))
    return replace(row, labels=(label,))


def test_scores_are_those_of_the_formulas_on_items_of_two_or_more() -> None:
    rows = [judged("a", [0, 0, 1, 2]), judged("b", [2, 2]), judged("c", [1])]
    said = {"a": [0.5, 0.25, 0.25], "b": [0.1, 0.1, 0.8], "c": [1.0, 0.0, 0.0]}
    predictions = [predicted(item, {WARM: 0}, EPITOME, probabilities={WARM: p}) for item, p in said.items()]
    found = measured(rows, predictions, EPITOME, resamples=20).codes[0].scores
    entropy = 0.5 * math.log(2) + 2 * 0.25 * math.log(4)
    assert found[Metric.CROSS_ENTROPY].value == pytest.approx((entropy - math.log(0.8)) / 2)
    assert found[Metric.ANNOTATOR_ENTROPY].value == pytest.approx(entropy / 2)
    assert found[Metric.MANHATTAN_DISTANCE].value == pytest.approx((0 + 0.4) / 2)
    assert found[Metric.MANHATTAN_DISTANCE].n == 2
    assert found[Metric.MANHATTAN_DISTANCE].note.startswith("1 items of one annotator")
    assert found[Metric.ACCURACY].n == 3, "hard scores stand beside them, on all"


def test_shares_are_the_annotators_whatever_was_decided() -> None:
    rows = [judged(str(at), [0, 0, 1], value=2) for at in range(3)]
    sure = [
        predicted(str(at), {WARM: 0}, EPITOME, probabilities={WARM: [2 / 3, 1 / 3, 0]}) for at in range(3)
    ]
    found = measured(rows, sure, EPITOME).codes[0].scores
    assert found[Metric.MANHATTAN_DISTANCE].value == pytest.approx(0) and found[Metric.ACCURACY].value == 0


def test_a_sure_mistake_is_finite_and_a_model_without_probabilities_has_none() -> None:
    rows = [judged("a", [0, 0]), judged("b", [1, 1])]
    wrong = [predicted(item, {WARM: 2}, EPITOME, probabilities={WARM: [0, 0, 1]}) for item in "ab"]
    found = measured(rows, wrong, EPITOME).codes[0].scores
    assert found[Metric.CROSS_ENTROPY].value == pytest.approx(-math.log(1e-6))
    assert found[Metric.MANHATTAN_DISTANCE].value == 2
    silent = measured(rows, [predicted(item, {WARM: 0}, EPITOME) for item in "ab"], EPITOME)
    score = silent.codes[0].scores[Metric.CROSS_ENTROPY]
    assert score.value is None and score.note == "Undefined: the model gives no probabilities for this code."


def test_without_soft_labels_there_are_no_such_scores() -> None:
    for codebook in (EPITOME, RATINGS, CAUSES):
        code = first_code(codebook)
        rows = [gold_row(item, {code: 1}, codebook) for item in "ab"]
        scores = (
            measured(rows, [predicted(item, {code: 1}, codebook) for item in "ab"], codebook).codes[0].scores
        )
        assert not {Metric.CROSS_ENTROPY, Metric.MANHATTAN_DISTANCE} & scores.keys()


def test_other_shares_are_other_gold() -> None:
    one, other = ([judged("a", said)] for said in ([0, 0, 1], [0, 0, 0]))
    assert gold_of(one, None).hash() != gold_of(other, None).hash()
