"""What the access app must be told by its environment: without an owner there would be nobody to tell apart."""

import os

from django.core.exceptions import ImproperlyConfigured


def require(name: str) -> str:
    value = os.environ.get(name, "")
    if not value:
        raise ImproperlyConfigured(
            f"{name} is not set; Label Studio must not run without its owner being known."
        )
    return value
