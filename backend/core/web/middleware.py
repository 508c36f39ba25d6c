"""What stands between a request and its page, and what the log says of it.

Addresses here end without a slash; whoever types one is led to the page instead of to a 404. A refusal is an answer
and no fault of the program: one line in the log, without a traceback.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponseBase, HttpResponsePermanentRedirect
from django.urls import is_valid_path
from django.utils.http import escape_leading_slashes

READING = ("GET", "HEAD")


class DropTrailingSlash:
    """Only where nothing has the address with the slash, and something has it without."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        bare = path.rstrip("/")
        is_candidate = request.method in READING and bare not in ("", path)
        if is_candidate and not is_valid_path(path) and is_valid_path(bare):
            query = request.META.get("QUERY_STRING", "")
            address = escape_leading_slashes(request.path.rstrip("/"))
            return HttpResponsePermanentRedirect(f"{address}?{query}" if query else address)
        return self._get_response(request)


class OneLineForRefusals(logging.Filter):
    """On the logger of requests, which tells the status of what it logs."""

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", None) == HTTPStatus.FORBIDDEN:
            record.exc_info = record.exc_text = None
        return True
