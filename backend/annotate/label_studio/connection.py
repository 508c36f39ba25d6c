"""One line to Label Studio: connections kept open, no repeats, and every failure turned into a named error."""

from __future__ import annotations

import re
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from http.cookiejar import DefaultCookiePolicy
from typing import TypeVar

import httpx
import label_studio_sdk
import msgspec
from label_studio_sdk.core.api_error import ApiError

from backend.annotate.label_studio.errors import (
    LabelStudioError,
    LabelStudioRefused,
    LabelStudioUnreachable,
    LabelStudioUnreadable,
    ProjectGone,
)

TIMEOUT = httpx.Timeout(60.0, connect=3.0)
IMPORT_TIMEOUT = httpx.Timeout(300.0, connect=3.0)
_BUSY = frozenset({408, 429})

Answer = TypeVar("Answer")


class Connection:
    """Safe to share between threads, not between processes."""

    def __init__(self, base_url: str, token: str) -> None:
        self._base_url = base_url
        self._token = token
        # Proxies named in the environment are not for a server of our own.
        self._http = httpx.Client(
            base_url=base_url, headers={"Authorization": f"Token {token}"}, timeout=TIMEOUT, trust_env=False
        )
        # Each answer brings a session of the owner's; the token is enough.
        self._http.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        self.close = weakref.finalize(self, self._http.close)

    @cached_property
    def sdk(self) -> label_studio_sdk.LabelStudio:
        """Made when first needed: importing it takes two seconds and 80 MB, and polling does without.

        It never repeats a request by itself: repeating one that was done makes projects and webhooks double.
        """
        return label_studio_sdk.LabelStudio(  # type: ignore[no-untyped-call]
            base_url=self._base_url, api_key=self._token, httpx_client=self._http, max_retries=0
        )

    def ask(
        self,
        method: str,
        path: str,
        *,
        doing: str,
        answer: type[Answer],
        project_id: int | None = None,
        params: Mapping[str, str | int] | None = None,
        body: object = None,
    ) -> Answer:
        content = None if body is None else msgspec.json.encode(body)
        reply = self.send(method, path, doing=doing, project_id=project_id, params=params, content=content)
        with readable(doing):
            return msgspec.json.decode(reply, type=answer)

    def send(
        self,
        method: str,
        path: str,
        *,
        doing: str,
        project_id: int | None = None,
        params: Mapping[str, str | int] | None = None,
        content: bytes | None = None,
        timeout: httpx.Timeout = TIMEOUT,
    ) -> bytes:
        headers = {} if content is None else {"Content-Type": "application/json"}
        with self.named_errors(doing, project_id):
            reply = self._http.request(
                method, path, params=params, content=content, headers=headers, timeout=timeout
            )
        if reply.status_code >= 300:
            raise _failure(reply.status_code, _as_json(reply), doing, project_id)
        return reply.content

    @contextmanager
    def named_errors(self, doing: str, project_id: int | None = None) -> Iterator[None]:
        """Around calls of the SDK too; the causes are cut off, because they carry bodies and headers."""
        try:
            yield
        except httpx.HTTPError as problem:
            raise LabelStudioUnreachable(doing, type(problem).__name__) from None
        except ApiError as problem:
            raise _failure(problem.status_code or 0, problem.body, doing, project_id) from None


@contextmanager
def readable(doing: str) -> Iterator[None]:
    try:
        yield
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise LabelStudioUnreadable(doing) from None


def _failure(status: int, body: object, doing: str, project_id: int | None) -> LabelStudioError:
    if status >= 500 or status in _BUSY:
        return LabelStudioUnreachable(doing, f"status {status}", status=status)
    # A path that it does not know is answered with a page; a project that it does not know, with JSON.
    if status == 404 and project_id is not None and isinstance(body, dict):
        return ProjectGone(project_id, doing)
    return LabelStudioRefused(doing, status, _named_fields(body))


def _as_json(reply: httpx.Response) -> object:
    try:
        return msgspec.json.decode(reply.content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _named_fields(body: object) -> tuple[str, ...]:
    """The names of the fields it complains about, and not the complaints: those quote what was sent."""
    complaints = body.get("validation_errors") if isinstance(body, dict) else None
    names = complaints if isinstance(complaints, dict) else ()
    return tuple(sorted(name for name in names if re.fullmatch(r"[a-z_]{1,40}", str(name))))
