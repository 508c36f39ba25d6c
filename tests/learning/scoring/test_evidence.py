"""Evidence by hand: what each convention counts, and the predictor of every token beside it."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.release.rows import ReleaseRow, Texts
from annotation.tokens import tokens
from learning.scoring.evidence_overlap import iou_f1, runs, token_f1
from learning.scoring.values import CodeScores, Metric
from tests.learning.scoring.gold_fixtures import EPITOME, first_code, gold_row, measured, predicted

CODE = first_code(EPITOME)
# Four tokens: a 0–1, b 2–3, c 4–5, d 6–7.
TEXTS = Texts("", "post", "a b c d")
Given = tuple[int, list[tuple[int, int]], int, list[tuple[int, int]]]
places = st.frozensets(st.integers(0, 12)).map(sorted)


def scores(*cases: Given) -> CodeScores:
    """Each case is gold's level and places, then the model's."""
    rows, predictions = [], []
    for at, (gold, gold_spans, said, said_spans) in enumerate(cases):
        rows.append(gold_row(str(at), {CODE: gold}, EPITOME, spans={CODE: gold_spans}, texts=TEXTS))
        predictions.append(predicted(str(at), {CODE: said}, EPITOME, spans={CODE: said_spans}))
    found = measured(rows, predictions, EPITOME).code(CODE)
    assert found is not None
    return found


HALF: Given = (1, [(0, 3)], 2, [(2, 5)])  # gold a b, model b c: F1 1/2, IOU 1/3, so no hit
MISSED: Given = (1, [(0, 3)], 0, [(0, 3)])  # the words are right but the model does not find the code
QUIET: Given = (0, [], 0, [])
INVENTED: Given = (0, [], 1, [(0, 1)])
WORDLESS: Given = (2, [], 1, [(0, 1)])


def test_positives_are_gated_by_what_the_model_finds() -> None:
    found = scores(HALF, MISSED, QUIET, INVENTED, WORDLESS).scores
    assert found[Metric.TOKEN_F1_POSITIVES].value == pytest.approx((1 / 2 + 0) / 2)
    assert found[Metric.IOU_F1_POSITIVES].value == 0
    assert found[Metric.TOKEN_F1_POSITIVES].n == 2
    assert found[Metric.TOKEN_F1_POSITIVES].note.startswith("1 items where gold finds the code without words")
    assert found[Metric.EVERY_TOKEN_F1_POSITIVES].value == pytest.approx(2 * 2 / (2 + 4))
    assert found[Metric.EVERY_TOKEN_IOU_F1_POSITIVES].value == 1  # half of the tokens are gold: just a hit


def test_all_rows_reward_silence_where_there_is_nothing() -> None:
    found = scores(HALF, MISSED, QUIET, INVENTED, WORDLESS).scores
    assert found[Metric.TOKEN_F1_ALL_ROWS].value == pytest.approx((1 / 2 + 0 + 1 + 0 + 0) / 5)
    assert found[Metric.TOKEN_F1_ALL_ROWS].n == 5
    assert found[Metric.EVERY_TOKEN_F1_ALL_ROWS].value == pytest.approx((2 / 3 + 2 / 3) / 5)


def test_all_ones_take_gold_without_words_as_marked_from_end_to_end() -> None:
    found = scores(HALF, MISSED, QUIET, INVENTED, WORDLESS).scores
    one_of_four = 2 * 1 / (1 + 4)
    assert found[Metric.TOKEN_F1_ALL_ONES].value == pytest.approx((1 / 2 + 1 + 0 + 2 * one_of_four) / 5)
    assert found[Metric.EVERY_TOKEN_F1_ALL_ONES].value == pytest.approx((2 / 3 + 2 / 3 + 3) / 5)


def test_the_conventions_part_on_the_same_predictions() -> None:
    """A rare code that is never found: 0 where it matters, nearly perfect over all rows."""
    found = scores((1, [(0, 3)], 0, []), *[QUIET] * 9).scores
    assert found[Metric.TOKEN_F1_POSITIVES].value == 0
    assert found[Metric.TOKEN_F1_ALL_ROWS].value == pytest.approx(0.9)


def test_without_words_or_texts_there_is_a_reason() -> None:
    quiet = scores(QUIET).scores[Metric.TOKEN_F1_POSITIVES]
    assert quiet.value is None and quiet.note == "Undefined: gold has no words for the code in any item."
    row = gold_row("1", {CODE: 1}, EPITOME, spans={CODE: [(0, 1)]}, texts=None)
    code = measured([row], [predicted("1", {CODE: 1}, EPITOME)], EPITOME).code(CODE)
    assert code is not None
    for metric in (Metric.TOKEN_F1_POSITIVES, Metric.TOKEN_F1_ALL_ROWS, Metric.TOKEN_F1_ALL_ONES):
        assert code.scores[metric].value is None and "has no texts" in code.scores[metric].note


@given(places, places)
def test_overlap_is_symmetric_between_0_and_1_and_1_for_the_same(one: list[int], other: list[int]) -> None:
    for measure in (token_f1, iou_f1):
        found = measure(one, other, both_empty=1.0)
        assert 0 <= found <= 1
        assert found == pytest.approx(measure(other, one, both_empty=1.0))
        assert measure(one, one, both_empty=1.0) == 1


@given(places, places)
def test_iou_f1_is_that_of_precision_and_recall_over_runs(gold: list[int], model: list[int]) -> None:
    def best(run: frozenset[int]) -> float:
        return max((len(run & other) / len(run | other) for other in runs(gold)), default=0)

    hits = sum(best(run) >= 0.5 for run in runs(model))
    if not gold and not model:
        assert iou_f1(gold, model, both_empty=0.0) == 0
    elif not hits:
        assert iou_f1(gold, model, both_empty=1.0) == 0
    else:
        precision, recall = hits / len(runs(model)), hits / len(runs(gold))
        assert recall <= 1
        expected = 2 * precision * recall / (precision + recall)
        assert iou_f1(gold, model, both_empty=1.0) == pytest.approx(expected)


@given(places)
def test_runs_hold_every_place_once_and_never_touch(marked: list[int]) -> None:
    found = runs(marked)
    assert sorted(place for run in found for place in run) == marked
    assert all(max(run) - min(run) + 1 == len(run) for run in found)
    assert all(max(one) + 1 < min(other) for one, other in pairwise(found))


def test_the_texts_here_have_the_tokens_that_the_tests_count_on() -> None:
    assert tokens(TEXTS.reply or "") == ((0, 1), (2, 3), (4, 5), (6, 7))
    row: ReleaseRow = gold_row("1", {CODE: 1}, EPITOME)
    assert row.item.texts is not None
