"""What later apps do when a batch opens, and what they show on its pages."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from backend.core.hooks import Hook

if TYPE_CHECKING:
    from backend.annotate.batches.models import Batch
    from backend.core.accounts.models import User
    from backend.core.studies.models import Study

# Called within the transaction of the opening
batch_opened: Hook[[Batch, datetime], None] = Hook()
# What a researcher's page of a batch and an annotator's page of their work show beside it
batch_page_context: Hook[[Batch], dict[str, object]] = Hook()
work_page_context: Hook[[User, Study, datetime], dict[str, object]] = Hook()
