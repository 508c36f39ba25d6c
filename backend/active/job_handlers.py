"""The long work of active learning, run by a worker, which leaves the computing to the ML backend."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from django.urls import reverse
from django.utils import timezone

from annotation.learning_curves.meter import ReadingUnreadable, decode_reading
from annotation.orders.orders import PredictOrder, SavingsOrder
from annotation.orders.texts import write_texts
from annotation.predictions.files import read_predictions
from backend.accounts.models import User
from backend.active.errors import ReadingUnsound
from backend.active.labels import meter_inputs
from backend.active.models import SavingsReading
from backend.active.pool import adapters_asked, pool_items, unpredicted
from backend.active.queue import PREDICT_POOL, READ_METER, PredictPoolJob, ReadMeterJob
from backend.active.services import keep_predictions, keep_reading
from backend.adapters.models import Adapter
from backend.codebooks.selectors import codebook_of
from backend.jobs.context import JobContext
from backend.jobs.handlers import job_handler
from backend.jobs.values import Json, JsonObject
from backend.orders.folders import order_folder
from backend.orders.working import work_on
from backend.samples.models import Item
from backend.samples.selectors import item_text
from backend.studies.models import Study
from corpus.whole_files import replace_file


@job_handler(PREDICT_POOL)
def predict_pool(context: JobContext, arguments: JsonObject) -> Json:
    """Adapter by adapter; what one has said is kept before the next is asked."""
    job = PredictPoolJob.model_validate(arguments)
    study = Study.objects.get(jobs=context.job_id)
    n = 0
    for adapter in adapters_asked(study, job.strategy):
        items = unpredicted(adapter, pool_items(study, job.samples), embeddings=job.strategy.needs_embeddings)
        n += _predict(context, adapter, tuple(items), embeddings=job.strategy.needs_embeddings)
    url = reverse("active:overview", args=[study.slug])
    return {"summary": f"{n:,} items of the pool were predicted.", "url": url, "predicted": n}


def _predict(context: JobContext, adapter: Adapter, items: Sequence[Item], *, embeddings: bool) -> int:
    if not items:
        return 0
    folder = order_folder(adapter.study, context.job_id, f"adapter-{adapter.number}")
    folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Named by what is in it: a pool that has changed since the last attempt is another order.
    name = hashlib.sha256("\n".join(item.item_id for item in items).encode()).hexdigest()[:16]
    texts = folder.path / f"texts-{name}.jsonl"
    write_texts(texts, (item_text(item) for item in items))
    order = PredictOrder(adapter_folder=str(adapter.folder), texts=str(texts), embeddings=embeddings)
    answer = work_on(context, folder, order)
    said = read_predictions(folder.path / answer.predictions, codebook_of(adapter.edition))
    vectors = _vectors(folder.path / answer.embeddings) if answer.embeddings else None
    with context.fenced_transaction():
        keep_predictions(
            adapter=adapter,
            items=items,
            predictions={prediction.item_id: prediction for prediction in said},
            embeddings=vectors,
        )
    texts.unlink(missing_ok=True)
    return len(items)


def _vectors(path: Path) -> list[bytes]:
    return [row.astype(np.float32).tobytes() for row in np.load(path, allow_pickle=False)]


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
    folder = order_folder(study, context.job_id)
    folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    labels = folder.path / f"labels-{inputs_hash[:16]}.json"
    replace_file(labels, inputs.content)
    order = SavingsOrder(
        labels=str(labels),
        n_trials=job.n_trials,
        seed=job.seed,
        n_next=job.n_next,
        worthwhile=job.worthwhile,
    )
    answer = work_on(context, folder, order)
    content = _content(folder.path / answer.reading)
    with context.fenced_transaction():
        reading = keep_reading(
            study=study,
            inputs_hash=inputs_hash,
            content=content,
            actor=User.objects.filter(pk=job.actor).first() if job.actor else None,
            now=timezone.now(),
        )
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
    url = reverse("active:overview", args=[reading.study.slug])
    return {"summary": summary, "url": url, "reading": reading.pk}
