"""The WSGI application: six addresses for each study, behind a password; bodies are never logged."""

from __future__ import annotations

import base64
import binascii
import hmac
import logging
import re
import threading
import traceback
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any, TypeVar

import msgspec

from learning.suggestions.asking import TextAsked, TextJudged
from learning.suggestions.encoding import short_id
from ml_backend.server.environment import ServerEnvironment
from ml_backend.server.patience import Patience
from ml_backend.server.predicting import PredictBody, SetupBody, judge, predict, refuse_other_edition
from ml_backend.server.refusals import (
    BadBody,
    Busy,
    NoneInService,
    NoSuchAddress,
    NotAllowed,
    NotLoadable,
    Refused,
    TooLarge,
    WrongMethod,
)
from ml_backend.server.services import Services, StudyService

logger = logging.getLogger(__name__)
MOST_BYTES = 20_000_000
# So many texts at once, of which each holds a thread: one fewer than gunicorn has, so that /health has one.
MOST_JUDGED = 3
HEALTH = "/health"
ADDRESS = re.compile(
    r"/studies/(?P<slug>[a-z0-9_-]+)/(?P<what>health|setup|predict|judge|versions|webhook)/?"
)
METHODS = {
    "health": "GET",
    "setup": "POST",
    "predict": "POST",
    "judge": "POST",
    "versions": "GET",
    "webhook": "POST",
}
StartResponse = Callable[[str, list[tuple[str, str]]], object]
Environ = dict[str, Any]
Body = TypeVar("Body")


class Application:
    def __init__(self, environment: ServerEnvironment, services: Services) -> None:
        self._credentials = f"{environment.user}:{environment.password}".encode()
        self._services = services
        self._judging = threading.BoundedSemaphore(MOST_JUDGED)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        try:
            status, reason, answer = 200, "OK", self._answer(environ)
        except Refused as refusal:
            status, reason, answer = refusal.status, refusal.reason, {"error": refusal.reason}
        except Exception as problem:
            # The message may quote a text.
            trace = "".join(traceback.format_tb(problem.__traceback__))
            logger.error("%s failed:\n%s%s", environ.get("PATH_INFO"), trace, type(problem).__name__)
            status, reason = 500, "It failed: see the server's log"
            answer = {"error": reason}
        content = msgspec.json.encode(answer)
        headers = [("Content-Type", "application/json"), ("Content-Length", str(len(content)))]
        if status == HTTPStatus.UNAUTHORIZED:
            headers.append(("WWW-Authenticate", 'Basic realm="Attune"'))
        start_response(f"{status} {reason}", headers)
        return [content]

    def _answer(self, environ: Environ) -> object:
        path, method = environ.get("PATH_INFO", ""), environ["REQUEST_METHOD"]
        if path == HEALTH and method == "GET":
            # For whoever keeps the server running; of the studies it says nothing.
            return {"status": "UP"}
        self._require_password(environ)
        found = ADDRESS.fullmatch(path)
        service = self._services.of(found["slug"]) if found else None
        if found is None:
            raise NoSuchAddress
        if METHODS[found["what"]] != method:
            raise WrongMethod(METHODS[found["what"]])
        match found["what"]:
            case "health":
                return _health(service)
            case "versions":
                version = _version(service)
                return {"versions": [version] if version else []}
            case "webhook":
                # A training is started in Attune, by its rules, and by nobody else.
                return {}
            case "setup":
                return _set_up(service, _body(environ, SetupBody))
        if service is None:
            raise NoneInService
        if found["what"] == "judge":
            return self._judge(service, _body(environ, TextAsked))
        return predict(_body(environ, PredictBody), service.adapter())

    def _judge(self, service: StudyService, asked: TextAsked) -> TextJudged:
        patience = Patience(asked.patience)
        if not self._judging.acquire(blocking=False):
            raise Busy
        try:
            return judge(asked, service.adapter(), patience)
        finally:
            self._judging.release()

    def _require_password(self, environ: Environ) -> None:
        scheme, _, encoded = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
        try:
            given = base64.b64decode(encoded, validate=True)
        except (binascii.Error, ValueError):
            given = b""
        if scheme.lower() != "basic" or not hmac.compare_digest(given, self._credentials):
            raise NotAllowed


def _health(service: StudyService | None) -> object:
    version = _version(service)
    said = {"status": "UP", "model_class": "Attune", "model_version": version}
    return said if version else {**said, "reason": NoneInService().reason}


def _set_up(service: StudyService | None, body: SetupBody) -> object:
    """By what the files say; no adapter is loaded for it, since Label Studio waits three seconds at most."""
    version = _version(service)
    if service is None or version is None:
        raise NoneInService
    codebook = service.codebook()
    if codebook is None:
        raise NotLoadable("its codebook is not to be read")
    refuse_other_edition(body.schema, codebook)
    return {"model_version": version}


def _version(service: StudyService | None) -> str | None:
    in_service = service.in_service() if service else None
    return short_id(in_service.adapter_id) if in_service else None


def _body(environ: Environ, kind: type[Body]) -> Body:
    try:
        length = int(environ.get("CONTENT_LENGTH") or 0)
    except ValueError:
        raise BadBody("The length of the body is missing") from None
    if length > MOST_BYTES:
        raise TooLarge
    try:
        return msgspec.json.decode(environ["wsgi.input"].read(length), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BadBody("The body is not what this address takes") from None
