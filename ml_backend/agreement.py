"""Measures agreement on a file of answers and leaves a file with the report, or one that says why not."""

from __future__ import annotations

import logging
import traceback
from dataclasses import dataclass
from pathlib import Path

from annotation.agreement.batch import measure_batch
from annotation.agreement.files import decode_batch_judgments, decode_retest_judgments, encode
from annotation.agreement.retest import measure_retest
from corpus.whole_files import replace_file
from learning.tasks.locks import LockTaken, held
from learning.tasks.measuring_agreement import tries_of

logger = logging.getLogger(__name__)
# A worker that dies of the same inputs again and again must not be fed them for ever.
MOST_TRIES = 3


@dataclass(frozen=True, slots=True)
class AgreementAsked:
    """`kind` is “agreement” between annotators or “retest” of each with themselves."""

    kind: str
    inputs: Path
    report: Path
    failure: Path
    resamples: int
    seed: int

    @property
    def tries(self) -> Path:
        return tries_of(self.report)


class UnknownKind(ValueError):
    def __init__(self, kind: str) -> None:
        super().__init__(f"There is no report of the kind {kind!r}.")


def leave_report(asked: AgreementAsked) -> bool:
    """Does nothing where the report is there already, or is being made: a message may come twice. False if it is."""
    if asked.report.exists():
        return True
    try:
        # A second look, because whoever asks whether it is being made holds it for a moment
        with held(asked.tries, looks=2):
            _try(asked)
            asked.tries.unlink(missing_ok=True)
    except LockTaken:
        return False
    return True


def _try(asked: AgreementAsked) -> None:
    if asked.report.exists():
        return
    try:
        if _count_try(asked.tries) > MOST_TRIES:
            reason = f"it stopped {MOST_TRIES} times in the middle; look for a lack of memory."
            replace_file(asked.failure, reason.encode())
        else:
            replace_file(asked.report, _report(asked))
    except Exception as problem:
        trace = "".join(traceback.format_tb(problem.__traceback__))
        logger.error("Agreement could not be measured:\n%s%s", trace, type(problem).__name__)
        replace_file(asked.failure, _reason(problem).encode())


def _count_try(tries: Path) -> int:
    with tries.open("ab") as handle:
        handle.write(b".")
        return handle.tell()


def _report(asked: AgreementAsked) -> bytes:
    content = asked.inputs.read_bytes()
    if asked.kind == "agreement":
        judgments = decode_batch_judgments(content)
        return encode(measure_batch(judgments, resamples=asked.resamples, seed=asked.seed))
    if asked.kind == "retest":
        retests = decode_retest_judgments(content)
        return encode(measure_retest(retests, resamples=asked.resamples, seed=asked.seed))
    raise UnknownKind(asked.kind)


def _reason(problem: Exception) -> str:
    """Our own errors are written to be shown; of others only the kind is told."""
    is_ours = type(problem).__module__.partition(".")[0] in ("annotation", "learning", "ml_backend")
    return f"{type(problem).__name__}: {problem}" if is_ours else f"{type(problem).__name__}."
