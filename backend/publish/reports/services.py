"""What makes reports, keeps them, and finds out whether they come out the same again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

import msgspec
from django.db import transaction

from analysis.report.content import MANIFEST, Manifest
from analysis.report.registry import section_titles
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.decide.agreement.selectors import rule_of
from backend.decide.releases.selectors import release_numbered
from backend.publish.labelling.models import LabellingRun, LabellingState
from backend.publish.labelling.selectors import run_numbered
from backend.publish.preregistration.selectors import plans_of
from backend.publish.reports.errors import RunNotFinished, UnknownSections, UnknownTopics
from backend.publish.reports.facts import newest_agreement
from backend.publish.reports.files import read_manifest
from backend.publish.reports.making import Asked, Progress, write_files
from backend.publish.reports.models import Report, ReportCheck
from backend.publish.reports.requests import ReportRequest, RuleThen
from backend.publish.reports.selectors import communities_of, next_number
from backend.publish.reports.storage import making_folder, move_into_place

Writing = Callable[[], AbstractContextManager[None]]


def settled_request(study: Study, request: ReportRequest) -> ReportRequest:
    """As it is kept: what could be another one tomorrow is named, and topics are given to all communities or to none.

    Raises what says why it cannot be made.
    """
    run = run_numbered(study, request.run)
    if run.state != LabellingState.FINISHED:
        raise RunNotFinished(run.number)
    edition = run.edition if request.release is None else release_numbered(study, request.release).edition
    if unknown := sorted(set(request.sections) - set(section_titles())):
        raise UnknownSections(unknown, list(section_titles()))
    topics = {name: topic.strip() for name, topic in sorted(request.topics.items()) if topic.strip()}
    if unknown := sorted(set(topics) - set(communities_of(run))):
        raise UnknownTopics(unknown)
    agreement = request.agreement
    if agreement is None:
        newest = newest_agreement(edition)
        agreement = newest.pk if newest else None
    title = request.title.strip() or f"{study.name}: what the labels say"
    return request.model_copy(
        update={"topics": topics, "agreement": agreement, "title": title, **_plan_then(study, run)}
    )


def _plan_then(study: Study, run: LabellingRun) -> dict[str, object]:
    """The plan, and what it is held against, as they are now; nothing where there is none."""
    plan, rule = plans_of(study).first(), rule_of(study)
    if plan is None:
        return {"plan": None, "agreement_rule": None, "epsilons": []}
    return {
        "plan": plan.number,
        "agreement_rule": RuleThen(measure=rule.measure, bound=rule.bound.value, at_least=rule.at_least),
        "epsilons": sorted(set(run.adapter.alternative_tests.values_list("epsilon", flat=True))),
    }


def make_report(
    *,
    study: Study,
    request: ReportRequest,
    actor: User,
    now: datetime,
    say: Progress = lambda note: None,
    writing: Writing = transaction.atomic,
) -> Report:
    """The folder appears whole, or nothing does."""
    settled = settled_request(study, request)
    asked = asked_for(study, settled)
    with making_folder(study) as folder:
        made = folder / "report"
        made.mkdir()
        manifest_hash = write_files(made, asked, say)
        report = Report(
            study=study,
            number=next_number(study),
            title=settled.title,
            labelling_run=asked.run,
            release=asked.release,
            request=settled.model_dump(mode="json"),
            manifest_hash=manifest_hash,
            created_by=actor,
            created_at=now,
        )
        with writing():
            move_into_place(made, report.folder)
            report.save()
            summary = f"Made report {report.number}, “{report.title}”"
            record_event(study=study, actor=actor, summary=summary, now=now)
    return report


def check_report(
    *,
    report: Report,
    actor: User,
    now: datetime,
    say: Progress = lambda note: None,
    writing: Writing = transaction.atomic,
) -> ReportCheck:
    """Makes it again from the same request, compares the bytes, and keeps none of them."""
    asked = asked_for(report.study, ReportRequest.model_validate(report.request))
    with making_folder(report.study) as folder:
        made = folder / "report"
        made.mkdir()
        write_files(made, asked, say)
        differing = _list_differences(read_manifest(report), made)
    with writing():
        return ReportCheck.objects.create(
            report=report, differing=differing, checked_by=actor, checked_at=now
        )


def asked_for(study: Study, request: ReportRequest) -> Asked:
    release = None if request.release is None else release_numbered(study, request.release)
    return Asked(run_numbered(study, request.run), release, request)


def _list_differences(kept: Manifest, made: Path) -> list[str]:
    new = msgspec.json.decode((made / MANIFEST).read_bytes(), type=Manifest)
    inputs = [f"input {name}" for name in _unlike(kept.inputs, new.inputs)]
    return inputs + _unlike(kept.files, new.files)


def _unlike(first: dict[str, str], second: dict[str, str]) -> list[str]:
    """
    >>> _unlike({"a": "1", "b": "2"}, {"a": "1", "b": "3", "c": "4"})
    ['b', 'c']
    """
    return sorted(name for name in {*first, *second} if first.get(name) != second.get(name))
