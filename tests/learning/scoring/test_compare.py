"""Two models on the same items."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from annotation.release.rows import ReleaseRow
from codebook.schema import Codebook
from learning.predictions.rows import ItemPrediction
from learning.scoring.compare import Comparison, compare
from learning.scoring.files import decode_comparison, encode
from learning.scoring.holm import holm
from learning.scoring.values import Metric
from tests.learning.scoring.gold_fixtures import (
    CAUSES,
    EPITOME,
    PRACTICES,
    RATINGS,
    first_code,
    gold_row,
    measured,
    predicted,
    random_study,
)


def compared(
    rows: list[ReleaseRow],
    first: list[ItemPrediction],
    second: list[ItemPrediction],
    codebook: Codebook,
    resamples: int = 99,
) -> Comparison:
    return compare(rows, first, second, codebook, part_of_split=None, resamples=resamples, seed=8)


def two_models(codebook: Codebook, *, n: int = 40) -> tuple[list[ReleaseRow], list[list[ItemPrediction]]]:
    """The items are the same; the second model's answers are those of another study, so that it only guesses."""
    rows, good = random_study(codebook, n=n, seed=1, skill=0.9)
    _, bad = random_study(codebook, n=n, seed=2, skill=0.0)
    return rows, [good, bad]


@pytest.mark.parametrize(
    "codebook", [PRACTICES, EPITOME, CAUSES, RATINGS], ids=lambda codebook: codebook.name
)
def test_a_model_does_not_differ_from_itself(codebook: Codebook) -> None:
    rows, predictions = random_study(codebook, n=40, seed=1)
    found = compared(rows, predictions, predictions, codebook)
    for own in [*(code.differences for code in found.codes), *(mean.differences for mean in found.means)]:
        for metric, each in own.items():
            assert (each.value, each.low, each.high, each.p) == (0, 0, 0, 1), metric
            assert each.first == each.second


def test_the_better_model_is_told_and_the_other_way_round_is_the_opposite() -> None:
    rows, (good, bad) = two_models(PRACTICES)
    found, turned = compared(rows, good, bad, PRACTICES), compared(rows, bad, good, PRACTICES)
    ours, theirs = found.mean(), turned.mean()
    assert ours is not None and theirs is not None
    mine, yours = ours.differences[Metric.MACRO_F1], theirs.differences[Metric.MACRO_F1]
    assert mine.value is not None and mine.low is not None and mine.high is not None
    assert mine.low > 0 and mine.p == 2 / 100
    assert (yours.value, yours.low, yours.high) == pytest.approx((-mine.value, -mine.high, -mine.low))
    assert yours.p == mine.p


def test_first_and_second_are_what_each_scores_alone() -> None:
    rows, (good, bad) = two_models(EPITOME)
    found = compared(rows, good, bad, EPITOME)
    alone = [measured(rows, each, EPITOME) for each in (good, bad)]
    for at, code in enumerate(found.codes):
        for metric, each in code.differences.items():
            assert each.first == alone[0].codes[at].scores[metric].value
            assert each.second == alone[1].codes[at].scores[metric].value


def test_p_values_are_corrected_over_the_codes() -> None:
    rows, (good, bad) = two_models(PRACTICES)
    found = compared(rows, good, bad, PRACTICES)
    own = [code.differences[Metric.F1] for code in found.codes]
    expected = multipletests([each.p for each in own], method="holm")[1]
    assert [each.p_holm for each in own] == pytest.approx(expected.tolist())


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_follows_its_definition_and_the_order_of_p_values(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    ordered = sorted(range(len(p_values)), key=p_values.__getitem__)
    for rank, at in enumerate(ordered):
        steps = [min(1, (len(p_values) - before) * p_values[ordered[before]]) for before in range(rank + 1)]
        assert adjusted[at] == max(steps)
        assert adjusted[at] >= p_values[at]


def test_only_what_both_predicted_is_compared() -> None:
    rows, (good, bad) = two_models(EPITOME)
    fewer = [*bad[3:], replace(bad[0], codes=bad[0].codes[:1])]
    found = compared(rows, good, fewer, EPITOME)
    assert found.n_one_sided == 2 * 3 + 2
    assert [code.n_items for code in found.codes] == [38, 37, 37]
    shared = [each for each in good if each.item_id in {one.item_id for one in bad[3:]}]
    alone = measured([row for row in rows if row.item.item_id >= "item-003"], shared, EPITOME)
    assert found.codes[1].differences[Metric.MACRO_F1].first == alone.codes[1].scores[Metric.MACRO_F1].value


def test_what_cannot_be_compared_has_a_reason() -> None:
    code = first_code(EPITOME)
    rows = [gold_row(str(at), {code: at % 2}, EPITOME) for at in range(4)]
    sure, silent = (
        [predicted(str(at), {code: value * (at % 2)}, EPITOME) for at in range(4)] for value in (1, 0)
    )
    found = compared(rows, sure, silent, EPITOME).codes
    precision = found[0].differences[Metric.PRECISION]
    assert (precision.first, precision.second, precision.value, precision.p) == (1, None, None, None)
    assert precision.note == "Of the second model: Undefined: the model does not find the code in any item."
    assert found[1].differences[Metric.F1].note.startswith("Of the first model: Undefined: ")
    alone = compared(rows[:1], sure[:1], silent[:1], EPITOME).codes[0].differences[Metric.ACCURACY]
    assert (alone.value, alone.low, alone.p, alone.note) == (
        0,
        None,
        None,
        "Too little to resample: no interval.",
    )
    without = compared(rows, sure, silent, EPITOME, resamples=0).codes[0].differences[Metric.ACCURACY]
    assert (without.value, without.p, without.note) == (0.5, None, "No resamples, so no interval.")


def test_a_comparison_comes_back_from_its_file() -> None:
    rows, (good, bad) = two_models(CAUSES)
    found = compared(rows, good, bad, CAUSES)
    assert decode_comparison(encode(found)) == found


def test_p_is_below_5_percent_about_that_often_when_nothing_differs() -> None:
    """Two models that guess alike, over and over; the percentile bootstrap is a little too eager on few items."""
    rejected = []
    for seed in range(120):
        rows, one = random_study(CAUSES, n=80, seed=seed, skill=0.5)
        rng = np.random.default_rng(seed)
        other = [
            replace(each, codes=tuple(replace(code, value=int(rng.random() < 0.5)) for code in each.codes))
            for each in one
        ]
        same = [
            replace(each, codes=tuple(replace(code, value=int(rng.random() < 0.5)) for code in each.codes))
            for each in one
        ]
        code = compare(rows, other, same, CAUSES, part_of_split=None, resamples=199, seed=seed).codes[0]
        p = code.differences[Metric.F1].p
        assert p is not None
        rejected.append(p < 0.05)
    assert 0 < np.mean(rejected) < 0.12
