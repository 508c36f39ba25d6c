"""Makes a backup from the terminal, or from a timer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backend.core.web.formats import filesize
from backend.operate.backups.errors import BackupError
from backend.operate.backups.making import Wishes, back_up
from backend.operate.backups.places import prune
from backend.operate.backups.sources import KEPT

WITHOUT_SECRETS = (
    "The secrets are not in it. Keep secrets.json (in production: .env) elsewhere: without the pseudonym key, people "
    "in new imports cannot get the pseudonyms that they have."
)


class Command(BaseCommand):
    help = (
        "Back up the databases and the folders of this instance into a new folder in TARGET, while it runs. "
        f"Folders: {', '.join(KEPT)}."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("target", type=Path, help="The folder that holds the backups; made if need be.")
        parser.add_argument("--keep", type=int, metavar="N", help="Afterwards remove all but the newest N.")
        parser.add_argument(
            "--with-secrets",
            action="store_true",
            help="Take the keys and passwords along: whoever has the backup can then undo pseudonyms.",
        )
        parser.add_argument(
            "--without-label-studio", action="store_true", help="Leave Label Studio's own database out."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        keep: int | None = options["keep"]
        if keep is not None and keep < 1:
            raise CommandError("--keep takes a number from 1: the backup that is made now is one of them.")
        wishes = Wishes(options["with_secrets"], not options["without_label_studio"])
        try:
            made = back_up(
                target=options["target"], wishes=wishes, now=timezone.now(), report=self.stdout.write
            )
        except BackupError as problem:
            raise CommandError(f"No backup was made. {problem}") from problem
        size = filesize(made.manifest.size)
        self.stdout.write(f"{made.folder} holds {len(made.manifest.files):,} files, {size}, all checked.")
        if not wishes.with_secrets:
            self.stdout.write(WITHOUT_SECRETS)
        for damage in made.manifest.damaged:
            self.stderr.write(f"Damaged already before it was backed up: {damage}")
        for gone in prune(options["target"], keep=keep) if keep else []:
            self.stdout.write(f"Removed {gone.name}.")
