"""Has the ML backend examine an adapter, within any job, decides by the study's rule, and keeps the report."""

from __future__ import annotations

from datetime import datetime

import msgspec

from backend.core.accounts.models import User
from backend.core.jobs.context import JobContext
from backend.core.ml_tasks.folders import task_folder
from backend.core.ml_tasks.working import refuse_unless, work_on
from backend.core.studies.services import record_event
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from backend.learn.models.doubting import doubt_labels
from backend.learn.models.held_out import blind_items_for
from backend.learn.models.ledger import look_in_words, take_look
from backend.learn.models.models import Adapter, PromotionReport
from backend.learn.models.selectors import adapter_in_service, promotion_rule_of, reports_of
from learning.promotion.findings import Findings, decode_findings, encode_findings
from learning.promotion.rule import PromotionRule
from learning.promotion.verdict import Kinds, PromotionVerdict, judge_promotion
from learning.tasks.contract import ExamineRequest

SEED = 1


def examine_candidate(
    context: JobContext, *, adapter: Adapter, actor: User | None, now: datetime, step: str = ""
) -> PromotionReport:
    """Against whatever is in service when it begins: `promote` refuses the report if that has changed since.

    What it found the last time by the same rule against the same opponent is not kept twice, and a look at the test set
    that was spent before is not spent again.
    """
    study, release = adapter.study, adapter.release
    incumbent = adapter_in_service(study)
    rule = promotion_rule_of(study)
    request = ExamineRequest(
        candidate=str(adapter.folder),
        incumbent=str(incumbent.folder) if incumbent else None,
        release=str(release.folder),
        release_hash=release.hash,
        resamples=rule.resamples,
        seed=SEED,
        blind=blind_items_for(adapter, incumbent),
        least_gain=rule.least_gain,
    )
    folder = task_folder(study, context.job_id, step)
    result = work_on(context, folder, request)
    refuse_unless(_is_about(result.findings, adapter, incumbent), folder)
    kinds = kinds_of(release.edition)
    with context.fenced_transaction():
        last = reports_of(study).filter(candidate=adapter).first()
        content = encode_findings(result.findings).decode()
        if last and (last.content, last.rule, last.incumbent) == (
            content,
            msgspec.to_builtins(rule),
            incumbent,
        ):
            return last
        look = take_look(
            candidate=adapter,
            incumbent=incumbent,
            result=result,
            gain=judge_promotion(result.findings, rule, kinds).gain,
            rule=rule,
            actor=actor,
            now=now,
        )
        passed = judge_promotion(result.findings, rule, kinds, look=look_in_words(look)).passed
        report = PromotionReport.objects.create(
            study=study,
            candidate=adapter,
            incumbent=incumbent,
            release=release,
            rule=msgspec.to_builtins(rule),
            content=content,
            passed=passed,
            look=look,
            created_by=actor,
            created_at=now,
        )
        words = "meets" if passed else "does not meet"
        summary = f"Adapter {adapter.number}, “{adapter.name}”, {words} the promotion rule"
        record_event(study=study, actor=actor, summary=summary, now=now)
        doubt_labels(adapter, now=now)
    return report


def _is_about(findings: Findings, adapter: Adapter, incumbent: Adapter | None) -> bool:
    named = (findings.candidate, findings.opponent, findings.release_hash)
    return named == (adapter.adapter_id, incumbent.adapter_id if incumbent else None, adapter.release.hash)


def kinds_of(edition: Edition) -> Kinds:
    return {code.id: question.answer for question, code in codebook_of(edition).coded_questions()}


def verdict_of(report: PromotionReport) -> PromotionVerdict:
    """By the rule that held then."""
    rule = msgspec.convert(report.rule, type=PromotionRule)
    edition = report.release.edition
    names = {code.id: code.name for _, code in codebook_of(edition).coded_questions()}
    findings = decode_findings(report.content.encode())
    return judge_promotion(findings, rule, kinds_of(edition), names, look_in_words(report.look))
