"""The sign that a restore has begun and not ended: nothing else may start on such an instance."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from corpus.atomic_files import replace_file, sync_directory


class UnfinishedRestore(Exception):
    def __init__(self, sign: Path) -> None:
        super().__init__(
            f"A backup was being restored here and that did not come to its end ({sign}). Restore it again: "
            "manage.py restore BACKUP"
        )


def sign() -> Path:
    return Path(settings.DATA_DIR) / "restoring"


def is_half_restored() -> bool:
    return sign().exists()


def refuse_half_restored() -> None:
    if is_half_restored():
        raise UnfinishedRestore(sign())


def leave_sign(backup: Path) -> None:
    replace_file(sign(), f"{backup}\n".encode())


def remove_sign() -> None:
    sign().unlink(missing_ok=True)
    sync_directory(sign().parent)
