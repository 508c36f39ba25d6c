"""Contradictions: by one annotator or the final labels, on texts that are the same, or at two times."""

from __future__ import annotations

from annotation.label_errors.inconsistencies import Inconsistency, Said, inconsistencies, self_contradictions
from annotation.label_errors.near_identical import near_identical
from tests.timing import quickest

TEXT = "I went through the same thing last year and it does get better with time, I promise you that."
NEAR = near_identical(
    [
        ("a", TEXT),
        ("b", TEXT.lower()),
        ("c", f"{TEXT} Really."),
        ("d", "Nobody wrote anything like this text anywhere in the whole of the corpus."),
    ]
)


def said(code: str, annotator: str | None, **values: int) -> list[Said]:
    return [Said(code, item, annotator, value) for item, value in values.items()]


def test_one_annotator_on_the_same_text() -> None:
    assert inconsistencies(NEAR, said("warmth", "Ada", a=1, b=0, d=0)) == (
        Inconsistency("warmth", "Ada", ("a", "b"), (1, 0), 1.0),
    )


def test_two_annotators_may_differ() -> None:
    assert inconsistencies(NEAR, said("warmth", "Ada", a=1) + said("warmth", "Ben", b=0)) == ()


def test_two_codes_may_differ() -> None:
    assert inconsistencies(NEAR, said("warmth", "Ada", a=1) + said("advice", "Ada", b=0)) == ()


def test_final_labels_have_no_annotator() -> None:
    (found,) = inconsistencies(NEAR, said("warmth", None, a=1, b=1, c=0))
    assert found.annotator is None
    assert (found.items, found.values) == (("c", "a"), (0, 1))
    assert 0.8 <= found.similarity < 1


def test_each_odd_one_is_named_once_beside_its_most_similar() -> None:
    near = near_identical((f"{at:03}", TEXT) for at in range(100))
    values = {f"{at:03}": int(at != 42) for at in range(100)}
    (found,) = inconsistencies(near, [Said("warmth", item, "Ada", value) for item, value in values.items()])
    assert (found.items, found.values) == (("042", "000"), (0, 1))


def test_the_most_similar_come_first_whatever_the_order() -> None:
    rows = said("warmth", "Ada", a=1, c=0) + said("advice", "Ben", a=2, b=1) + said("warmth", "Cy", a=1, b=1)
    found = inconsistencies(NEAR, rows)
    assert [(one.code_id, one.annotator) for one in found] == [("advice", "Ben"), ("warmth", "Ada")]
    assert inconsistencies(NEAR, rows[::-1]) == found


def test_a_recheck_that_says_otherwise() -> None:
    first = said("warmth", "Ada", a=1, b=0) + said("warmth", "Ben", a=1)
    again = said("warmth", "Ada", a=0, b=0, d=1) + said("warmth", "Ben", a=1) + said("advice", "Ada", a=3)
    assert self_contradictions(first, again) == (Inconsistency("warmth", "Ada", ("a", "a"), (1, 0), 1.0),)


def test_thousands_of_nearly_equal_texts_are_not_all_compared_with_each_other() -> None:
    words = TEXT * 3
    near = near_identical((f"t{number:04}", f"{words} {number}") for number in range(3000))
    values = {f"t{number:04}": int(number % 5 < 2) for number in range(3000)}
    judged = said("warmth", "Ada", **values)
    assert quickest(lambda: inconsistencies(near, judged), times=1) < 3
    found = inconsistencies(near, judged)
    assert {one.items[0] for one in found} == {item for item, value in values.items() if value}
