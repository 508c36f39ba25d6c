"""Secrets of an embedded instance: made once, kept in one private file, never committed."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from dataclasses import asdict, dataclass, fields
from pathlib import Path


@dataclass(frozen=True)
class InstanceSecrets:
    """What an instance must keep to itself; the names are those of the file."""

    secret_key: str
    pseudonym_key: str
    label_studio_password: str
    label_studio_token: str
    demo_password: str
    ml_server_password: str


# What files of earlier versions lack and are given
ADDED_LATER = frozenset({"ml_server_password"})


class SecretsFileError(Exception):
    """The secrets file cannot be used as it is."""


def load_or_create_secrets(path: Path) -> InstanceSecrets:
    """Two processes may start at once: the first to link its file wins, and both read that one."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = _draft(path, asdict(_fresh_secrets()))
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return _read_secrets(path)


def _draft(path: Path, content: dict[str, str]) -> Path:
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as stream:
        json.dump(content, stream, indent=1)
    return draft


def _read_secrets(path: Path) -> InstanceSecrets:
    if path.stat().st_mode & 0o077:
        raise SecretsFileError(f"{path} can be read by other users: run chmod 600 {path}.")
    try:
        content = json.loads(path.read_text())
        if _is_older(content):
            content = _complete(path)
        return InstanceSecrets(**content)
    except (ValueError, TypeError) as problem:
        raise SecretsFileError(f"{path} is damaged ({problem}): restore it from a backup.") from problem


def _is_older(content: object) -> bool:
    names = {field.name for field in fields(InstanceSecrets)}
    return isinstance(content, dict) and names - ADDED_LATER <= set(content) < names


def _complete(path: Path) -> dict[str, str]:
    """Of processes that start at once the first completes the file, and the others read what it wrote."""
    with path.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        content: dict[str, str] = json.loads(path.read_text())
        if _is_older(content):
            content = {**asdict(_fresh_secrets()), **content}
            os.replace(_draft(path, content), path)
    return content


def _fresh_secrets() -> InstanceSecrets:
    return InstanceSecrets(
        secret_key=secrets.token_urlsafe(50),
        pseudonym_key=secrets.token_hex(32),
        label_studio_password=secrets.token_urlsafe(24),
        label_studio_token=secrets.token_hex(20),
        demo_password="-".join(secrets.token_hex(2) for _ in range(3)),
        ml_server_password=secrets.token_urlsafe(24),
    )
