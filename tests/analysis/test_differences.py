"""Differences by label, and what a published t of -42.72 is made of."""

import numpy as np
import polars as pl
import pytest

from analysis.differences import DifferenceTable, differences
from analysis.labelled import labelled_corpus
from analysis.outcomes import Outcome
from analysis.regressions import Model, regressions
from analysis.values import Way
from analysis.welch import NO_SPREAD
from codebook.schema import Part


def accepted_replies(n_with: int, n_without: int, share_without: float) -> DifferenceTable:
    """None of the replies with the code is accepted."""
    n = n_with + n_without
    ids = [str(at) for at in range(n)]
    accepted = np.arange(n) < round(share_without * n_without)
    items = pl.DataFrame(
        {
            "item_id": ids,
            "post": ids,
            "community": ["workplace"] * n,
            "accepted": accepted,
            "model.feelings": (np.arange(n) >= n_without).astype(np.uint8),
        }
    )
    corpus = labelled_corpus(items, part=Part.REPLY, codes={"feelings": "Recalling feelings"})
    assert regressions(corpus, outcome=Outcome.ACCEPTED, way=Way.NAIVE, model=Model.LOGISTIC, controls=())[
        0
    ].note.startswith("Undefined")
    return differences(corpus, outcome=Outcome.ACCEPTED, way=Way.NAIVE)


def test_a_published_t_that_is_too_good_comes_from_a_group_without_spread() -> None:
    """Published for a community of 11,643 replies: -13.58%, t = -42.72. A few dozen replies with the code, none of
    them accepted, give just that: the error is that of the others alone."""
    table = accepted_replies(29, 11_614, 0.1358)
    found = table.rows[0].welch
    assert found is not None and found.estimate.value is not None and found.test.statistic is not None
    assert round(100 * found.estimate.value, 2) == -13.58
    assert found.test.statistic == pytest.approx(-42.72, abs=0.01)
    assert found.note == NO_SPREAD


def test_too_few_items_with_a_code_are_not_compared() -> None:
    row = accepted_replies(1, 50, 0.5).rows[0]
    assert row.welch is not None
    assert row.welch.estimate.value is None and row.clustered.test.p is None
    assert row.clustered.sentence.startswith(
        "In workplace, replies with and without “Recalling feelings” cannot be"
    )
