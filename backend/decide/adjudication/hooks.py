"""What later stages add to the page of an item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.core.hooks import Hook

if TYPE_CHECKING:
    from backend.design.samples.models import Item

# What a model says about an item, as the page's guideline shows it; None where no model is in service
model_opinion: Hook[[Item], object] = Hook()
