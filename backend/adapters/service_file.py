"""Keeps the file that tells the ML backend's server which adapter is in service."""

from __future__ import annotations

from annotation.adapters.in_service import (
    InService,
    ServiceFileUnreadable,
    read_in_service,
    write_in_service,
)
from backend.adapters.models import Adapter, AdapterEvent, adapters_folder
from backend.adapters.selectors import adapter_in_service
from backend.studies.models import Study


def write_service_file(study: Study) -> None:
    """By what the database says now: whoever writes last writes what is true."""
    adapter = adapter_in_service(study)
    write_in_service(adapters_folder(study), _entry(adapter) if adapter else None)


def mend_service_files() -> None:
    """For the start of an instance: a kill between a commit and its file left the file behind."""
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
