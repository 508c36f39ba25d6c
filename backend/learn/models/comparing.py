"""Has the ML backend compare two adapters on their kept predictions, and keeps what came out."""

from __future__ import annotations

from datetime import datetime

from django.http import Http404

from annotation.release.rows import SplitPart
from backend.core.accounts.models import User
from backend.core.jobs.context import JobContext
from backend.core.ml_tasks.folders import task_folder
from backend.core.ml_tasks.working import work_on
from backend.core.studies.models import Study
from backend.learn.models.errors import NoPredictions
from backend.learn.models.models import Adapter, AdapterComparison
from learning.predictions.files import predictions_file
from learning.scoring.compare import Comparison
from learning.scoring.files import decode_comparison, encode
from learning.tasks.contract import ComparePair, CompareRequest

RESAMPLES, SEED = 2000, 1


def compare_and_keep(
    context: JobContext,
    *,
    first: Adapter,
    second: Adapter,
    part: SplitPart,
    actor: User | None,
    now: datetime,
) -> AdapterComparison:
    """The same comparison is measured once."""
    known = AdapterComparison.objects.filter(
        first=first, second=second, part=part, resamples=RESAMPLES, seed=SEED
    ).first()
    if known is not None:
        return known
    release = first.release
    request = CompareRequest(
        release=str(release.folder),
        release_hash=release.hash,
        part=part,
        pair=ComparePair(_kept_predictions(first, part), _kept_predictions(second, part)),
        resamples=RESAMPLES,
        seed=SEED,
    )
    result = work_on(context, task_folder(first.study, context.job_id), request)
    with context.fenced_transaction():
        found, _ = AdapterComparison.objects.get_or_create(
            first=first,
            second=second,
            part=part,
            resamples=RESAMPLES,
            seed=SEED,
            defaults={
                "study": first.study,
                "content": encode(result.comparison).decode(),
                "created_by": actor,
                "created_at": now,
            },
        )
    return found


def _kept_predictions(adapter: Adapter, part: SplitPart) -> str:
    path = adapter.measured / predictions_file(part)
    if not path.exists():
        raise NoPredictions(adapter.name, part.value)
    return str(path)


def comparison_of(study: Study, pk: int) -> AdapterComparison:
    found = study.adapter_comparisons.select_related("first__release__edition", "second", "study").filter(
        pk=pk
    )
    comparison = found.first()
    if comparison is None:
        raise Http404("This study has no such comparison.")
    return comparison


def read_comparison(comparison: AdapterComparison) -> Comparison:
    return decode_comparison(comparison.content.encode())
