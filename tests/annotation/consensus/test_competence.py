"""Competence has an interval that holds what is so, and no figure where there is too little to tell."""

from __future__ import annotations

import random

import pytest

from annotation.consensus.competence import competences
from annotation.consensus.competence_values import LEAST, Model
from annotation.consensus.rasch import adjusted_accuracy
from annotation.consensus.votes import votes_from

Rows = list[tuple[str, str, str]]
RIGHT = {"zoe": 0.95, "ben": 0.75, "amal": 0.9, "dee": 0.85}


def judged(n: int, seed: int = 1) -> Rows:
    draw = random.Random(seed)
    rows = []
    for item in range(n):
        truth = draw.random() < 0.4
        for who, right in RIGHT.items():
            rows.append((f"{item:03}", who, "yes" if truth == (draw.random() < right) else "no"))
    return rows


def test_intervals_hold_what_is_so_and_stand_in_the_order_of_names() -> None:
    rows = competences(votes_from(judged(100)), resamples=20)
    assert [row.annotator for row in rows] == sorted(RIGHT)
    held = [
        row.values[Model.DAWID_SKENE].low < RIGHT[row.annotator] < row.values[Model.DAWID_SKENE].high
        for row in rows
    ]
    assert sum(held) >= 3
    for row in rows:
        assert all(each.low <= each.value <= each.high for each in row.values.values())


def test_whoever_is_always_in_line_still_has_an_interval() -> None:
    rows = [(str(item), who, "yes" if item % 2 else "no") for item in range(40) for who in RIGHT]
    found = competences(votes_from(rows), resamples=20)[0].values[Model.DAWID_SKENE]
    assert found.value > 0.99 > found.low > 0.88


@pytest.mark.parametrize("n", [LEAST - 1, LEAST])
def test_below_so_many_shared_items_there_is_no_figure(n: int) -> None:
    late = [(item, "late", label) for item, who, label in judged(60) if who == "zoe"][:n]
    alone = [(f"own {at}", "late", "yes") for at in range(100)]
    rows = competences(votes_from([*judged(60), *late, *alone]), resamples=20)
    found = next(row for row in rows if row.annotator == "late")
    assert (found.n, bool(found.values)) == (n, n == LEAST)
    assert found.missing == ("" if n == LEAST else "29 of at least 30 items that others judged too")


def test_two_people_are_told_nothing() -> None:
    pair = [row for row in judged(60) if row[1] in ("zoe", "ben")]
    rows = competences(votes_from(pair))
    assert [row.missing for row in rows] == ["at least 3 annotators with 30 items in common with others"] * 2
    assert not any(row.values for row in rows)


def test_posts_that_repeat_make_intervals_wider() -> None:
    once = judged(30)
    copies = [(f"{item} {copy}", who, label) for item, who, label in once for copy in range(3)]
    posts = {item: item.split()[0] for item, _, _ in copies}
    votes = votes_from(copies)
    apart, together = (competences(votes, clusters=each, resamples=30) for each in (None, posts))

    def width(rows: tuple[object, ...]) -> float:
        return sum(
            row.values[Model.RASCH].high - row.values[Model.RASCH].low  # type: ignore[attr-defined]
            for row in rows
        )

    assert width(together) > 1.2 * width(apart)


def test_hard_items_are_held_less_against_who_got_them() -> None:
    """Everybody is right 97% of the time on easy items and 65% on hard ones; Dee got the hard ones alone."""
    draw = random.Random(3)
    rows: Rows = []
    for item in range(200):
        truth, right = draw.random() < 0.5, 0.65 if item % 2 else 0.97
        people = [*"abcdefghij", "dee" if item % 2 else "eve"]
        rows += [(str(item), who, "yes" if (draw.random() < right) == truth else "no") for who in people]
    votes = votes_from(rows)
    found = dict(zip(votes.annotators, adjusted_accuracy(votes).tolist(), strict=True))
    assert abs(found["eve"] - found["a"]) < 0.05
    assert found["eve"] - found["dee"] < 0.2
