"""Agreement in an adaptive overlap is measured on first answers: later ones were asked for where people differ."""

from __future__ import annotations

import pytest

from backend.annotate.adaptive_overlap.services import ask_again
from backend.decide.agreement.inputs import batch_judgments, can_compare
from backend.decide.agreement.selectors import is_complete, left_out_words
from tests.backend.annotate.adaptive_overlap.fixtures import adaptive
from tests.backend.annotate.batches.conftest import ready
from tests.cast import NOW, Cast

__all__ = ["ready"]
# By which three of ten items start with two annotators
SEED = 13


def test_later_answers_change_nothing_that_is_measured(ready: Cast) -> None:
    batch = adaptive(ready)
    batch.answer_first(split=batch.split[:1])
    before = batch_judgments(batch.batch)
    assert (len(before.items), len(before.answers)) == (10, 20)
    ask_again(batch.batch, now=NOW)
    assert is_complete(batch.batch)
    batch.answer(next(place for place in batch.places(batch.split[0]) if place.is_extra), sees=True)
    assert batch_judgments(batch.batch) == before
    assert "1 later answer left out" in left_out_words(batch.batch)


@pytest.mark.parametrize("paired", [True, False])
def test_with_one_to_start_with_only_items_that_began_with_two_count(ready: Cast, paired: bool) -> None:
    batch = adaptive(ready, start_with=1, sure_at=0.99, seed=SEED)
    twice = [item for item in batch.keys if len(batch.who(item)) == 2]
    batch.answer_first(but=[] if paired else twice)
    assert ask_again(batch.batch, now=NOW) > 0
    for item in batch.extra():
        batch.answer(next(place for place in batch.places(item) if place.is_extra), sees=True)
    assert can_compare(batch.batch) is paired
    judged = batch_judgments(batch.batch)
    assert {item.item_id for item in judged.items} == {*twice}
    assert len(judged.answers) == 2 * len(twice) * paired
