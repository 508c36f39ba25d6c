"""Shows what a model is for as soon as the demo has one: it labels the corpus, and a report tells of it."""

from __future__ import annotations

from django.utils import timezone

from backend.core.jobs.context import JobContext
from backend.core.jobs.errors import JobPostponed
from backend.core.studies.models import Study
from backend.learn.models.models import Adapter
from backend.learn.models.selectors import adapter_in_service
from backend.learn.models.services import promote
from backend.learn.retraining.models import RetrainingRun, RunState
from backend.publish.labelling.models import LabellingRun, LabellingState
from backend.publish.labelling.requests import LabelRequest
from backend.publish.labelling.selectors import UNDER_WAY, current_state
from backend.publish.labelling.services import start_run
from backend.publish.reports.queue import enqueue_report
from backend.publish.reports.requests import ReportRequest
from backend.publish.reports.selectors import communities_of

TOPICS = {
    "RaisingThem": "Family",
    "caregivers": "Family",
    "SmallTalkClub": "Company",
    "manners": "Company",
    "NineToFive": "Work",
    "workfloor": "Work",
}
REASON = "This is a demonstration: the round is too small to measure a model by, and people want to see what one does."


def show_model(context: JobContext, study: Study) -> str:
    """Does the next step and says what was done; raises JobPostponed where a step has to be waited for."""
    learned = study.retraining_runs.order_by("number").first()
    if learned is None or learned.state == RunState.RUNNING:
        raise JobPostponed("The demo's first model is still learning.")
    if learned.adapter is None or learned.release is None:
        return "No model came of the demo's round, so that there is nothing to show."
    _put_into_service(context, study, learned, learned.adapter)
    labelled = _label(context, study, learned.adapter)
    standing = current_state(labelled)
    if standing in UNDER_WAY:
        raise JobPostponed("The demo's corpus is being labelled.")
    if standing != LabellingState.FINISHED:
        return "The demo's corpus is not labelled, so that there is nothing to report."
    if study.reports.exists():
        return "There is a report already."
    request = ReportRequest(
        run=labelled.number,
        release=learned.release.number,
        title="What the demo's model says",
        topics={name: TOPICS[name] for name in communities_of(labelled) if name in TOPICS},
        # With the gold of a handful of items intervals would be wider than any plot
        with_corrected=False,
    )
    with context.fenced_transaction():
        enqueue_report(study=study, request=request, actor=study.created_by, now=timezone.now())
    return "The model is in service, the corpus is labelled, and a report is being made."


def _put_into_service(context: JobContext, study: Study, learned: RetrainingRun, adapter: Adapter) -> None:
    """Against the gate if need be, with the reason kept; whatever people put there meanwhile stays."""
    if learned.state == RunState.KEPT_OUT and adapter_in_service(study) is None:
        with context.fenced_transaction():
            promote(
                adapter=adapter,
                report=learned.promotion_report,
                override_reason=REASON,
                actor=study.created_by,
                now=timezone.now(),
            )


def _label(context: JobContext, study: Study, adapter: Adapter) -> LabellingRun:
    found = study.labelling_runs.order_by("number").first()
    if found is not None:
        return found
    request = LabelRequest(corpus=study.corpora.get().slug, adapter=adapter.number)
    with context.fenced_transaction():
        return start_run(study=study, request=request, actor=study.created_by, now=timezone.now())
