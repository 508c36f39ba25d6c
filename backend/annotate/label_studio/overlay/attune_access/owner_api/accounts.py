"""Makes the annotators' accounts: without a password, so the only way in is a ticket."""

from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.http import JsonResponse

from attune_access.owner import is_owner, owner_account
from attune_access.owner_api.requests import BadRequest, json_object, owner_only, text


@owner_only("PUT")
def annotator(request, key: str):
    name = text(json_object(request), "name", longest=256)
    user = put_account(key=key, name=name)
    return JsonResponse({"id": user.pk, "email": user.email})


@transaction.atomic
def put_account(*, key: str, name: str):
    users = get_user_model().objects
    email = f"{key}@attune.local"
    # Two requests for one new annotator may come together; the second takes what the first has made.
    user, _ = users.get_or_create(email=email, defaults={"username": key, "password": make_password(None)})
    if is_owner(user):
        raise BadRequest("The owner's account is not an annotator's.")
    organization = owner_account().active_organization
    organization.add_user(user)
    user.first_name, user.last_name = name, ""
    user.active_organization = organization
    user.is_active, user.is_staff, user.is_superuser = True, False, False
    if user.has_usable_password():
        user.set_unusable_password()
    user.save()
    return user
