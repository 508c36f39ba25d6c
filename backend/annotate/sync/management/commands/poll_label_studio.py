"""Reads once what annotators did, as the schedule does every quarter of a minute."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from backend.annotate.label_studio.client import connect
from backend.annotate.sync.polling import poll_all


class Command(BaseCommand):
    help = "Read what annotators did since the last look, once."

    def handle(self, *args: Any, **options: Any) -> None:
        pulled = poll_all(connect(), clock=timezone.now)
        changed = pulled.changes.answers + pulled.changes.doubts
        self.stdout.write(f"{pulled.versions} changes read, {changed} answers derived anew.")
