"""Secrets of an embedded instance: made once, kept in one private file, never committed."""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class InstanceSecrets:
    """What an instance must keep to itself; the names are those of the file."""

    secret_key: str
    pseudonym_key: str
    label_studio_password: str
    label_studio_token: str
    demo_password: str


class SecretsFileError(Exception):
    """The secrets file cannot be used as it is."""


def load_or_create_secrets(path: Path) -> InstanceSecrets:
    """Two processes may start at once: the first to link its file wins, and both read that one."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as stream:
            json.dump(asdict(_fresh_secrets()), stream, indent=1)
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return _read_secrets(path)


def _read_secrets(path: Path) -> InstanceSecrets:
    if path.stat().st_mode & 0o077:
        raise SecretsFileError(f"{path} can be read by other users: run chmod 600 {path}.")
    try:
        return InstanceSecrets(**json.loads(path.read_text()))
    except (ValueError, TypeError) as problem:
        raise SecretsFileError(f"{path} is damaged ({problem}): restore it from a backup.") from problem


def _fresh_secrets() -> InstanceSecrets:
    return InstanceSecrets(
        secret_key=secrets.token_urlsafe(50),
        pseudonym_key=secrets.token_hex(32),
        label_studio_password=secrets.token_urlsafe(24),
        label_studio_token=secrets.token_hex(20),
        demo_password="-".join(secrets.token_hex(2) for _ in range(3)),
    )
