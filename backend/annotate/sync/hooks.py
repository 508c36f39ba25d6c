"""What follows when a batch changed in Label Studio."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from backend.core.hooks import Hook

if TYPE_CHECKING:
    from backend.annotate.batches.models import Batch

# Called when answers came, and when a batch has in Label Studio what it should have
answers_arrived: Hook[[Batch, datetime], object] = Hook()
batch_in_line: Hook[[Batch, datetime], object] = Hook()
