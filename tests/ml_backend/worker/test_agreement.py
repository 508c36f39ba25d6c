"""A task to measure agreement: a whole report or a reason, as of every task, from a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from annotation.agreement.files import decode_batch_agreement, decode_retest_agreement, encode
from annotation.agreement.reports import Retest, RetestJudgments
from annotation.agreement.values import BatchJudgments, ItemAnswer, JudgedCode, JudgedItem
from codebook.schema import AnswerKind, Part
from learning.tasks.contract import AgreementRequest, AgreementResult
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter
from ml_backend.processes import ROOT, ExitCode
from ml_backend.worker.arguments import task_parser
from ml_backend.worker.kinds import work_on
from ml_backend.worker.process import MOST_TRIES, run_task

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
def folder(tmp_path: Path) -> TaskFolder:
    found = TaskFolder(tmp_path / "1-study" / "job-7")
    found.path.mkdir(parents=True)
    answers = found.path / "a.answers.json"
    answers.write_bytes(encode(judgments()))
    found.write_request(AgreementRequest(answers=str(answers), is_retest=False, resamples=200, seed=1))
    found.beat()
    return found


def answers_of(folder: TaskFolder) -> Path:
    request = folder.read_request()
    assert isinstance(request, AgreementRequest)
    return Path(request.answers)


def work_once(folder: TaskFolder) -> int:
    return subprocess.run(
        [sys.executable, "-m", "ml_backend", "task", str(folder.path)], cwd=ROOT, check=False
    ).returncode


def test_a_report_is_left_and_nothing_is_loaded_that_it_does_not_need(folder: TaskFolder) -> None:
    script = (
        "import sys\nfrom ml_backend.__main__ import main\n"
        f"code = main(['task', {str(folder.path)!r}])\n"
        "print(sorted({'torch', 'transformers', 'sklearn'} & set(sys.modules)))\nsys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (ExitCode.DONE, "[]\n")
    result = folder.read_result()
    assert isinstance(result, AgreementResult)
    report = decode_batch_agreement((folder.path / result.report).read_bytes())
    assert report.codes[0].ratings["raw_agreement"].value == pytest.approx(5 / 6)
    assert report.codes[0].disagreed == ("i0",)
    answers_of(folder).unlink()
    assert work_once(folder) == ExitCode.DONE, "asked twice it works once"
    assert folder.take_failure() is None


def test_what_another_process_measures_is_left_to_it_and_counts_as_no_try(folder: TaskFolder) -> None:
    asked = task_parser().parse_args([str(folder.path)])
    with folder.hold():
        assert [run_task(asked) for _ in range(MOST_TRIES + 1)] == [ExitCode.TAKEN] * (MOST_TRIES + 1)
    assert not folder.tries.path.exists() and folder.read_result() is None


def test_a_recheck_has_a_report_of_its_own_kind(folder: TaskFolder) -> None:
    retests = tuple(
        Retest(said(item.item_id, "amal", at % 2), said(item.item_id, "amal", int(at > 3)))
        for at, item in enumerate(ITEMS)
    )
    answers_of(folder).write_bytes(encode(RetestJudgments(CODES, ITEMS, retests)))
    request = msgspec.structs.replace(folder.read_request(), is_retest=True)
    result = work_on(folder, request, ProgressWriter(folder.progress))
    assert isinstance(result, AgreementResult)
    assert decode_retest_agreement((folder.path / result.report).read_bytes()).n_items == 6


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{", "AgreementFileUnreadable: This is no BatchJudgments"),
        (None, "FileNotFoundError."),
    ],
)
def test_what_cannot_be_measured_is_explained(folder: TaskFolder, content: bytes | None, reason: str) -> None:
    """Of a foreign error only the kind is told."""
    if content is None:
        answers_of(folder).unlink()
    else:
        answers_of(folder).write_bytes(content)
    assert work_once(folder) == ExitCode.FAILED
    assert (folder.take_failure() or "").startswith(reason)
    assert folder.read_result() is None and not folder.tries.path.exists()


def test_answers_that_kill_the_process_again_and_again_are_given_up(folder: TaskFolder) -> None:
    for _ in range(MOST_TRIES):
        folder.tries.begin()
    assert work_once(folder) == ExitCode.FAILED
    assert "stopped 3 times" in (folder.take_failure() or "")
    assert work_once(folder) == ExitCode.DONE
