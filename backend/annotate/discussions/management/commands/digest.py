"""Prints the digest of a batch in the terminal."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from backend.annotate.batches.models import Batch
from backend.annotate.discussions.digest import digest
from backend.annotate.discussions.digest_exports import digest_csv, digest_markdown


class Command(BaseCommand):
    help = "Print the uncertain examples of a batch with what was said about them. Texts only with --text."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="The study's short name, as in its address.")
        parser.add_argument("batch", help="The batch's name.")
        parser.add_argument("--format", choices=["md", "csv"], default="md")
        parser.add_argument("--text", action="store_true", help="Include posts and replies word for word.")

    def handle(self, *args: Any, **options: Any) -> None:
        batches = Batch.objects.filter(study__slug=options["study"]).select_related("edition", "study")
        batch = batches.filter(name=options["batch"]).first()
        if batch is None:
            names = ", ".join(repr(each.name) for each in batches) or "none"
            raise CommandError(
                f"Study {options['study']!r} has no batch {options['batch']!r}. It has: {names}."
            )
        write = digest_csv if options["format"] == "csv" else digest_markdown
        self.stdout.write(write(digest(batch), with_text=options["text"]), ending="")
