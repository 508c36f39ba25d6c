"""Calls about adjudication: the queue, an item's answers, decisions with undo and history, and how a study does it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.utils import timezone
from ninja import Router, Status

from annotation.answers import Answers
from annotation.compare_answers import disputed_codes
from backend.annotate.batches.blindness import hidden_items
from backend.annotate.discussions.selectors import flagged_by
from backend.core.accounts.access import user_of
from backend.core.accounts.models import User
from backend.core.studies.access import RESEARCHER, study_of
from backend.core.web.addresses import page
from backend.decide.adjudication import services
from backend.decide.adjudication.api_shapes import (
    AdjudicationItemOut,
    AnswersShape,
    DecisionIn,
    DecisionOut,
    DismissIn,
    FoundOut,
    PlanShape,
    QueuedOut,
    QueueOut,
    SavedOut,
    SideOut,
    SuspicionOut,
)
from backend.decide.adjudication.candidate_answers import CandidateAnswers
from backend.decide.adjudication.errors import NoSuchSide, OneWay
from backend.decide.adjudication.history import decision_seen_by, decisions_seen_by, history
from backend.decide.adjudication.models import AdjudicationPlan, Suspicion, Way
from backend.decide.adjudication.plan_services import change_plan, dismiss_suspicion
from backend.decide.adjudication.queue import Choice, Reason, queue_for
from backend.decide.adjudication.seen import Seen
from backend.decide.adjudication.selectors import open_suspicions, plan_of, unanswered_suspicions
from backend.decide.adjudication.services import Draft
from backend.decide.adjudication.suspicion_rows import enqueue_find_suspects
from backend.decide.adjudication.workspace import Workspace, workspace_for
from backend.design.codebooks.selectors import edition_in_force
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_of

router = Router(auth=RESEARCHER)


@router.get("queue", response=QueueOut)
def read_queue(
    request: HttpRequest,
    reason: Reason | None = None,
    batch: int = 0,
    annotator: int = 0,
    code: str = "",
    limit: int = 200,
    offset: int = 0,
) -> QueueOut:
    """What waits for you, the items with the most open points first."""
    found = queue_for(user_of(request), study_of(request))
    chosen = found.chosen(Choice(batch, annotator, code, reason))
    shown = chosen[page(limit, offset)]
    names = dict(Item.objects.filter(pk__in=[row.item_pk for row in shown]).values_list("pk", "item_id"))
    return QueueOut(
        waiting=len(chosen),
        settled=found.settled,
        with_others=found.with_others,
        with_annotators=found.with_annotators,
        is_counting=found.is_counting,
        items=[QueuedOut.of(entry, names[entry.item_pk]) for entry in shown],
    )


@router.get("items/{item_id}", response=AdjudicationItemOut)
def read_item(request: HttpRequest, item_id: str) -> AdjudicationItemOut:
    """Every annotator's answer in the codes of the newest edition, and what to send with a decision."""
    opened_at = timezone.now()
    return _item_out(_workspace(request, item_id), opened_at)


@router.post("items/{item_id}/decisions", response={201: SavedOut})
def decide(request: HttpRequest, item_id: str, body: DecisionIn) -> Status[SavedOut]:
    """409 if somebody decided meanwhile, with what they decided, or if answers or the edition are not what was read;
    422 with every problem if it is not sound."""
    workspace = _workspace(request, item_id)
    decision = services.decide(
        item=workspace.item,
        draft=draft_from(body, workspace.candidates),
        actor=workspace.user,
        decision_round=body.decision_round,
        expected_number=body.expected_number,
        seen=Seen(body.judgments_hash, body.edition, body.opened_at),
        now=timezone.now(),
    )
    flags = [user.username for user in flagged_by(workspace.item)]
    return Status(201, SavedOut(**_decision_out(request, decision.pk).model_dump(), open_flags=flags))


@router.get("items/{item_id}/decisions", response=list[DecisionOut])
def read_history(request: HttpRequest, item_id: str) -> list[DecisionOut]:
    """Latest first."""
    item = item_of(study_of(request), item_id)
    return [DecisionOut.of(past) for past in history(item, user_of(request))]


@router.post("decisions/{int:decision_id}/undo", response=DecisionOut)
def undo(request: HttpRequest, decision_id: int) -> DecisionOut:
    past = decision_seen_by(user_of(request), study_of(request), decision_id)
    undone = services.undo(decision=past.decision, actor=user_of(request), now=timezone.now())
    return _decision_out(request, undone.pk)


@router.post("decisions/{int:decision_id}/restore", response=DecisionOut)
def restore(request: HttpRequest, decision_id: int, expected_number: int) -> DecisionOut:
    """Decides again what was decided before."""
    past = decision_seen_by(user_of(request), study_of(request), decision_id)
    restored = services.restore(
        decision=past.decision,
        actor=user_of(request),
        expected_number=expected_number,
        now=timezone.now(),
    )
    return _decision_out(request, restored.pk)


@router.get("decisions")
def export_decisions(request: HttpRequest) -> StreamingHttpResponse:
    """JSON Lines, every step a line, spans by offsets: no texts. What you must not know yet is withheld."""
    user, study = user_of(request), study_of(request)

    def lines() -> Iterator[str]:
        for past in decisions_seen_by(user, study):
            yield DecisionOut.of(past).model_dump_json() + "\n"

    return StreamingHttpResponse(lines(), content_type="application/jsonl")


@router.get("settings", response=PlanShape)
def read_settings(request: HttpRequest) -> AdjudicationPlan:
    return plan_of(study_of(request))


@router.put("settings", response=PlanShape)
def write_settings(request: HttpRequest, body: PlanShape) -> AdjudicationPlan:
    return change_plan(
        study=study_of(request), actor=user_of(request), now=timezone.now(), **body.model_dump()
    )


@router.get("suspects", response=list[SuspicionOut])
def read_suspects(request: HttpRequest, limit: int = 200, offset: int = 0) -> list[Suspicion]:
    """Labels that may be wrong, and that nobody has decided or dismissed since."""
    study = study_of(request)
    seen = open_suspicions(study).exclude(item__in=hidden_items(user_of(request), study))
    rows = unanswered_suspicions(seen.select_related("item"), study)
    return rows[page(limit, offset)]


@router.post("suspects", response={202: FoundOut})
def find_suspects(request: HttpRequest) -> Status[FoundOut]:
    """Left to a worker: the job says when it is done."""
    job = enqueue_find_suspects(study=study_of(request), actor=user_of(request), now=timezone.now())
    return Status(202, FoundOut(job=job.pk))


@router.post("suspects/{int:suspicion_id}/dismiss", response={204: None})
def dismiss(request: HttpRequest, suspicion_id: int, body: DismissIn) -> Status[None]:
    found = Suspicion.objects.filter(pk=suspicion_id, item__study=study_of(request)).first()
    if found is None:
        raise Http404("This study has no such suspicion.")
    dismiss_suspicion(suspicion=found, reason=body.reason, actor=user_of(request), now=timezone.now())
    return Status(204, None)


def _workspace(request: HttpRequest, item_id: str) -> Workspace:
    study = study_of(request)
    return workspace_for(item_of(study, item_id), user_of(request), edition_in_force(study))


def _item_out(workspace: Workspace, opened_at: datetime) -> AdjudicationItemOut:
    candidates = workspace.candidates
    codes = [code.id for _, code in candidates.codebook.coded_questions()]
    return AdjudicationItemOut(
        item=workspace.item.item_id,
        edition=workspace.edition.number,
        judgments_hash=candidates.judgments_hash,
        opened_at=opened_at,
        decision_round=workspace.decision_round,
        expected_number=workspace.expected_number,
        sides=[
            SideOut(
                annotator=offer.annotator.username,
                is_skip=offer.is_skip,
                answers=AnswersShape.of(offer.side),
            )
            for offer in candidates.sides
        ],
        majority=AnswersShape.of(candidates.majority.side),
        open_codes=list(candidates.majority.open_codes),
        disputed=list(disputed_codes(candidates.answered, codes)),
    )


def _decision_out(request: HttpRequest, decision_id: int) -> DecisionOut:
    return DecisionOut.of(decision_seen_by(user_of(request), study_of(request), decision_id))


def draft_from(body: DecisionIn, candidates: CandidateAnswers) -> Draft:
    """Makes a draft of what a call asks for: one side, the majority, or an answer of its own."""
    if sum([body.accept is not None, body.majority, body.answers is not None]) != 1:
        raise OneWay
    way, answers, accepted_from = _read_request(body, candidates)
    return Draft(
        answers=answers,
        reason=body.reason,
        way=way,
        accepted_from=accepted_from,
        settles_discussions=body.settles_discussions,
    )


def _read_request(body: DecisionIn, candidates: CandidateAnswers) -> tuple[Way, Answers, User | None]:
    if body.answers is not None:
        return Way.WRITTEN, body.answers.answers(), None
    if body.majority:
        # A tie stays open: what is missing is then refused with its name
        return Way.MAJORITY, candidates.as_answers(candidates.majority.side), None
    for offer in candidates.sides:
        if offer.annotator.username == body.accept and not offer.is_skip:
            return Way.ACCEPTED, candidates.as_answers(offer.side), offer.annotator
    raise NoSuchSide(body.accept or "")
