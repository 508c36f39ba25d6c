"""Keeps the owner's password and token to what the environment says, so that both can be changed."""

from django.conf import settings
from django.db import transaction
from rest_framework.authtoken.models import Token

from attune_access.environment import require
from attune_access.owner import owner_account


def follow_environment() -> None:
    """Label Studio itself reads them when it makes the account, and never again."""
    owner, password, token = owner_account(), require("LABEL_STUDIO_PASSWORD"), settings.ATTUNE_OWNER_TOKEN
    if not owner.check_password(password):
        owner.set_password(password)
        owner.save(update_fields=["password"])
    with transaction.atomic():
        Token.objects.filter(user=owner).exclude(key=token).delete()
        Token.objects.get_or_create(user=owner, defaults={"key": token})
