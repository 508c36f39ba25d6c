"""Krippendorff's alpha over tokens: values worked out by hand, and those of another implementation."""

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from annotation.agreement.batch import measure_batch
from annotation.agreement.reports import MarkAgreement
from annotation.agreement.values import ItemAnswer
from tests.annotation.agreement.batch_cases import TICK, batch, said

# As in batch_cases: every reply has so many tokens.
N_TOKENS = 20
RATERS = ("Ada", "Ben", "Cleo")
answers_to_an_item = st.lists(st.none() | st.frozensets(st.integers(0, N_TOKENS - 1)), min_size=3, max_size=3)


def marked(item: str, rater: str, places: frozenset[int] | tuple[int, ...]) -> ItemAnswer:
    evidence = {"comfort": tuple(sorted(places))} if places else None
    return said(item, rater, {"comfort": int(bool(places))}, evidence=evidence)


def marks_of(answers: list[ItemAnswer], resamples: int = 0) -> MarkAgreement:
    found = measure_batch(batch([TICK], answers), resamples=resamples, seed=1).codes[0].marks
    assert found is not None
    return found


def test_two_who_mark_three_words_and_share_two() -> None:
    found = marks_of([marked("1", "Ada", (1, 2, 3)), marked("1", "Ben", (2, 3, 4))])
    assert found.mean.alpha_u.value == pytest.approx(1 - 39 * 4 / (2 * 6 * 34))
    assert found.pairs[0].estimates.alpha_u.value == found.mean.alpha_u.value


def test_the_same_words_are_one_and_nothing_marked_is_undefined() -> None:
    same = marks_of([marked(item, rater, (3, 4)) for item in "12" for rater in RATERS])
    assert same.mean.alpha_u.value == 1
    nothing = marks_of([marked(item, rater, ()) for item in "12" for rater in RATERS])
    assert nothing.mean.alpha_u.value is None
    assert nothing.mean.alpha_u.note.startswith("Undefined: nobody marked anything")


@given(st.lists(answers_to_an_item, min_size=1, max_size=5))
def test_it_is_the_alpha_of_the_table_of_tokens(items: list[list[frozenset[int] | None]]) -> None:
    table = np.full((3, N_TOKENS * len(items)), np.nan)
    answers = []
    for at, item in enumerate(items):
        for rater, places in enumerate(item):
            if places is not None:
                answers.append(marked(str(at), RATERS[rater], places))
                tokens = np.isin(np.arange(N_TOKENS), list(places))
                table[rater, at * N_TOKENS : (at + 1) * N_TOKENS] = tokens
    compared = table[:, (~np.isnan(table)).sum(axis=0) >= 2]
    assume(len(np.unique(compared[~np.isnan(compared)])) == 2)
    expected = krippendorff.alpha(reliability_data=table, level_of_measurement="nominal")
    assert marks_of(answers).mean.alpha_u.value == pytest.approx(expected, abs=1e-12)


def test_its_interval_knows_how_few_items_there_are() -> None:
    few, many = (
        marks_of(
            [marked(str(at), rater, (at % 4, at % 4 + 1)) for at in range(n) for rater in RATERS[:2]], 200
        ).mean.alpha_u
        for n in (5, 80)
    )
    assert few.value == many.value == few.high == 1
    assert few.low is not None and many.low is not None
    assert few.low < 0.8 < many.low < 1
