"""Keeps the file that tells the ML backend's server which adapter is in service."""

from __future__ import annotations

from django.db import transaction

from backend.core.studies.models import Study
from backend.learn.models.models import Adapter, AdapterEvent, adapters_folder
from backend.learn.models.selectors import adapter_in_service
from learning.adapters.in_service import (
    InService,
    ServiceFileUnreadable,
    read_in_service,
    write_in_service,
)


def write_service_file(study: Study) -> None:
    """By what the database says now. Reading and writing are one step under the lock that changes take too: whoever
    writes last writes what is true."""
    with transaction.atomic():
        locked = Study.objects.select_for_update().filter(pk=study.pk).first()
        if locked is not None:
            adapter = adapter_in_service(locked)
            write_in_service(adapters_folder(locked), _entry(adapter) if adapter else None)


def mend_service_files() -> None:
    """At the start of an instance and with each catching up: a kill between a commit and its file left the file
    behind. Where they agree, nothing is written."""
    for study in Study.objects.filter(adapters__isnull=False).distinct():
        adapter = adapter_in_service(study)
        try:
            said = read_in_service(adapters_folder(study))
        except ServiceFileUnreadable:
            said = None
        if said != (_entry(adapter) if adapter else None):
            write_service_file(study)


def _entry(adapter: Adapter) -> InService:
    since = AdapterEvent.objects.filter(adapter=adapter).values_list("at", flat=True).first()
    return InService(
        adapter_id=adapter.adapter_id,
        folder=str(adapter.folder),
        edition_hash=adapter.edition.hash,
        study_slug=adapter.study.slug,
        since=(since or adapter.created_at).isoformat(),
    )
