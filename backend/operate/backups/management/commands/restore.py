"""Restores a backup from the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from backend.operate.backups.errors import BackupError
from backend.operate.backups.restoring import RestoreWishes, check_backup, refuse_here, restore


class Command(BaseCommand):
    help = "Put this instance back to what BACKUP holds. Everything of it must be stopped."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("backup", type=Path, help="A folder that back_up made.")
        parser.add_argument(
            "--replace", action="store_true", help="Replace everything that is in this instance, for good."
        )
        parser.add_argument("--with-secrets", action="store_true", help="Restore keys and passwords too.")
        parser.add_argument(
            "--accept-other-key",
            action="store_true",
            help="Go on although the pseudonym key is another one: pseudonyms of old and new imports will not match.",
        )
        parser.add_argument(
            "--check",
            action="store_true",
            help="Only check every hash, and whether it could be restored here: kind and version of the databases, "
            "pseudonym key, room on the disk. This instance may run meanwhile.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        backup: Path = options["backup"]
        try:
            if options["check"]:
                self._check(backup, _wishes(options))
                return
            restored = restore(backup=backup, wishes=_wishes(options), report=self.stdout.write)
        except BackupError as problem:
            raise CommandError(str(problem)) from problem
        if restored.problems:
            raise CommandError(
                "\n".join(["It was restored, and is not what was backed up:", *restored.problems])
            )
        made_at = restored.manifest.made_at
        self.stdout.write(f"Restored what there was at {made_at}; every row and every hash is the same.")
        if restored.manifest.label_studio is None:
            self.stdout.write(
                "Label Studio's own database was not in the backup: `repair_sync` fills it again."
            )

    def _check(self, backup: Path, wishes: RestoreWishes) -> None:
        manifest = check_backup(backup=backup, report=self.stdout.write)
        self.stdout.write(f"The backup of {manifest.made_at} is intact.")
        refuse_here(manifest, wishes)
        self.stdout.write("It can be restored here, once everything is stopped.")


def _wishes(options: dict[str, Any]) -> RestoreWishes:
    return RestoreWishes(
        replace=options["replace"],
        with_secrets=options["with_secrets"],
        accept_other_key=options["accept_other_key"],
    )
