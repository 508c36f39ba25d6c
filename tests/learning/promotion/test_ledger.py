"""Which ledger pays for a look: no level comes back without new posts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learning.alpha_spending import LEVEL
from learning.promotion.ledger import (
    FRESH_POSTS,
    KnownSet,
    Look,
    evidence_of,
    fresh_posts_needed,
    name_posts,
    paying_set,
)
from tests.examples import examples
from tests.learning.scoring.gold_fixtures import PRACTICES, first_code, gold_row


def posts(start: int, end: int) -> frozenset[str]:
    return frozenset(f"p{number}" for number in range(start, end))


def begun(number: int, start: int, end: int) -> KnownSet:
    return KnownSet(number, posts(start, end))


def test_the_first_look_begins_a_ledger_and_the_next_goes_on_with_it() -> None:
    assert paying_set(posts(0, 8), []) is None
    first = begun(1, 0, 8)
    assert paying_set(posts(0, 8), [first]) == first
    assert paying_set(posts(0, 9), [first]) == first


@given(st.integers(1, 300), st.integers(0, 400))
@settings(max_examples=examples(60))
def test_a_ledger_begins_anew_only_with_as_many_new_posts_as_it_needs(old: int, new: int) -> None:
    first = begun(1, 0, old)
    is_fresh = paying_set(posts(0, old + new), [first]) is None
    assert is_fresh == (new >= fresh_posts_needed(old))
    assert fresh_posts_needed(old) >= FRESH_POSTS


def test_items_that_came_one_by_one_begin_a_ledger_once_they_are_half() -> None:
    """Although each look but the first had seen nearly all of them before."""
    first, sizes = begun(1, 0, 100), range(100, 260, 5)
    begins = [n for n in sizes if paying_set(posts(0, n), [first]) is None]
    assert begins[0] == 200


def test_going_back_and_forth_between_two_sets_begins_nothing() -> None:
    known = [begun(1, 0, 80), begun(2, 80, 200)]
    assert paying_set(posts(0, 80), known) == known[0]
    assert paying_set(posts(80, 200), known) == known[1]
    assert paying_set(posts(0, 200), known) == known[1]
    assert paying_set(posts(0, 60), [*known, begun(3, 0, 80)]) == begun(3, 0, 80), "the newer of two alike"


def test_a_handful_of_new_posts_is_no_new_set() -> None:
    known = [begun(1, 0, 80)]
    assert paying_set(posts(500, 549), known) == known[0]
    assert paying_set(posts(500, 550), known) is None


def test_a_look_passes_at_the_level_of_its_number() -> None:
    first = Look(test_set=1, number=1, p=0.008)
    assert first.level == pytest.approx(LEVEL / 6) and first.passed
    assert not Look(test_set=1, number=2, p=0.008).passed


def test_posts_are_named_once_and_without_their_own_names() -> None:
    code = first_code(PRACTICES)
    rows = [
        gold_row(item, {code: 1}, PRACTICES, post_id=post)
        for item, post in (("a", "p1"), ("b", "p1"), ("c", "p2"))
    ]
    names = name_posts(rows)
    assert len(names) == 2 and name_posts(reversed(rows)) == names
    assert all(len(name) == 16 and "p1" not in name for name in names)


def test_the_same_evidence_is_that_of_the_same_models_labels_and_question() -> None:
    asked = ("c", None, "g", 0.0)
    others = [("d", None, "g", 0.0), ("c", "i", "g", 0.0), ("c", None, "h", 0.0), ("c", None, "g", 0.01)]
    assert evidence_of(*asked) == evidence_of("c", None, "g", 0)
    assert len({evidence_of(*each) for each in (asked, *others)}) == 5
