"""What can keep a backup from being made or restored; each message says what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from backend.core.web.formats import filesize


class BackupError(Exception):
    """No backup was made, or nothing was restored."""


class NotEnoughSpace(BackupError):
    def __init__(self, folder: Path, needed: int, free: int) -> None:
        super().__init__(
            f"{folder} has {filesize(free)} free, and about {filesize(needed)} are needed. "
            "Make room, or name a folder on a larger disk."
        )


class BadTarget(BackupError):
    def __init__(self, target: Path, inside: Path) -> None:
        super().__init__(f"{target} lies in {inside}, which is itself backed up: choose a folder elsewhere.")


class AnotherIsRunning(BackupError):
    def __init__(self, target: Path) -> None:
        super().__init__(f"Another backup is being made in {target}: wait until it is done.")


class ChangedMeanwhile(BackupError):
    def __init__(self, what: str) -> None:
        super().__init__(f"{what} while the backup was made, so it would not be whole. Make it again.")


class TextsLeftOut(BackupError):
    def __init__(self, corpus: str, problems: Sequence[str]) -> None:
        super().__init__(
            f"The copy of the corpus {corpus} is not whole, though nobody changed it: {'; '.join(problems[:3])}. Make "
            "the backup again; if that does not help, look at the disks."
        )


class SecretsElsewhere(BackupError):
    def __init__(self) -> None:
        super().__init__(
            "This instance is given its secrets by its environment, so there is no file of them to take along. Keep a "
            "copy of .env in a safe place, apart from the backups."
        )


class DatabaseUnreachable(BackupError):
    def __init__(self, database: str, reason: str) -> None:
        super().__init__(
            f"{database} cannot be opened: {reason}. DATABASE_URL and ATTUNE_LABEL_STUDIO_DATABASE_URL say where the "
            "two databases are; --without-label-studio leaves Label Studio's out."
        )


class ProgramMissing(BackupError):
    def __init__(self, name: str) -> None:
        super().__init__(f"{name} was not found: install PostgreSQL's client programs (postgresql-client).")


class ProgramTooOld(BackupError):
    def __init__(self, name: str, version: int, needed: int) -> None:
        super().__init__(
            f"{name} is of version {version} and the other side of version {needed}: it must be at least as new. "
            f"Install postgresql-client-{needed}."
        )


class ServerTooOld(BackupError):
    def __init__(self, version: int, needed: int) -> None:
        super().__init__(
            f"The backup is of PostgreSQL {needed} and this server is of version {version}: "
            f"restore it to a server of version {needed} or newer."
        )


class ProgramFailed(BackupError):
    def __init__(self, name: str, said: str) -> None:
        super().__init__(f"{name} failed: {said or 'it did not say why'}")


class OutcomeUnknown(BackupError):
    def __init__(self, name: str, said: str) -> None:
        super().__init__(
            f"{name} broke off at the very end ({said or 'it did not say why'}), so that nobody knows whether the "
            "database was exchanged: restore the backup again."
        )


class DatabaseDamaged(BackupError):
    def __init__(self, database: str, problem: str) -> None:
        super().__init__(f"{database} is damaged: {problem}. Nothing good can come of a copy of it.")


class NoBackup(BackupError):
    def __init__(self, folder: Path, problem: str) -> None:
        super().__init__(f"{folder} is no backup that can be restored: {problem}.")


class BackupDamaged(BackupError):
    def __init__(self, folder: Path, problems: Sequence[str]) -> None:
        shown = [*problems[:10], *([f"and {len(problems) - 10} more"] if len(problems) > 10 else [])]
        super().__init__(
            "\n".join([f"{folder} is not as it was made, so nothing was restored. Use another copy:", *shown])
        )


class NotEmpty(BackupError):
    def __init__(self, what: str) -> None:
        super().__init__(
            f"This instance is not empty: it has {what}. Restore to a new one, or give --replace to have everything "
            "here replaced by the backup, for good."
        )


class StillInUse(BackupError):
    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} Stop all processes of Attune and Label Studio first, and start them afterwards."
        )


class OtherEngine(BackupError):
    def __init__(self, database: str, made_with: str, here: str) -> None:
        super().__init__(
            f"{database} was backed up from {made_with} and this instance uses {here}: restore it to an instance with "
            f"{made_with}."
        )


class NewerBackup(BackupError):
    def __init__(self, unknown: Sequence[str]) -> None:
        super().__init__(
            f"The backup was made by a newer Attune (this one does not know {', '.join(unknown[:3])}): install that "
            "version first."
        )


class OtherPseudonymKey(BackupError):
    def __init__(self) -> None:
        super().__init__(
            "The pseudonym key of this instance is not the one of the backup: people imported from now on would get "
            "other pseudonyms than those they have. Set ATTUNE_PSEUDONYM_KEY to the old key, or restore the secrets "
            "with --with-secrets if the backup holds them. If the key is lost for good, --accept-other-key goes on "
            "without it."
        )


class NoSecretsInside(BackupError):
    def __init__(self) -> None:
        super().__init__("The backup holds no secrets: it was made without --with-secrets.")
