"""Calls about adapters: train, examine, put in service, and set side by side."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Router, Status

from annotation.release.rows import SplitPart
from backend.core.accounts.access import user_of
from backend.core.jobs.api import JobOut
from backend.core.jobs.models import Job
from backend.core.studies.access import RESEARCHER, study_of
from backend.decide.releases.selectors import release_numbered
from backend.learn.models import services
from backend.learn.models.api_shapes import (
    AdapterOut,
    CompareIn,
    ComparisonOut,
    ContextProbeOut,
    GridOut,
    GridRowOut,
    PromoteIn,
    PromotionReportOut,
    PromotionRuleShape,
    PromotionTestSetOut,
    WholeAdapterOut,
)
from backend.learn.models.boards import CONTENT_TYPES, board_of, export_board
from backend.learn.models.comparing import comparison_of
from backend.learn.models.grids import enqueue_grid, grid_numbered, grid_rows
from backend.learn.models.ledger import ledger_states
from backend.learn.models.models import TrainingGrid
from backend.learn.models.queue import enqueue_comparison, enqueue_gate, enqueue_probe, enqueue_training
from backend.learn.models.requests import ContextProbeRequest, GridRequest, TrainRequest
from backend.learn.models.selectors import (
    adapter_numbered,
    adapters_of,
    promotion_rule_of,
    reports_of,
)
from backend.learn.models.today import telling_report

router = Router(auth=RESEARCHER)


@router.get("", response=list[AdapterOut])
def list_adapters(request: HttpRequest) -> list[AdapterOut]:
    """Newest first."""
    return [AdapterOut.of(adapter) for adapter in adapters_of(study_of(request))]


@router.post("train", response={202: JobOut})
def train(request: HttpRequest, body: TrainRequest) -> Status[Job]:
    """Starts a job; its result names the adapter."""
    study = study_of(request)
    release = release_numbered(study, body.release)
    job = enqueue_training(
        study=study, release=release, request=body, actor=user_of(request), now=timezone.now()
    )
    return Status(202, job)


@router.post("grids", response={202: GridOut})
def train_grid(request: HttpRequest, body: GridRequest) -> Status[GridOut]:
    """One training for each pair of learning rate and seed."""
    study = study_of(request)
    release = release_numbered(study, body.release)
    grid = enqueue_grid(study=study, release=release, asked=body, actor=user_of(request), now=timezone.now())
    return Status(202, _grid(grid))


@router.get("grids/{int:number}", response=GridOut)
def read_grid(request: HttpRequest, number: int) -> GridOut:
    """The best is told by the validation part."""
    return _grid(grid_numbered(study_of(request), number))


def _grid(grid: TrainingGrid) -> GridOut:
    return GridOut(
        number=grid.number,
        learner=grid.learner,
        release=grid.release.number,
        trainings=[GridRowOut.of(row) for row in grid_rows(grid)],
    )


@router.get("rule", response=PromotionRuleShape)
def read_promotion_rule(request: HttpRequest) -> PromotionRuleShape:
    return PromotionRuleShape.of(promotion_rule_of(study_of(request)))


@router.put("rule", response=PromotionRuleShape)
def set_promotion_rule(request: HttpRequest, rule: PromotionRuleShape) -> PromotionRuleShape:
    """Reports stay as they are and let nothing into service any more; the next one follows the new rule."""
    changed = services.change_promotion_rule(
        study=study_of(request), rule=rule.rule(), actor=user_of(request), now=timezone.now()
    )
    return PromotionRuleShape.of(changed)


@router.get("test-sets", response=list[PromotionTestSetOut])
def list_test_sets(request: HttpRequest) -> list[PromotionTestSetOut]:
    """Every look that promotion took at test items, what it spent, and what is left; newest first."""
    study = study_of(request)
    return [PromotionTestSetOut.of(state) for state in ledger_states(study, promotion_rule_of(study))]


@router.post("roll-back", response=AdapterOut)
def roll_back(request: HttpRequest) -> AdapterOut:
    """What was in service before comes back."""
    found = services.roll_back(study=study_of(request), actor=user_of(request), now=timezone.now())
    return AdapterOut.of(found)


@router.get("leaderboards/{int:number}/{form}")
def read_leaderboard(
    request: HttpRequest, number: int, form: str, part: SplitPart = SplitPart.TEST, every: bool = False
) -> HttpResponse:
    """Of a release, as `csv` or `tex`; with `every`, each adapter stands for itself."""
    board = board_of(release_numbered(study_of(request), number), part, every=every)
    if form not in CONTENT_TYPES or board is None:
        raise Http404("A leaderboard can be had as csv or tex, once an adapter was measured.")
    return HttpResponse(export_board(board, form), content_type=CONTENT_TYPES[form])


@router.post("comparisons", response={202: JobOut})
def compare(request: HttpRequest, body: CompareIn) -> Status[Job]:
    """A paired bootstrap between two adapters of one release; the job's result names the comparison."""
    study = study_of(request)
    first, second = (adapter_numbered(study, number) for number in (body.first, body.second))
    job = enqueue_comparison(
        first=first, second=second, part=body.part, actor=user_of(request), now=timezone.now()
    )
    return Status(202, job)


@router.get("comparisons/{int:comparison_id}", response=ComparisonOut)
def read_comparison(request: HttpRequest, comparison_id: int) -> ComparisonOut:
    return ComparisonOut.of(comparison_of(study_of(request), comparison_id))


@router.get("{int:number}", response=WholeAdapterOut)
def read_adapter(request: HttpRequest, number: int) -> WholeAdapterOut:
    return WholeAdapterOut.whole(adapter_numbered(study_of(request), number))


@router.post("{int:number}/promotion", response={202: JobOut})
def examine(request: HttpRequest, number: int) -> Status[Job]:
    """The job's result names the report and says whether the adapter passed."""
    adapter = adapter_numbered(study_of(request), number)
    return Status(202, enqueue_gate(adapter=adapter, actor=user_of(request), now=timezone.now()))


@router.get("{int:number}/promotion-reports", response=list[PromotionReportOut])
def list_promotion_reports(request: HttpRequest, number: int) -> list[PromotionReportOut]:
    """Newest first."""
    adapter = adapter_numbered(study_of(request), number)
    return [PromotionReportOut.of(report) for report in reports_of(adapter.study).filter(candidate=adapter)]


@router.post("{int:number}/probe", response={202: JobOut})
def probe_context(request: HttpRequest, number: int, body: ContextProbeRequest) -> Status[Job]:
    """Whether the adapter looks at the post, or at the reply alone; the job's result names the probe."""
    adapter = adapter_numbered(study_of(request), number)
    job = enqueue_probe(adapter=adapter, request=body, actor=user_of(request), now=timezone.now())
    return Status(202, job)


@router.get("{int:number}/probes", response=list[ContextProbeOut])
def list_context_probes(request: HttpRequest, number: int) -> list[ContextProbeOut]:
    """Newest first."""
    adapter = adapter_numbered(study_of(request), number)
    return [ContextProbeOut.of(probe) for probe in adapter.context_probes.all()]


@router.post("{int:number}/promote", response=AdapterOut)
def promote(request: HttpRequest, number: int, body: PromoteIn) -> AdapterOut:
    """By its newest promotion report against what is in service, by the rule of today; with a reason, against it."""
    adapter = adapter_numbered(study_of(request), number)
    services.promote(
        adapter=adapter,
        report=telling_report(adapter),
        override_reason=body.reason,
        actor=user_of(request),
        now=timezone.now(),
    )
    return AdapterOut.of(adapter)


@router.post("{int:number}/retire", response=AdapterOut)
def retire(request: HttpRequest, number: int, body: PromoteIn) -> AdapterOut:
    adapter = adapter_numbered(study_of(request), number)
    services.retire(adapter=adapter, reason=body.reason, actor=user_of(request), now=timezone.now())
    return AdapterOut.of(adapter)
