"""Puts an adapter in service, or the one before it."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backend.core.jobs.terminal import study_named
from backend.core.studies.models import Study
from backend.learn.models.errors import AdapterError
from backend.learn.models.models import Adapter
from backend.learn.models.selectors import adapter_numbered
from backend.learn.models.services import promote, roll_back
from backend.learn.models.today import telling_report


class Command(BaseCommand):
    help = (
        "Put an adapter in service by its newest promotion report, against the promotion rule with --reason, "
        "or go --back one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument("adapter", type=int, nargs="?", help="Number of the adapter.")
        parser.add_argument(
            "--reason", default="", help="Why it enters service against the promotion rule; it is kept."
        )
        parser.add_argument("--back", action="store_true", help="The one that was in service before.")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["study"])
        if options["back"] == (options["adapter"] is not None):
            raise CommandError("Name an adapter, or give --back.")
        try:
            found = _change(study, options)
        except AdapterError as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(f"In service: {found.number}, {found.name}.")


def _change(study: Study, options: dict[str, Any]) -> Adapter:
    if options["back"]:
        return roll_back(study=study, actor=None, now=timezone.now())
    adapter = adapter_numbered(study, options["adapter"])
    return promote(
        adapter=adapter,
        report=telling_report(adapter),
        override_reason=options["reason"],
        actor=None,
        now=timezone.now(),
    )
