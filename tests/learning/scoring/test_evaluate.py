"""What holds for every evaluation, and what it says about what is missing."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.release.rows import ReleaseRow, SplitPart
from codebook.schema import Codebook, Part
from learning.predictions.rows import ItemPrediction
from learning.scoring.cases import NotMeasurable
from learning.scoring.files import ScoreFileUnreadable, decode_comparison, decode_evaluation, encode
from learning.scoring.values import Metric
from tests.examples import examples
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

CODEBOOKS = [PRACTICES, EPITOME, CAUSES, RATINGS]
MODEL_FREE = [metric for metric in Metric if metric.value.startswith("every_token")]


def as_predicted(row: ReleaseRow, codebook: Codebook) -> ItemPrediction:
    """Gold as a prediction that is sure of itself."""
    values, chances, spans = {}, {}, {}
    for question, code in codebook.coded_questions():
        label = next(label for label in row.labels if label.code == code.id)
        assert label.value is not None
        values[code.id] = label.value
        possible = [level.value for level in question.levels] or [0, 1]
        chances[code.id] = [float(value == label.value) for value in possible]
        spans[code.id] = [(place.start, place.end) for place in label.evidence.snippets]
    return predicted(row.item.item_id, values, codebook, probabilities=chances, spans=spans)


@pytest.mark.parametrize("codebook", CODEBOOKS, ids=lambda codebook: codebook.name)
def test_perfect_predictions_are_perfect(codebook: Codebook) -> None:
    rows, _ = random_study(codebook, n=60, seed=1)
    found = measured(rows, [as_predicted(row, codebook) for row in rows], codebook, resamples=30)
    for code in found.codes:
        for metric, score in code.scores.items():
            if metric is Metric.TOKEN_F1_ALL_ONES or metric is Metric.IOU_F1_ALL_ONES or metric in MODEL_FREE:
                continue
            perfect = 0 if metric.is_error else 1
            assert (score.value, score.low, score.high) == pytest.approx((perfect,) * 3), (
                code.code_id,
                metric,
            )


@settings(max_examples=examples(10), deadline=None)
@given(st.integers(0, 1000), st.sampled_from(CODEBOOKS))
def test_the_order_of_items_does_not_matter(seed: int, codebook: Codebook) -> None:
    rows, predictions = random_study(codebook, n=20, seed=seed)
    rng = np.random.default_rng(seed)
    mixed = [rows[at] for at in rng.permutation(20)], [predictions[at] for at in rng.permutation(20)]
    assert encode(measured(rows, predictions, codebook, resamples=20)) == encode(
        measured(*mixed, codebook, resamples=20)
    )


@pytest.mark.parametrize("codebook", CODEBOOKS, ids=lambda codebook: codebook.name)
def test_an_evaluation_comes_back_from_its_file(codebook: Codebook) -> None:
    found = measured(*random_study(codebook, n=20, seed=2), codebook, resamples=50)
    written = encode(found)
    assert decode_evaluation(written) == found
    assert encode(decode_evaluation(written)) == written
    with pytest.raises(ScoreFileUnreadable, match="This is no Comparison"):
        decode_comparison(written)


def test_the_same_seed_gives_the_same_numbers_and_intervals_hold_the_value() -> None:
    rows, predictions = random_study(PRACTICES, n=80, seed=3)
    first, again = (measured(rows, predictions, PRACTICES, resamples=200) for _ in range(2))
    assert first == again
    for code in first.codes:
        score = code.scores[Metric.MACRO_F1]
        assert score.value is not None and score.low is not None and score.high is not None
        assert score.low < score.value < score.high
        assert 0.05 < score.high - score.low < 0.5


def test_items_of_one_post_are_drawn_together() -> None:
    """Copies of items under the same posts add nothing, so that the interval stays as wide as it was."""
    rows, predictions = random_study(PRACTICES, n=40, seed=4)
    copies = [replace(row, item=replace(row.item, item_id=f"{row.item.item_id}-b")) for row in rows]
    again = [replace(each, item_id=f"{each.item_id}-b") for each in predictions]
    once = measured(rows, predictions, PRACTICES, resamples=100)
    twice = measured([*rows, *copies], [*predictions, *again], PRACTICES, resamples=100)
    for one, two in zip(once.codes, twice.codes, strict=True):
        ours, theirs = one.scores[Metric.MACRO_F1], two.scores[Metric.MACRO_F1]
        assert (ours.value, ours.low, ours.high) == pytest.approx((theirs.value, theirs.low, theirs.high))


def test_what_is_missing_is_counted_and_said() -> None:
    code = first_code(PRACTICES)
    rows = [gold_row(str(at), {code: at % 2}, PRACTICES) for at in range(4)]
    rows.append(gold_row("4", {code: None}, PRACTICES))
    given = [predicted(str(at), {code: 1}, PRACTICES, n_truncated=at) for at in (0, 1, 4, 9)]
    found = measured(rows, given, PRACTICES)
    assert (found.n_items, found.n_unpredicted, found.n_foreign, found.n_truncated) == (5, 2, 1, 2)
    scores = found.code(code)
    assert scores is not None
    assert (scores.n_items, scores.n_unpredicted, scores.n_found, scores.n_found_predicted) == (2, 2, 1, 2)
    assert "2 of 4 labelled items have no prediction and are left out." in scores.scores[Metric.F1].note


def test_undefined_scores_have_reasons_and_means_name_who_is_left_out() -> None:
    one, two, three = [code.id for _, code in EPITOME.coded_questions()]
    rows = [gold_row(str(at), {one: 0, two: at, three: 0}, EPITOME) for at in (0, 1)]
    predictions = [predicted(str(at), {one: 0, two: 0, three: 1 + at}, EPITOME) for at in (0, 1)]
    found = measured(rows, predictions, EPITOME)
    notes = {code.code_id: code.scores for code in found.codes}
    assert notes[one][Metric.F1].note.startswith("Undefined: gold does not have the code")
    assert notes[two][Metric.PRECISION].note.startswith("Undefined: the model does not find the code")
    assert notes[two][Metric.F1].value == 0
    assert notes[three][Metric.PRECISION].value == 0 and notes[three][Metric.RECALL].value is None
    for code in (one, three):
        assert notes[code][Metric.MACRO_F1].value is None
        assert (
            notes[code][Metric.MACRO_F1].note == "Undefined: gold gives one and the same answer to all items."
        )
    assert "Left out, because nobody gives it: answer 2." in notes[two][Metric.MACRO_F1].note
    mean = found.mean()
    assert mean is not None and mean.left_out[Metric.F1] == mean.left_out[Metric.MACRO_F1] == (one, three)
    assert mean.scores[Metric.MACRO_F1].value == notes[two][Metric.MACRO_F1].value
    assert mean.scores[Metric.F1].value == 0
    assert f"over 1 of 3 codes, without {one}, {three}." in mean.scores[Metric.F1].note


def test_means_are_over_the_codes_of_a_part_and_over_all() -> None:
    found = measured(*random_study(PRACTICES, n=30, seed=6), PRACTICES)
    assert [mean.part for mean in found.means] == [Part.POST, Part.REPLY, None]
    for mean in found.means:
        own = [
            code.scores[Metric.MACRO_F1].value
            for code in found.codes
            if mean.part is None or code.part is mean.part
        ]
        assert mean.n_codes == len(own)
        assert mean.scores[Metric.MACRO_F1].value == pytest.approx(np.mean([value or 0 for value in own]))


def test_only_the_part_of_the_split_is_measured() -> None:
    code = first_code(PRACTICES)
    rows = [
        gold_row(str(at), {code: 1}, PRACTICES, split=split)
        for at, split in enumerate([SplitPart.TRAIN, SplitPart.TEST, SplitPart.TEST])
    ]
    predictions = [predicted(str(at), {code: int(at == 1)}, PRACTICES) for at in range(3)]
    found = measured(rows, predictions, PRACTICES, split=SplitPart.TEST).code(code)
    assert found is not None and found.scores[Metric.RECALL].value == 0.5
    with pytest.raises(NotMeasurable, match="The validation part of the release has no items"):
        measured(rows, predictions, PRACTICES, split=SplitPart.VALIDATION)


def test_what_cannot_be_measured_is_refused() -> None:
    code = first_code(PRACTICES)
    row, prediction = gold_row("1", {code: 1}, PRACTICES), predicted("1", {code: 1}, PRACTICES)
    with pytest.raises(NotMeasurable, match="predicted twice"):
        measured([row], [prediction, prediction], PRACTICES)
    with pytest.raises(NotMeasurable, match="in the release twice"):
        measured([row, row], [prediction], PRACTICES)
    with pytest.raises(NotMeasurable, match="the answer 7 for"):
        measured([gold_row("1", {code: 7}, PRACTICES)], [prediction], PRACTICES)


def test_sentences_count_one_by_one() -> None:
    code = first_code(CAUSES)
    rows = [
        gold_row("1", {code: 1}, CAUSES, spans={code: [(0, 12), (13, 22)]}),
        gold_row("2", {code: 1}, CAUSES, spans={code: [(0, 12)]}),
    ]
    predictions = [
        predicted("1", {code: 1}, CAUSES, spans={code: [(0, 12)]}),
        predicted("2", {code: 1}, CAUSES, spans={code: [(0, 12), (13, 22)]}),
    ]
    found = measured(rows, predictions, CAUSES).code(code)
    assert found is not None
    for metric in (Metric.SENTENCE_PRECISION, Metric.SENTENCE_RECALL, Metric.SENTENCE_F1):
        assert found.scores[metric].value == pytest.approx(2 / 3)
        assert found.scores[metric].n == 4
    assert found.headline == found.scores[Metric.SENTENCE_F1]
