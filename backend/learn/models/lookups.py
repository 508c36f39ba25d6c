"""Who keeps predictions and can be asked for them; other apps register, so that this one need not know them."""

from __future__ import annotations

from collections.abc import Callable

from backend.design.samples.models import Item
from backend.learn.models.models import Adapter
from learning.predictions.rows import ItemPrediction

Lookup = Callable[[Adapter, Item], "ItemPrediction | None"]
lookups: list[Lookup] = []


def on_looking_up(lookup: Lookup) -> Lookup:
    """Each is asked before the predictions on the measured parts are."""
    if lookup not in lookups:
        lookups.append(lookup)
    return lookup
