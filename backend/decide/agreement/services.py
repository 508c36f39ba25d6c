"""What measures agreement and keeps the reports, and what changes the rule."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from annotation.agreement.registry import method_version
from annotation.agreement.trust_rule import Rule
from backend.annotate.batches.models import Batch, BatchKind
from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.decide.agreement.errors import AgreementError, NothingToCompare, NothingToMeasure, RuleOutOfReach
from backend.decide.agreement.inputs import Inputs, can_compare, inputs_of
from backend.decide.agreement.kept_inputs import JobInputs, kept_hash
from backend.decide.agreement.models import AgreementReport, AgreementRule, ReportKind
from backend.decide.agreement.queue import (
    RESAMPLES,
    SEED,
    MeasureJob,
    enqueue_measuring,
    waiting_measurements,
)
from backend.decide.agreement.selectors import can_be_measured, is_complete, is_partial, rule_of


@dataclass(frozen=True, slots=True)
class Precision:
    """How many resamples make the intervals, and the seed that repeats them."""

    resamples: int = RESAMPLES
    seed: int = SEED


USUAL = Precision()


def request_measurement(
    *, batch: Batch, actor: User | None, now: datetime, precision: Precision = USUAL
) -> Job:
    """On demand, complete or not. While it is being measured with the same precision, that job is the answer.

    Answers are decoded by the job: here somebody waits.
    """
    if not can_compare(batch):
        raise nothing_to_compare(batch)
    for job, asked in waiting_measurements(batch):
        if (asked.resamples, asked.seed) == (precision.resamples, precision.seed):
            return job
    return _enqueue(batch, actor, now, precision)


def nothing_to_compare(batch: Batch) -> AgreementError:
    return (NothingToCompare if batch.kind == BatchKind.RECHECK else NothingToMeasure)(batch.name)


def measure_if_complete(batch: Batch, now: datetime) -> Job | None:
    """By itself, once nobody has anything left to do and the answers are others than those measured before.

    Cheap while the batch is being worked on; later edits change no first answer, so they lead to no new report.
    """
    if batch.kind == BatchKind.PRACTICE or not is_complete(batch) or not can_be_measured(batch):
        return None
    waiting = [kept_hash(batch, job.pk) for job, _ in waiting_measurements(batch)]
    if None in waiting:
        # It measures what is there when it begins
        return None
    inputs = inputs_of(batch)
    known = (
        inputs.hash in waiting
        or batch.agreement_reports.filter(inputs_hash=inputs.hash, method=method_version()).exists()
    )
    return None if inputs.is_empty or known else _enqueue(batch, None, now, USUAL)


def _enqueue(batch: Batch, actor: User | None, now: datetime, precision: Precision) -> Job:
    job = MeasureJob(
        batch=batch.pk,
        resamples=precision.resamples,
        seed=precision.seed,
        actor=actor.pk if actor else None,
    )
    return enqueue_measuring(batch=batch, job=job, actor=actor, now=now)


def keep_report(
    *,
    batch: Batch,
    inputs: Inputs | JobInputs,
    measures: str,
    precision: Precision,
    actor: User | None,
    now: datetime,
) -> AgreementReport:
    """The report on these inputs, which is kept once however often it was measured."""
    report, is_new = AgreementReport.objects.get_or_create(
        batch=batch,
        inputs_hash=inputs.hash,
        resamples=precision.resamples,
        seed=precision.seed,
        method=method_version(),
        defaults={
            "study_id": batch.study_id,
            "edition_id": batch.edition_id,
            "kind": inputs.kind,
            "measures": measures,
            "is_partial": is_partial(batch),
            "requested_by": actor,
            "measured_at": now,
        },
    )
    if is_new:
        what = "Measured test–retest agreement" if report.kind == ReportKind.RETEST else "Measured agreement"
        summary = f"{what} in the batch “{batch.name}”"
        record_event(study=batch.study, actor=actor, summary=summary, now=now)
    return report


@transaction.atomic
def change_rule(*, study: Study, rule: Rule, actor: User, now: datetime) -> Rule:
    """Reports stay as they are; what they are read as changes with the rule."""
    if not -1 <= rule.at_least <= 1:
        raise RuleOutOfReach(rule.at_least)
    if rule == rule_of(study):
        return rule
    AgreementRule.objects.update_or_create(
        study=study,
        defaults={"measure": rule.measure, "bound": rule.bound, "at_least": rule.at_least},
    )
    summary = f"Themes are trusted by another rule: {rule}"
    record_event(study=study, actor=actor, summary=summary, now=now)
    return rule
