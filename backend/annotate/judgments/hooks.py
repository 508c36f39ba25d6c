"""What later apps derive from judgments in their turn."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from backend.core.hooks import Hook

if TYPE_CHECKING:
    from backend.annotate.batches.models import AssignedItem
    from backend.core.studies.models import Study

# Called after some judgments of a study were derived, and when all that is derived is to be made anew
judgments_derived: Hook[[Study], object] = Hook()
judgments_rebuilt: Hook[[Study], object] = Hook()
# Called for an item whose flag or comment may have changed: whether it is flagged, and what was written
flag_derived: Hook[[AssignedItem, bool, str, datetime], None] = Hook()
