"""Loads the demo study, once."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from backend.operate.demo.story.loading import load_story
from backend.operate.demo.study import load_demo_study
from backend.secrets_file import load_or_create_secrets


class Command(BaseCommand):
    help = "Load the demo study that ATTUNE_DEMO names, with its people. Running it twice changes nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError("The demo's people share a password: it is not for production.")
        if settings.DEMO == "none":
            return
        secrets = load_or_create_secrets(settings.SECRETS_FILE)
        load = load_story if settings.DEMO == "story" else load_demo_study
        study = load(
            password=secrets.demo_password, clock=timezone.now, say=lambda line: self.stdout.write(line)
        )
        self.stdout.write(f"The demo study is ready: {study.name}")
