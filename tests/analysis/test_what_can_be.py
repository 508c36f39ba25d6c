"""Values that cannot be are not given, those that can are, and what is missing has a note that says why."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.co_occurrence import COINCIDE, NOT_DEFINED, co_occurrence
from analysis.cramers_v import v_of_shares
from analysis.distribution import distribution
from analysis.gold_notes import NO_INTERVAL
from analysis.labelled import LabelledCorpus, labelled_corpus
from analysis.over_time import over_time
from analysis.prevalence import prevalence
from analysis.prevalence_row import NO_V, NO_WALD
from analysis.values import MODEL_WAYS, Estimate, Finding, Way
from codebook.schema import Part
from tests.analysis.corpus_fixtures import counted_corpus
from tests.analysis.simulated_corpus import simulated
from tests.examples import examples

SHARES = st.lists(st.tuples(st.floats(-1, 2), st.integers(1, 500)), min_size=2, max_size=6)


@given(SHARES)
@settings(max_examples=examples(200), deadline=None)
def test_v_lies_between_0_and_1_or_is_not_there(groups: list[tuple[float, int]]) -> None:
    shares, sizes = np.array(groups, dtype=np.float64).T
    found = v_of_shares(shares, sizes)
    assert found is None or (0 <= found <= 1 + 1e-9 and -1e-9 <= shares.min() <= shares.max() <= 1 + 1e-9)


def labelled(n: int = 60, **labels: pl.Series) -> LabelledCorpus:
    ids = [str(at) for at in range(n)]
    items = pl.DataFrame({"item_id": ids, "post": ids, "community": ["talk"] * n})
    made = {f"model.{code}": values for code, values in labels.items()}
    return labelled_corpus(items.with_columns(**made), part=Part.POST, codes={code: code for code in labels})


def correlated(one: list[int], other: list[int]) -> Finding:
    (matrix,) = co_occurrence(labelled(len(one), a=pl.Series(one), b=pl.Series(other)), way=Way.NAIVE)
    return matrix.findings[0]


@pytest.mark.parametrize("n", [5, 17, 60, 333])
def test_codes_that_always_coincide_correlate_by_1_without_an_interval(n: int) -> None:
    one = [int(at % 3 == 0) for at in range(n)]
    for other, r in ((one, 1.0), ([1 - each for each in one], -1.0), ([2 * each for each in one], 1.0)):
        found = correlated(one, other)
        assert found.estimate == Estimate(r, None, None) and found.test.p is None and found.note == COINCIDE
        assert f"strongly (r = {r:.2f})" in found.sentence


def test_a_code_that_does_not_vary_has_no_correlation_and_says_so() -> None:
    found = correlated([1] * 40, [0, 1] * 20)
    assert found.estimate.value is None and found.note == NOT_DEFINED


def test_whatever_a_table_of_shares_lacks_has_a_note() -> None:
    groups = {"a": 90, "b": 80, "c": 70}
    corpus = counted_corpus(
        Part.POST, "platform", groups, {"all": (90, 80, 70), "none": (0, 0, 0), "one": (90, 0, 0)}
    )
    every, no, one = prevalence(corpus, by="platform", way=Way.NAIVE).rows
    for row in (every, no):
        assert row.pearson and row.pearson.note == row.wald.note == NO_V
    assert one.pearson and one.pearson.note == "" and one.wald.note == NO_WALD
    for row in (every, no, one):
        assert all(found.note == NO_INTERVAL for found in row.differences)


def test_a_corrected_share_outside_0_and_1_has_no_v_and_says_so() -> None:
    """The model errs in one group on its only find, which stands for twenty items, and in the other not at all."""
    n, half = 2_000, 1_000
    ids = [str(at) for at in range(n)]
    at = np.arange(n)
    drawn = at % 20 == 0
    model = (at == 0) | ((at >= half) & (at % 2 == 0))
    gold = pl.when(pl.Series(drawn)).then(pl.Series(at >= half).cast(pl.Int64()))
    items = pl.DataFrame(
        {
            "item_id": ids,
            "post": ids,
            "community": np.where(at < half, "a", "b"),
            "model.x": model.astype(np.int64),
            "gold_probability": np.full(n, 0.05),
        }
    )
    corpus = labelled_corpus(items.with_columns(gold.alias("gold.x")), part=Part.POST, codes={"x": "x"})
    (row,) = prevalence(corpus, by="community", way=Way.CORRECTED).rows
    assert row.shares[0].estimate.value == 0 and row.shares[0].estimate.low == 0
    assert 0 < (row.mean.estimate.value or 0) < 1 and row.wald.test.p is not None


@pytest.mark.parametrize("way", MODEL_WAYS)
def test_bands_end_at_the_highest_value_that_labels_have(way: Way) -> None:
    replies = simulated(n_posts=500, n_gold=450, seed=2).replies
    often = [
        (pl.col(f"{kind}.concern") * 0 + (pl.int_range(pl.len()) % 25 != 0)) for kind in ("model", "gold")
    ]
    wrong = pl.when(pl.int_range(pl.len()) % 40 == 0).then(1 - often[0]).otherwise(often[0])
    ticks = replies.items.with_columns(wrong.alias("model.concern"), often[1].alias("gold.concern"))
    levels = ticks.with_columns(pl.col("model.concern") * 3, pl.col("gold.concern") * 3)
    for items, highest in ((ticks, 1.0), (levels, 3.0)):
        corpus = labelled_corpus(items, part=Part.REPLY, codes={"concern": "Personal concern"})
        (course,) = over_time(corpus, way=way, every="1mo" if way is Way.NAIVE else "1y")
        known = [found for found in course.periods if found.estimate.high is not None]
        assert all(0 <= (found.estimate.value or 0) <= highest for found in known)
        assert all((found.estimate.high or 0) <= highest for found in known)
        # Corrected intervals that are wide enough for it rest on too little gold and are not given
        assert way is Way.CORRECTED or any(found.estimate.high == highest for found in known)


def test_parts_of_the_whole_that_cannot_be_or_have_no_interval_say_so() -> None:
    alone = labelled(a=pl.Series([1] * 60))
    (whole,) = distribution(alone, way=Way.NAIVE)
    assert whole.estimate == Estimate(1.0, None, None) and whole.note == NO_INTERVAL
    drawn = pl.int_range(60) % 20 == 0
    items = alone.items.with_columns(
        (pl.int_range(60) == 0).cast(pl.Int64()).alias("model.b"),
        pl.when(drawn).then(1).alias("gold.a"),
        pl.when(drawn).then(0).alias("gold.b"),
        pl.lit(0.05).alias("gold_probability"),
    )
    corpus = labelled_corpus(items, part=Part.POST, codes={"a": "a", "b": "b"})
    notes = {found.code: found.note for found in distribution(corpus, way=Way.CORRECTED)}
    assert all(
        note.startswith("No interval: the gold here says as much as 3 labels") for note in notes.values()
    )
