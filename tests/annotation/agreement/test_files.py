"""What is kept can be read again, is canonical, and has one hash whatever order it came in."""

import json
from dataclasses import replace

import numpy as np
import pytest

from annotation.agreement.batch import measure_batch
from annotation.agreement.files import (
    AgreementFileUnreadable,
    decode_batch_agreement,
    decode_batch_judgments,
    decode_retest_agreement,
    decode_retest_judgments,
    encode,
    inputs_hash,
)
from annotation.agreement.reports import Retest, RetestJudgments
from annotation.agreement.retest import measure_retest
from annotation.agreement.values import BatchJudgments, judgments_in_order
from tests.annotation.agreement.batch_cases import SENTENCES, TICK, batch, said


def some_judgments() -> BatchJudgments:
    rng = np.random.default_rng(0)
    answers = [
        said(
            f"i{at}",
            rater,
            {"comfort": int(rng.integers(2)), "cause": 1},
            evidence={"comfort": (1, 2)},
            sentences={"cause": (0,)},
            flagged=at == 1,
        )
        for at in range(6)
        for rater in ("Ben", "Ada")
    ]
    return batch([TICK, SENTENCES], answers)


def test_judgments_and_reports_can_be_read_again() -> None:
    judgments = some_judgments()
    assert decode_batch_judgments(encode(judgments)) == judgments_in_order(judgments)
    report = measure_batch(judgments, resamples=20, seed=1)
    assert decode_batch_agreement(encode(report)) == report
    assert measure_batch(decode_batch_judgments(encode(judgments)), resamples=20, seed=1) == report


def test_retests_can_be_read_again() -> None:
    judgments = some_judgments()
    retests = RetestJudgments(
        judgments.codes,
        judgments.items,
        tuple(
            Retest(answer, replace(answer, is_flagged=True))
            for answer in judgments_in_order(judgments).answers
        ),
    )
    assert decode_retest_judgments(encode(retests)) == retests
    report = measure_retest(retests, resamples=20, seed=1)
    assert decode_retest_agreement(encode(report)) == report


def test_the_hash_depends_on_what_was_said_and_not_on_its_order() -> None:
    judgments = some_judgments()
    turned = replace(judgments, answers=judgments.answers[::-1], items=judgments.items[::-1])
    assert inputs_hash(judgments) == inputs_hash(turned)
    first, *rest = judgments.answers
    changed = replace(judgments, answers=(replace(first, is_flagged=not first.is_flagged), *rest))
    assert inputs_hash(judgments) != inputs_hash(changed)


def test_undefined_numbers_are_null() -> None:
    report = encode(measure_batch(batch([TICK], [said("i", "Ada", {"comfort": 1})]), resamples=5, seed=1))
    read = json.loads(report, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert read["codes"][0]["ratings"]["fleiss_kappa"]["value"] is None


@pytest.mark.parametrize("data", [b"", b"[]", b'{"codes": 1}'])
def test_what_is_something_else_is_refused(data: bytes) -> None:
    with pytest.raises(AgreementFileUnreadable, match="no BatchAgreement"):
        decode_batch_agreement(data)
