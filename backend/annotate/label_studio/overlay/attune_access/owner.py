"""Who the owner is: the one account that Attune works through, known by its e-mail and its token."""

import hashlib
import hmac

from django.conf import settings
from django.contrib.auth import get_user_model

_SCHEME = "Token "


def is_owner(user) -> bool:
    return user.is_authenticated and user.email.casefold() == settings.ATTUNE_OWNER_EMAIL.casefold()


def owner_account():
    return (
        get_user_model()
        .objects.select_related("active_organization")
        .get(email__iexact=settings.ATTUNE_OWNER_EMAIL)
    )


def holds_owner_token(request) -> bool:
    header = request.META.get("HTTP_AUTHORIZATION", "")
    given = header.removeprefix(_SCHEME) if header.startswith(_SCHEME) else ""
    return hmac.compare_digest(given.encode(), settings.ATTUNE_OWNER_TOKEN.encode())


def access_key() -> str:
    """Signs the tickets; Attune derives the same from the same token."""
    return hmac.new(settings.ATTUNE_OWNER_TOKEN.encode(), b"attune access", hashlib.sha256).hexdigest()
