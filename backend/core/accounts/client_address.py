"""Where a request comes from, behind as many proxies as the instance says it trusts."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """Each trusted proxy adds one entry at the end; what stands before those, anybody can have written."""
    forwarded = [
        part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()
    ]
    proxies: int = settings.TRUSTED_PROXIES
    if proxies and len(forwarded) >= proxies:
        return forwarded[-proxies]
    return str(request.META.get("REMOTE_ADDR", ""))
