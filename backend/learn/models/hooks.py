"""What later apps of this stage know of adapters, or want to hear of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from backend.core.hooks import Hook

if TYPE_CHECKING:
    from backend.core.studies.models import Study
    from backend.design.samples.models import Item
    from backend.learn.models.models import Adapter
    from learning.predictions.rows import ItemPrediction

# Called with the adapter in service (None if there is none now) within the transaction of the change: what is
# enqueued then is there if and only if the change is. It must do nothing slow
service_changed: Hook[[Study, Adapter | None, datetime], None] = Hook()
# What is kept of an adapter's predictions; asked before the predictions on the measured parts are
kept_predictions: Hook[[Adapter, Item], ItemPrediction | None] = Hook()
# Ids of the study's blind items: annotators judge them without a suggestion
blind_items: Hook[[Study], frozenset[str]] = Hook()
# Those of these items, by their rows, that are blind
blind_among: Hook[[Iterable[int]], frozenset[int]] = Hook()
