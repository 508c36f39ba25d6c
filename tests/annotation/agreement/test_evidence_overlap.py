"""Agreement on places: evidence by tokens, causes by sentences, and code and place together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.agreement.batch import measure_batch
from annotation.agreement.evidence_overlap import overlap
from annotation.agreement.reports import MarkAgreement
from annotation.agreement.values import ItemAnswer
from tests.annotation.agreement.batch_cases import LEVELS, SENTENCES, TICK, batch, said


def marks_of(*answers: ItemAnswer) -> MarkAgreement:
    found = measure_batch(batch([TICK], list(answers)), resamples=50, seed=1).codes[0].marks
    assert found is not None
    return found


def found_at(item: str, rater: str, *places: int) -> ItemAnswer:
    return said(item, rater, {"comfort": 1}, evidence={"comfort": places} if places else None)


def absent(item: str, rater: str) -> ItemAnswer:
    return said(item, rater, {"comfort": 0})


def test_overlap_where_both_found_the_code_and_where_at_least_one_did() -> None:
    found = marks_of(
        *(found_at("1", "Ada", 1, 2, 3), found_at("1", "Ben", 2, 3, 4)),
        *(found_at("2", "Ada", 5), found_at("2", "Ben", 5)),
        *(found_at("3", "Ada", 1, 2), absent("3", "Ben")),
        *(absent("4", "Ada"), absent("4", "Ben")),
    )
    mean = found.mean
    assert mean.f1.value == pytest.approx((2 / 3 + 1) / 2)
    assert mean.iou.value == pytest.approx((1 / 2 + 1) / 2)
    assert mean.f1_any.value == pytest.approx((2 / 3 + 1 + 0) / 3)
    assert mean.iou_any.value == pytest.approx((1 / 2 + 1 + 0) / 3)
    assert mean.together.value == pytest.approx(3 / 4)
    assert [each.n_items for each in (mean.f1, mean.f1_any, mean.together)] == [2, 3, 4]


def test_the_same_code_in_another_place_is_no_agreement_on_both() -> None:
    found = marks_of(found_at("1", "Ada", 1, 2), found_at("1", "Ben", 8, 9))
    assert (found.mean.f1.value, found.mean.together.value) == (0, 0)
    assert found.elsewhere == ("1",)


def test_finding_it_without_marking_anything_leaves_no_place_to_compare() -> None:
    neither = marks_of(found_at("1", "Ada"), found_at("1", "Ben"))
    assert (neither.mean.f1.value, neither.mean.together.value) == (None, 1)
    assert neither.mean.f1.note.startswith("Undefined: no two answers find it")
    one = marks_of(found_at("1", "Ada", 3), found_at("1", "Ben"))
    assert (one.mean.f1.value, one.mean.together.value) == (0, 0)


def test_every_two_answers_weigh_the_same_in_the_mean_and_pairs_have_their_own() -> None:
    found = marks_of(
        *(found_at("1", rater, 1, 2) for rater in ("Ada", "Ben")),
        found_at("1", "Cleo", 1, 2, 3, 4),
        *(found_at("2", rater, 7) for rater in ("Ada", "Ben")),
    )
    assert [(pair.rater, pair.other) for pair in found.pairs] == [
        ("Ada", "Ben"),
        ("Ada", "Cleo"),
        ("Ben", "Cleo"),
    ]
    assert [pair.estimates.f1.value for pair in found.pairs] == pytest.approx([1, 2 / 3, 2 / 3])
    assert found.mean.f1.value == pytest.approx((1 + 1 + 2 / 3 + 2 / 3) / 4)


def test_levels_agree_together_only_if_they_are_equal() -> None:
    answers = [
        said("1", "Ada", {"depth": 1}, evidence={"depth": (1, 2)}),
        said("1", "Ben", {"depth": 2}, evidence={"depth": (1, 2)}),
    ]
    marks = measure_batch(batch([LEVELS], answers), resamples=0, seed=1).codes[0].marks
    assert marks is not None
    assert (marks.mean.f1.value, marks.mean.together.value) == (1, 0)


def test_sentences_are_compared_as_sets_and_one_by_one() -> None:
    answers = [
        said("1", "Ada", {"cause": 1}, sentences={"cause": (0, 1)}),
        said("1", "Ben", {"cause": 1}, sentences={"cause": (1,)}),
        said("2", "Ada", {"cause": 0}),
        said("2", "Ben", {"cause": 0}),
    ]
    code = measure_batch(batch([SENTENCES], answers), resamples=50, seed=1).codes[0]
    assert code.marks is not None and code.sentences is not None
    assert code.marks.unit == "sentence"
    assert code.marks.mean.f1.value == pytest.approx(2 / 3)
    assert code.ratings["raw_agreement"].value == 1
    assert code.sentences["raw_agreement"].value == pytest.approx(5 / 6)
    assert code.sentences["raw_agreement"].n_items == 6
    # Cohen's kappa on six sentences: Ada marks two, Ben one, and they differ on one.
    assert code.sentences["cohen_kappa_mean"].value == pytest.approx((5 / 6 - 22 / 36) / (1 - 22 / 36))


@given(st.frozensets(st.integers(0, 9)), st.frozensets(st.integers(0, 9)))
def test_overlap_is_even_handed_and_one_only_for_the_same_places(
    one: frozenset[int], other: frozenset[int]
) -> None:
    found = overlap(one, other)
    assert found == overlap(other, one)
    if found is None:
        assert not one and not other
        return
    f1, iou = found
    assert 0 <= iou <= f1 <= 1
    assert (f1 == 1) == (iou == 1) == (one == other)
    assert f1 == pytest.approx(2 * iou / (1 + iou))
