"""What changes batches; each change leaves a line in the study's history."""

from backend.annotate.batches.services.life import (
    change_due_date,
    close_batch,
    discard_batch,
    forget_batch,
    keep_batch,
    pause_batch,
    rename_batch,
    reopen_batch,
    resume_batch,
)
from backend.annotate.batches.services.opening import open_batch, refuse_opening
from backend.annotate.batches.services.people import reassign_items, restore_annotator, withdraw_annotator

__all__ = [
    "change_due_date",
    "close_batch",
    "discard_batch",
    "forget_batch",
    "keep_batch",
    "open_batch",
    "pause_batch",
    "reassign_items",
    "refuse_opening",
    "rename_batch",
    "reopen_batch",
    "restore_annotator",
    "resume_batch",
    "withdraw_annotator",
]
