"""Registers the prelabels app, that it wants to know when an adapter enters service, and what it can look up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.apps import AppConfig

if TYPE_CHECKING:
    from datetime import datetime

    from backend.core.studies.models import Study
    from backend.design.samples.models import Item
    from backend.learn.models.models import Adapter
    from learning.predictions.rows import ItemPrediction


class PrelabelsConfig(AppConfig):
    name = "backend.learn.prelabels"
    label = "prelabels"

    def ready(self) -> None:
        from backend.learn.models.entering import on_entering_service
        from backend.learn.models.lookups import on_looking_up

        on_entering_service(follow_service)
        on_looking_up(kept_prediction)


def follow_service(study: Study, adapter: Adapter | None, now: datetime) -> None:
    """Loaded when it is needed, as what follows."""
    from backend.learn.prelabels import services

    services.follow_service(study, adapter, now)


def kept_prediction(adapter: Adapter, item: Item) -> ItemPrediction | None:
    from backend.learn.prelabels import predicting

    return predicting.kept_prediction(adapter, item)
