"""What later apps do when a batch opens or changes, when answers come in and when judgments are derived from them."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from backend.core.hooks import Hook

if TYPE_CHECKING:
    from backend.annotate.batches.models import AssignedItem, Batch
    from backend.core.accounts.models import User
    from backend.core.studies.models import Study

# Called within the transaction of the opening
batch_opened: Hook[[Batch, datetime], None] = Hook()
# What a researcher's page of a batch and an annotator's page of their work show beside it
batch_page_context: Hook[[Batch], dict[str, object]] = Hook()
work_page_context: Hook[[User, Study, datetime], dict[str, object]] = Hook()
# Called after some judgments of a study were derived, and when all that is derived is to be made anew
judgments_derived: Hook[[Study], object] = Hook()
judgments_rebuilt: Hook[[Study], object] = Hook()
# Called for an item whose flag or comment may have changed: whether it is flagged, and what was written
flag_derived: Hook[[AssignedItem, bool, str, datetime], None] = Hook()
# Called when answers came, and when a batch has in Label Studio what it should have
answers_arrived: Hook[[Batch, datetime], object] = Hook()
batch_in_line: Hook[[Batch, datetime], object] = Hook()
