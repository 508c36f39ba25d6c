"""What counts as final: agreed, decided or said by the only one asked; nothing that is still open."""

from __future__ import annotations

from backend.annotate.batches.models import BatchKind
from backend.learn.retraining.final_judgments import count_final_judgments
from tests.backend.decide.releases.fixtures import ADVICE, EMOTIONS, answer, settle, skip
from tests.batch_fixtures import CastAtWork
from tests.cast import Cast


def test_a_study_without_a_codebook_has_none(cast: Cast) -> None:
    assert count_final_judgments(cast.study) == 0


def test_an_item_is_final_once_all_its_annotators_agree_or_it_is_decided(work: CastAtWork) -> None:
    cast, (first, second, third, *_) = work.cast, work.items
    batch = work.batch(cast.amal, cast.bea, items=[first, second, third])
    answer(work, batch, cast.amal, first, ADVICE)
    assert count_final_judgments(work.study) == 0
    answer(work, batch, cast.bea, first, ADVICE)
    assert count_final_judgments(work.study) == 1
    answer(work, batch, cast.amal, second, ADVICE)
    answer(work, batch, cast.bea, second, EMOTIONS)
    assert count_final_judgments(work.study) == 1
    settle(work, second, ADVICE)
    assert count_final_judgments(work.study) == 2


def test_flags_skips_and_practice_are_not_final(work: CastAtWork) -> None:
    cast, (first, second, third, *_) = work.cast, work.items
    batch = work.batch(cast.amal, items=[first, second])
    answer(work, batch, cast.amal, first, ADVICE, flag="Not sure.")
    skip(work, batch, cast.amal, second)
    practice = work.batch(cast.amal, items=[third], name="Warm-up", kind=BatchKind.PRACTICE)
    answer(work, practice, cast.amal, third, ADVICE)
    assert count_final_judgments(work.study) == 0
