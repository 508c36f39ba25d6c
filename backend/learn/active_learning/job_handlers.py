"""The long work of active learning, run by a worker, which leaves the computing to the ML backend."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from django.urls import reverse
from django.utils import timezone

from backend.core.accounts.models import User
from backend.core.jobs.context import JobContext
from backend.core.jobs.errors import JobPostponed
from backend.core.jobs.handlers import job_handler
from backend.core.jobs.values import Json, JsonObject
from backend.core.ml_tasks.folders import task_folder
from backend.core.ml_tasks.working import work_on
from backend.core.studies.models import Study
from backend.design.samples.models import Item
from backend.learn.active_learning.errors import LookTaken, ReadingUnsound
from backend.learn.active_learning.labels import meter_inputs
from backend.learn.active_learning.models import SavingsReading
from backend.learn.active_learning.pool import adapters_asked, pool_items, unpredicted_items
from backend.learn.active_learning.queue import PREDICT_POOL, READ_METER, PredictPoolJob, ReadMeterJob
from backend.learn.active_learning.selectors import next_meter_look
from backend.learn.active_learning.services import keep_embeddings, keep_reading
from backend.learn.models.models import Adapter
from backend.learn.prelabels.predicting import ask_adapter, keep_predictions
from corpus.atomic_files import replace_file
from learning.learning_curves.meter import ReadingUnreadable, decode_reading
from learning.tasks.contract import SavingsRequest


@job_handler(PREDICT_POOL)
def predict_pool(context: JobContext, arguments: JsonObject) -> Json:
    """Adapter by adapter; what one has said is kept before the next is asked."""
    job = PredictPoolJob.model_validate(arguments)
    study = Study.objects.get(jobs=context.job_id)
    n = 0
    for adapter in adapters_asked(study, job.strategy):
        items = unpredicted_items(
            adapter, pool_items(study, job.samples), embeddings=job.strategy.needs_embeddings
        )
        n += _predict(context, adapter, tuple(items), embeddings=job.strategy.needs_embeddings)
    url = reverse("active_learning:overview", args=[study.slug])
    return {"summary": f"{n:,} items of the pool were predicted.", "url": url, "predicted": n}


def _predict(context: JobContext, adapter: Adapter, items: Sequence[Item], *, embeddings: bool) -> int:
    if not items:
        return 0
    step = f"adapter-{adapter.number}"
    predicted = ask_adapter(context, adapter, items, step=step, embeddings=embeddings)
    with context.fenced_transaction():
        keep_predictions(adapter=adapter, items=items, found=predicted.found, now=timezone.now())
        if predicted.embeddings is not None:
            keep_embeddings(adapter=adapter, items=items, embeddings=predicted.embeddings)
    return len(items)


@job_handler(READ_METER)
def read_savings_meter(context: JobContext, arguments: JsonObject) -> Json:
    """On the labels as they are when it runs; the same labels and questions are measured once."""
    job = ReadMeterJob.model_validate(arguments)
    study = Study.objects.get(jobs=context.job_id)
    inputs = meter_inputs(study, timezone.now())
    inputs_hash = inputs.hash_with(job.model_dump_json(exclude={"actor"}))
    known = study.savings_readings.filter(inputs_hash=inputs_hash).first()
    if known is not None:
        return _outcome(known, "Nothing has changed since the meter was read.")
    folder = task_folder(study, context.job_id)
    folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    labels = folder.path / f"labels-{inputs_hash[:16]}.json"
    replace_file(labels, inputs.content)
    look = next_meter_look(study, inputs.n_labelled)
    request = SavingsRequest(
        labels=str(labels),
        n_trials=job.n_trials,
        seed=job.seed,
        n_next=job.n_next,
        worthwhile=job.worthwhile,
        look=look.number,
    )
    result = work_on(context, folder, request)
    content = _content(folder.path / result.reading)
    try:
        with context.fenced_transaction():
            reading = keep_reading(
                study=study,
                inputs_hash=inputs_hash,
                content=content,
                look=look,
                actor=User.objects.filter(pk=job.actor).first() if job.actor else None,
                now=timezone.now(),
            )
    except LookTaken as taken:
        raise JobPostponed(str(taken)) from taken
    labels.unlink(missing_ok=True)
    return _outcome(reading, "The savings meter is read.")


def _content(path: Path) -> str:
    try:
        content = path.read_text()
        decode_reading(content)
    except (OSError, ReadingUnreadable, msgspec.DecodeError) as error:
        path.unlink(missing_ok=True)
        raise ReadingUnsound from error
    return content


def _outcome(reading: SavingsReading, summary: str) -> Json:
    url = reverse("active_learning:overview", args=[reading.study.slug])
    return {"summary": summary, "url": url, "reading": reading.pk}
