"""Alpha is compared with what another implementation says, code by code."""

from dataclasses import replace

import numpy as np
import pytest

from annotation.agreement import alpha_check
from annotation.agreement.alpha_check import check_alphas
from annotation.agreement.batch import measure_batch
from annotation.agreement.files import decode_batch_agreement, encode
from annotation.agreement.ratings import ratings_table
from annotation.agreement.values import BatchJudgments, MeasurementLevel
from tests.annotation.agreement.batch_cases import LEVELS, SCALE, SENTENCES, TICK, batch, said

EQUAL = "checked against krippendorff 0.9.0: equal to 1e-12"


@pytest.fixture
def judgments() -> BatchJudgments:
    rng = np.random.default_rng(4)
    answers = [
        said(
            f"i{at}",
            rater,
            {
                "comfort": int(rng.integers(2)),
                "depth": int(rng.integers(3)),
                "warmth": 1 + int(rng.integers(5)),
            }
            | {"cause": 1},
            sentences={"cause": (int(rng.integers(3)),)},
        )
        for at in range(20)
        for rater in ("Ada", "Ben", "Cleo")
        if rng.random() < 0.9
    ]
    return batch([TICK, LEVELS, SCALE, SENTENCES], answers)


def test_a_report_says_that_its_alpha_is_that_of_others(judgments: BatchJudgments) -> None:
    report = measure_batch(judgments, resamples=0, seed=1)
    assert report.alpha_check is not None
    assert (report.alpha_check.says, report.alpha_check.differing) == (EQUAL, ())
    older = replace(report, alpha_check=None)
    assert decode_batch_agreement(encode(older)) == older


def test_a_report_names_the_codes_that_differ(
    judgments: BatchJudgments, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = alpha_check.theirs
    monkeypatch.setattr(
        alpha_check,
        "theirs",
        lambda ratings, level: right(ratings, level) + 1e-9 * (level is not MeasurementLevel.ORDINAL),
    )
    found = measure_batch(judgments, resamples=0, seed=1).alpha_check
    assert found is not None and found.differing == ("comfort", "warmth", "cause by sentence")
    assert found.says == (
        "differs from krippendorff 0.9.0 by more than 1e-12: comfort, warmth, cause by sentence"
    )


def test_what_has_no_alpha_is_not_checked() -> None:
    table = ratings_table([[1, 1], [1, None]])
    found = check_alphas([("comfort", table, MeasurementLevel.NOMINAL, None)])
    assert found.says == "not checked against krippendorff 0.9.0: alpha has no value"


def test_a_table_that_is_too_large_for_the_package_is_left_out_and_named(
    judgments: BatchJudgments, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would take 8 bytes for each item, answer and answer: 226 GB for 1,500 items with 4,495 numbers."""
    monkeypatch.setattr(alpha_check, "_MOST_CELLS", 20 * 3**2)
    found = measure_batch(judgments, resamples=0, seed=1).alpha_check
    assert found is not None and not found.differing
    assert found.says == f"{EQUAL}; not checked, as it would need too much memory: warmth, cause by sentence"
    many = ratings_table([[at, at + 1] for at in range(1500)])
    alone = check_alphas([("scale", many, MeasurementLevel.INTERVAL, 0.5)])
    assert alone.says == "not checked against krippendorff 0.9.0: it would need too much memory"
