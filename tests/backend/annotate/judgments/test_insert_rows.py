"""Rows that are inserted quickly are the same rows, under the same constraints."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from backend.annotate.judgments.derivation import insert_rows
from backend.core.studies.models import Event
from tests.cast import NOW, Cast


def test_rows_arrive_as_models_read_them(cast: Cast) -> None:
    before = Event.objects.count()
    columns = ("study_id", "actor_id", "at", "summary")
    insert_rows(Event, columns, [(cast.study.pk, None, NOW, f"Line {n} “%s”") for n in range(3)])
    insert_rows(Event, columns, [])
    added = Event.objects.order_by("pk")[before:]
    assert [(event.study, event.actor, event.at, event.summary) for event in added] == [
        (cast.study, None, NOW, f"Line {n} “%s”") for n in range(3)
    ]


def test_constraints_hold(cast: Cast) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows(Event, ("study_id", "at", "summary"), [(cast.study.pk, None, "x")])
