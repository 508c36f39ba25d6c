"""Calls about pre-labels: what is suggested where, the conditions, the settings, and pushing."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Router, Schema, Status

from backend.annotate.batches.models import BatchKind
from backend.annotate.batches.selectors import batch_of
from backend.core.accounts.access import user_of
from backend.core.jobs.api import JobOut
from backend.core.jobs.models import Job
from backend.core.studies.access import RESEARCHER, study_of
from backend.learn.models.selectors import adapter_in_service
from backend.learn.prelabels.comparing import compare_or_enqueue
from backend.learn.prelabels.models import PrelabelChoice
from backend.learn.prelabels.scope import left_out_codes
from backend.learn.prelabels.selectors import choice_of
from backend.learn.prelabels.services import change_choice, push_batch
from backend.learn.prelabels.status import BatchStatus, batch_statuses
from backend.learn.prelabels.words import rows_of
from learning.prelabel_experiment.values import Contrast

router = Router(auth=RESEARCHER)


class ChoiceShape(Schema):
    """What a study wants suggested."""

    is_on: bool
    blind_share: float = Field(ge=0, le=1, description="Of the posts of batches opened from now on.")
    kinds: list[BatchKind] = Field(description="main, active, overlap")

    @classmethod
    def of(cls, choice: PrelabelChoice) -> ChoiceShape:
        return cls(is_on=choice.is_on, blind_share=choice.blind_share, kinds=list(choice.kinds))


class PrelabelledBatchOut(Schema):
    """Items are counted in shares: one that two annotators judge counts twice."""

    batch: int
    name: str
    items: int
    with_suggestion: int
    blind: int
    adapters: list[int] = Field(description="Numbers of the adapters whose suggestions somebody could see.")
    why_not: str = Field(description="Why nothing is suggested in it now, if so.")

    @classmethod
    def of(cls, row: BatchStatus) -> PrelabelledBatchOut:
        return cls(
            batch=row.batch.pk,
            name=row.batch.name,
            items=row.places,
            with_suggestion=row.shown,
            blind=row.blind,
            adapters=[adapter.number for adapter in row.adapters],
            why_not=row.suggesting.why_not,
        )


class PrelabelsOut(Schema):
    settings: ChoiceShape
    adapter: int | None = Field(description="Number of the adapter in service.")
    left_out: list[str] = Field(
        description="Codes that it never suggests: they need highlighted words, and it marks none."
    )
    batches: list[PrelabelledBatchOut]


class NumberOut(Schema):
    """Suggested minus blind with a 95% interval, which is missing where there are too few posts."""

    what: str
    blind: float | None
    suggested: float | None
    apart: float | None
    low: float | None
    high: float | None
    p: float | None
    n_blind: int
    n_suggested: int

    @classmethod
    def of(cls, what: str, found: Contrast) -> NumberOut:
        return cls(
            what=what,
            blind=found.blind.value,
            suggested=found.suggested.value,
            apart=found.apart,
            low=found.low,
            high=found.high,
            p=found.p_holm,
            n_blind=found.blind.n,
            n_suggested=found.suggested.n,
        )


class PrelabelComparisonOut(Schema):
    is_comparing: bool = Field(description="So much is new that a job compares again; this is from before.")
    verdict: str
    conclusions: list[str]
    measures: list[NumberOut]
    prevalence: list[NumberOut] = Field(description="By theme; p is corrected for looking at all.")


@router.get("", response=PrelabelsOut)
def read_prelabels(request: HttpRequest) -> PrelabelsOut:
    study = study_of(request)
    adapter = adapter_in_service(study)
    return PrelabelsOut(
        settings=ChoiceShape.of(choice_of(study)),
        adapter=adapter.number if adapter else None,
        left_out=[code.id for code in left_out_codes(adapter)] if adapter else [],
        batches=[PrelabelledBatchOut.of(row) for row in batch_statuses(study)],
    )


@router.get("comparison", response=PrelabelComparisonOut | None)
def compare(request: HttpRequest) -> PrelabelComparisonOut | None:
    """Null while no batch has conditions, or while a job compares them for the first time."""
    comparison, is_comparing = compare_or_enqueue(study_of(request), now=timezone.now())
    if comparison is None:
        return None
    return PrelabelComparisonOut(
        is_comparing=is_comparing,
        verdict=comparison.verdict.value,
        conclusions=comparison.conclusions,
        measures=[NumberOut.of(row.name, row.contrast) for row in rows_of(comparison)],
        prevalence=[NumberOut.of(code.code_id, code.prevalence) for code in comparison.report.codes],
    )


@router.put("settings", response=ChoiceShape)
def set_settings(request: HttpRequest, choice: ChoiceShape) -> ChoiceShape:
    """Conditions that were drawn stay as they are."""
    changed = change_choice(
        study=study_of(request),
        choice=PrelabelChoice(choice.is_on, choice.blind_share, tuple(choice.kinds)),
        actor=user_of(request),
        now=timezone.now(),
    )
    return ChoiceShape.of(changed)


@router.post("batches/{int:batch_id}/push", response={202: JobOut})
def push(request: HttpRequest, batch_id: int) -> Status[Job]:
    """Brings the suggestions of a batch up to date; Attune does so by itself whenever something changes."""
    job = push_batch(batch=batch_of(study_of(request), batch_id), actor=user_of(request), now=timezone.now())
    return Status(202, job)
