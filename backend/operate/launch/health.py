"""Asks a process over HTTP whether it is ready for work."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from pathlib import Path

from backend.operate.launch.errors import OwnerTokenRefused

PATIENCE_SECONDS = 5
NO_ANSWER = 0


def answers(url: str) -> bool:
    return _status(url) == 200


def label_studio_answers(base_url: str, token: str, secrets_file: Path) -> bool:
    """Up is not enough: Attune works through the owner's token, so that has to be accepted too."""
    if not answers(f"{base_url}/health"):
        return False
    status = _status(f"{base_url}/api/current-user/whoami", {"Authorization": f"Token {token}"})
    if status in (401, 403):
        raise OwnerTokenRefused(secrets_file)
    return status == 200


def _status(url: str, headers: dict[str, str] | None = None) -> int:
    # Without this a proxy named in the environment would be asked for our own loopback address.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(
            urllib.request.Request(url, headers=headers or {}), timeout=PATIENCE_SECONDS
        ) as reply:
            return int(reply.status)
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code
    except (OSError, http.client.HTTPException):
        return NO_ANSWER
