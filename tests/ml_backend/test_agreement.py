"""The ML backend leaves a whole report or a reason, and can be asked twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from annotation.agreement.files import decode_batch_agreement, decode_retest_agreement, encode
from annotation.agreement.reports import Retest, RetestJudgments
from annotation.agreement.values import BatchJudgments, ItemAnswer, JudgedCode, JudgedItem
from codebook.schema import AnswerKind, Part
from learning.tasks.locks import hold_lock
from ml_backend.agreement import MOST_TRIES, AgreementTask, leave_report

CODES = (JudgedCode("warmth", Part.POST, AnswerKind.TICK, False, (0, 1), (1,)),)
ITEMS = tuple(JudgedItem(f"i{at}", f"p{at}", {Part.POST: 3}, {Part.POST: 1}) for at in range(6))


def said(item: str, rater: str, value: int) -> ItemAnswer:
    return ItemAnswer(item, rater, {"warmth": value}, {}, {}, False)


def judgments() -> BatchJudgments:
    answers = [
        said(item.item_id, rater, (at + (rater == "bea" and at == 0)) % 2)
        for at, item in enumerate(ITEMS)
        for rater in ("amal", "bea")
    ]
    return BatchJudgments(CODES, ITEMS, ("amal", "bea"), tuple(answers))


@pytest.fixture
def asked(tmp_path: Path) -> AgreementTask:
    (tmp_path / "inputs.json").write_bytes(encode(judgments()))
    return AgreementTask(
        "agreement",
        tmp_path / "inputs.json",
        tmp_path / "a.report.json",
        tmp_path / "a.failure.txt",
        200,
        1,
    )


def test_a_report_is_left_and_nothing_else(asked: AgreementTask) -> None:
    leave_report(asked)
    report = decode_batch_agreement(asked.report.read_bytes())
    assert report.codes[0].ratings["raw_agreement"].value == pytest.approx(5 / 6)
    assert report.codes[0].disagreed == ("i0",)
    assert sorted(path.name for path in asked.report.parent.iterdir()) == ["a.report.json", "inputs.json"]


def test_asked_twice_it_works_once(asked: AgreementTask) -> None:
    leave_report(asked)
    written = asked.report.stat().st_mtime_ns
    asked.inputs.unlink()
    leave_report(asked)
    assert asked.report.stat().st_mtime_ns == written
    assert not asked.failure.exists()


def test_what_another_process_measures_is_left_to_it_and_counts_as_no_try(asked: AgreementTask) -> None:
    with hold_lock(asked.tries.path):
        assert [leave_report(asked) for _ in range(MOST_TRIES + 1)] == [False] * (MOST_TRIES + 1)
        assert not asked.tries.path.read_bytes()
    assert leave_report(asked)
    assert asked.report.exists() and not asked.failure.exists() and not asked.tries.path.exists()


def test_a_recheck_has_a_report_of_its_own_kind(asked: AgreementTask) -> None:
    retests = tuple(
        Retest(said(item.item_id, "amal", at % 2), said(item.item_id, "amal", int(at > 3)))
        for at, item in enumerate(ITEMS)
    )
    asked.inputs.write_bytes(encode(RetestJudgments(CODES, ITEMS, retests)))
    leave_report(replace(asked, kind="retest"))
    assert decode_retest_agreement(asked.report.read_bytes()).n_items == 6


@pytest.mark.parametrize(
    ("content", "kind", "reason"),
    [
        (b"{", "agreement", "AgreementFileUnreadable: This is no BatchJudgments"),
        (b"[]", "retest", "AgreementFileUnreadable: This is no RetestJudgments"),
        (encode(judgments()), "warmth", "UnknownKind: There is no report of the kind 'warmth'."),
    ],
)
def test_what_cannot_be_measured_is_explained(
    asked: AgreementTask, content: bytes, kind: str, reason: str
) -> None:
    asked.inputs.write_bytes(content)
    leave_report(replace(asked, kind=kind))
    assert asked.failure.read_text().startswith(reason)
    assert not asked.report.exists()


def test_of_a_foreign_error_only_the_kind_is_told(asked: AgreementTask) -> None:
    asked.inputs.unlink()
    leave_report(asked)
    assert asked.failure.read_text() == "FileNotFoundError."


def test_inputs_that_kill_the_worker_again_and_again_are_given_up(asked: AgreementTask) -> None:
    asked.tries.path.write_bytes(b"." * MOST_TRIES)
    leave_report(asked)
    assert "stopped 3 times" in asked.failure.read_text()
    assert not asked.tries.path.exists()
    asked.failure.unlink()
    leave_report(asked)
    assert asked.report.exists()
