"""Calls to the API of one instance, and its refusals as errors with the server's own words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

PREFIX = "/api/v1/"


class AttuneError(Exception):
    """Something that the server refused or could not do; `status` is that of HTTP, 0 where there was no answer."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class NotAllowed(AttuneError):
    """The token is unknown or revoked (401), or your role does not allow it (403)."""


class NotFound(AttuneError):
    """It is not there, or not yours to see."""


class ChangedMeanwhile(AttuneError):
    """Somebody else was quicker, or the item is not as it was when you read it."""


class Refused(AttuneError):
    """Refused with the reason, such as a field that is not as it should be."""


class ServerError(AttuneError):
    """The server failed; its log says why."""


class ServerUnreachable(AttuneError):
    """Nobody answered at the address."""


_ERRORS = {401: NotAllowed, 403: NotAllowed, 404: NotFound, 409: ChangedMeanwhile, 422: Refused}


class Connection:
    """`timeout` is how many seconds an answer may take."""

    def __init__(self, url: str, token: str, timeout: float) -> None:
        self.url = url.rstrip("/")
        self._client = httpx.Client(
            base_url=self.url + PREFIX, headers={"Authorization": f"Bearer {token}"}, timeout=timeout
        )

    def close(self) -> None:
        self._client.close()

    def get(self, path: str, **query: object) -> Any:
        return self.call("GET", path, query=query)

    def post(self, path: str, body: object = None) -> Any:
        return self.call("POST", path, body=body)

    def put(self, path: str, body: object) -> Any:
        return self.call("PUT", path, body=body)

    def call(
        self, method: str, path: str, *, body: object = None, query: dict[str, object] | None = None
    ) -> Any:
        sent = {} if body is None else {"json": body}
        with self._reaching():
            answer = self._client.request(method, path, params=_encode_query(query), **sent)  # type: ignore[arg-type]
        _refuse(answer)
        return answer.json() if answer.content else None

    def text(self, path: str, **query: object) -> str:
        with self._reaching():
            answer = self._client.get(path, params=_encode_query(query))
        _refuse(answer)
        return answer.text

    def lines(self, path: str, **query: object) -> Iterator[dict[str, Any]]:
        """Of JSON Lines, one at a time, so that a large study needs little memory."""
        with self._reaching(), self._client.stream("GET", path, params=_encode_query(query)) as answer:
            if answer.is_error:
                answer.read()
                _refuse(answer)
            for line in answer.iter_lines():
                if line:
                    yield json.loads(line)

    def upload(self, path: str, name: str, content: bytes) -> Any:
        with self._reaching():
            answer = self._client.post(path, files={"file": (name, content)})
        _refuse(answer)
        return answer.json()

    def download(self, path: str, target: Path) -> Path:
        """The file appears whole, or not at all."""
        partial = target.with_name(f"{target.name}.part")
        with self._reaching(), self._client.stream("GET", path) as answer:
            if answer.is_error:
                answer.read()
                _refuse(answer)
            with partial.open("wb") as out:
                for chunk in answer.iter_bytes():
                    out.write(chunk)
        return partial.replace(target)

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        try:
            yield
        except httpx.TimeoutException as problem:
            raise ServerUnreachable(
                f"{self.url} did not answer in time: is it busy? Attune(…, timeout=300) waits longer.", 0
            ) from problem
        except httpx.TransportError as problem:
            raise ServerUnreachable(
                f"Nobody answers at {self.url}: is Attune running? ({problem})", 0
            ) from problem


def _encode_query(query: dict[str, object] | None) -> dict[str, str]:
    asked = {name: value for name, value in (query or {}).items() if value is not None}
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in asked.items()
    }


def _refuse(answer: httpx.Response) -> None:
    if answer.is_success:
        return
    kind = _ERRORS.get(answer.status_code, ServerError if answer.is_server_error else AttuneError)
    raise kind(_words(answer), answer.status_code)


def _words(answer: httpx.Response) -> str:
    """The server's `detail`; where it is a list, each field with what is wrong with it."""
    try:
        detail = answer.json()["detail"]
    except (ValueError, KeyError, TypeError):
        return f"{answer.request.url} answered {answer.status_code}."
    if isinstance(detail, list):
        return " ".join(
            f"{'.'.join(str(part) for part in each['loc'][2:])}: {each['msg']}." for each in detail
        )
    return str(detail)
