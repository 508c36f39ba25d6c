"""The provider, as Authlib speaks with it: discovery, PKCE, state, nonce, and the checks of the signed answer."""

from __future__ import annotations

from functools import cache
from typing import Any

from authlib.integrations.django_client import OAuth
from django.conf import settings

# A provider that does not answer must not hold a worker
PATIENCE_SECONDS = 10


def is_on() -> bool:
    return bool(settings.OIDC_ISSUER)


def provider() -> Any:
    return _provider(settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET)


@cache
def _provider(issuer: str, client_id: str, client_secret: str) -> Any:
    """Its keys are fetched once, and again where a signature names one that is not known."""
    return OAuth().register(
        "university",
        client_id=client_id,
        client_secret=client_secret,
        server_metadata_url=f"{issuer.rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={
            "scope": "openid email profile",
            "code_challenge_method": "S256",
            "default_timeout": PATIENCE_SECONDS,
        },
    )
