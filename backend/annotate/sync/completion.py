"""What follows when a batch changed: agreement once it is complete, suggestions for new items. Whatever goes wrong with
that must not stop the mirror."""

from __future__ import annotations

import logging
from datetime import datetime

from backend.annotate.batches.models import Batch
from backend.core.jobs.failures import describe_trace
from backend.decide.agreement.services import measure_if_complete
from backend.learn.prelabels.services import push_if_wanted

logger = logging.getLogger(__name__)


def look_for_agreement(batch_id: int, now: datetime) -> None:
    batch = Batch.objects.select_related("study", "edition").filter(pk=batch_id).first()
    if batch is None:
        return
    try:
        measure_if_complete(batch=batch, now=now)
    except Exception as problem:
        logger.error("Agreement in batch %s was not asked for:\n%s", batch_id, describe_trace(problem))


def look_for_suggestions(batch_id: int, now: datetime) -> None:
    batch = Batch.objects.select_related("study", "edition").filter(pk=batch_id).first()
    if batch is None:
        return
    try:
        push_if_wanted(batch=batch, now=now)
    except Exception as problem:
        logger.error("Suggestions in batch %s were not asked for:\n%s", batch_id, describe_trace(problem))
