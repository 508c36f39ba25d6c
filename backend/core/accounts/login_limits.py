"""Closes log-in for a while after too many failures: of one name from one address, and of one address with any names.

The second limit stops whoever tries one password with many names. It is higher, because a team may share an address.
"""

from __future__ import annotations

from axes.attempts import get_cool_off_threshold
from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_failure_limit
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest


class LoginLimits(AxesDatabaseHandler):  # type: ignore[misc]
    def get_failures(self, request: HttpRequest, credentials: dict[str, str] | None = None) -> int:
        """Those of the name; as many as lock it, once the address has had too many."""
        failures: int = super().get_failures(request, credentials)
        if failures_of_address(request) >= settings.LOGIN_ATTEMPTS_PER_ADDRESS:
            limit: int = get_failure_limit(request, credentials)
            return max(failures, limit)
        return failures


def failures_of_address(request: HttpRequest) -> int:
    recent = AccessAttempt.objects.filter(
        ip_address=client_address(request), attempt_time__gte=get_cool_off_threshold(request)
    )
    found: int | None = recent.aggregate(total=Sum("failures_since_start"))["total"]
    return found or 0


def client_address(request: HttpRequest) -> str:
    """Each trusted proxy adds one entry at the end; what stands before those, anybody can have written."""
    forwarded = [
        part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()
    ]
    proxies: int = settings.TRUSTED_PROXIES
    if proxies and len(forwarded) >= proxies:
        return forwarded[-proxies]
    return str(request.META.get("REMOTE_ADDR", ""))
