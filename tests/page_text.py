"""What a page says, whatever lines its template is laid out in."""

from __future__ import annotations

from django.http import HttpResponseBase


def page_text(answer: HttpResponseBase) -> str:
    """Its source with single spaces."""
    return " ".join(answer.content.decode().split())  # type: ignore[attr-defined]
