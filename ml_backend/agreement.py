"""Measures agreement on a file of answers and leaves a file with the report, or one that says why not."""

from __future__ import annotations

import logging
import traceback
from dataclasses import dataclass
from pathlib import Path

from annotation.agreement.batch import measure_batch
from annotation.agreement.files import decode_batch_judgments, decode_retest_judgments, encode
from annotation.agreement.retest import measure_retest
from corpus.atomic_files import replace_file
from learning.tasks.locks import LockTaken, hold_lock
from learning.tasks.tries import Tries, tries_of
from ml_backend.failures import reason_of

logger = logging.getLogger(__name__)
# A worker that dies of the same inputs again and again must not be fed them for ever.
MOST_TRIES = 3


@dataclass(frozen=True, slots=True)
class AgreementTask:
    """`kind` is “agreement” between annotators or “retest” of each with themselves."""

    kind: str
    inputs: Path
    report: Path
    failure: Path
    resamples: int
    seed: int

    @property
    def tries(self) -> Tries:
        return tries_of(self.report)


class UnknownKind(ValueError):
    def __init__(self, kind: str) -> None:
        super().__init__(f"There is no report of the kind {kind!r}.")


def leave_report(asked: AgreementTask) -> bool:
    """Does nothing where the report is there already, or is being made: a message may come twice. False if it is."""
    if asked.report.exists():
        return True
    try:
        # A second look, because whoever asks whether it is being made holds it for a moment
        with hold_lock(asked.tries.path, looks=2):
            _try(asked)
            asked.tries.end()
    except LockTaken:
        return False
    return True


def _try(asked: AgreementTask) -> None:
    if asked.report.exists():
        return
    try:
        if asked.tries.begin() > MOST_TRIES:
            reason = f"it stopped {MOST_TRIES} times in the middle; look for a lack of memory."
            replace_file(asked.failure, reason.encode())
        else:
            replace_file(asked.report, _report(asked))
    except Exception as problem:
        trace = "".join(traceback.format_tb(problem.__traceback__))
        logger.error("Agreement could not be measured:\n%s%s", trace, type(problem).__name__)
        replace_file(asked.failure, reason_of(problem).encode())


def _report(asked: AgreementTask) -> bytes:
    content = asked.inputs.read_bytes()
    if asked.kind == "agreement":
        judgments = decode_batch_judgments(content)
        return encode(measure_batch(judgments, resamples=asked.resamples, seed=asked.seed))
    if asked.kind == "retest":
        retests = decode_retest_judgments(content)
        return encode(measure_retest(retests, resamples=asked.resamples, seed=asked.seed))
    raise UnknownKind(asked.kind)
