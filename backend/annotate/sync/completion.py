"""What follows when a batch changed: agreement once it is complete, suggestions for new items. Whatever goes wrong with
that must not stop the sync."""

from __future__ import annotations

import logging
from datetime import datetime

from backend.annotate.batches.models import Batch
from backend.annotate.hooks import answers_arrived, batch_in_line
from backend.core.hooks import Hook
from backend.core.jobs.failures import describe_trace

logger = logging.getLogger(__name__)


def tell_that_answers_arrived(batch_id: int, now: datetime) -> None:
    _tell(answers_arrived, batch_id, now)


def tell_that_batch_is_in_line(batch_id: int, now: datetime) -> None:
    _tell(batch_in_line, batch_id, now)


def _tell(hook: Hook[[Batch, datetime], object], batch_id: int, now: datetime) -> None:
    batch = Batch.objects.select_related("study", "edition").filter(pk=batch_id).first()
    if batch is None:
        return
    for path, function in zip(hook.paths, hook.functions(), strict=True):
        try:
            function(batch, now)
        except Exception as problem:
            logger.error("%s failed in batch %s:\n%s", path, batch_id, describe_trace(problem))
