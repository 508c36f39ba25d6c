"""The people of the demo study: two researchers, three annotators, an admin and someone who is not in it."""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.accounts.models import AccountRole, User
from backend.core.studies.models import StudyRole


@dataclass(frozen=True)
class DemoPerson:
    username: str
    display_name: str
    account_role: AccountRole
    study_role: StudyRole | None


CAST = (
    DemoPerson("ada", "Ada Okafor", AccountRole.ADMIN, None),
    DemoPerson("rosa", "Rosa Lindqvist", AccountRole.RESEARCHER, StudyRole.RESEARCHER),
    DemoPerson("ravi", "Ravi Menon", AccountRole.RESEARCHER, StudyRole.RESEARCHER),
    DemoPerson("amal", "Amal Haddad", AccountRole.ANNOTATOR, StudyRole.ANNOTATOR),
    DemoPerson("bea", "Bea Fontana", AccountRole.ANNOTATOR, StudyRole.ANNOTATOR),
    DemoPerson("chen", "Chen Wei", AccountRole.ANNOTATOR, StudyRole.ANNOTATOR),
    DemoPerson("otto", "Otto Brandt", AccountRole.RESEARCHER, None),
)


def demo_user(person: DemoPerson, password: str) -> User:
    """Made once; a password that was changed since is left alone."""
    user, created = User.objects.get_or_create(
        username=person.username,
        defaults={"display_name": person.display_name, "role": person.account_role},
    )
    if created:
        user.set_password(password)
        user.save(update_fields=["password"])
    return user
