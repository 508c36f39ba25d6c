"""Asks the ML backend's server what the model in service says; texts go there and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from django.conf import settings

from backend.core.studies.models import Study
from backend.publish.feedback.errors import (
    AnswerUnreadable,
    NoPassword,
    ServerAway,
    ServerRefused,
    ServerSlow,
)
from learning.suggestions.asking import TextAsked, TextJudged

if TYPE_CHECKING:
    import httpx

CONNECT_SECONDS = 2.0


class _Refusal(msgspec.Struct):
    error: str


def ask_model(study: Study, asked: TextAsked) -> TextJudged:
    """Raises a FeedbackError. Causes are cut off, because they carry what was sent."""
    import httpx  # takes long to load, and the web process starts without it

    if not settings.ML_SERVER_PASSWORD:
        raise NoPassword
    patience = settings.ML_SERVER_PATIENCE.total_seconds()
    try:
        reply = httpx.post(
            f"{settings.ML_SERVER_URL}/studies/{study.slug}/judge",
            content=msgspec.json.encode(msgspec.structs.replace(asked, patience=patience)),
            headers={"Content-Type": "application/json"},
            auth=(settings.ML_SERVER_USER, settings.ML_SERVER_PASSWORD),
            timeout=httpx.Timeout(patience, connect=min(CONNECT_SECONDS, patience)),
            # Proxies named in the environment are not for a server of our own.
            trust_env=False,
        )
    except (httpx.ReadTimeout, httpx.WriteTimeout):
        raise ServerSlow(patience) from None
    except httpx.HTTPError:
        raise ServerAway from None
    if reply.status_code != httpx.codes.OK:
        raise ServerRefused(_reason(reply))
    try:
        return msgspec.json.decode(reply.content, type=TextJudged)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise AnswerUnreadable from None


def _reason(reply: httpx.Response) -> str:
    try:
        return msgspec.json.decode(reply.content, type=_Refusal).error
    except (msgspec.DecodeError, UnicodeDecodeError):
        return f"status {reply.status_code}"
