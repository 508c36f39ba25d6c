"""The people of the demo study: two researchers, three annotators, an admin and someone who is not in it; and those
whom a script plays."""

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

# Nobody can log in as these, and their names say what they are
SIMULATED = (
    DemoPerson("sim-researcher", "Simulated researcher", AccountRole.RESEARCHER, StudyRole.RESEARCHER),
    *(
        DemoPerson(
            f"sim-{number}", f"Simulated annotator {number}", AccountRole.ANNOTATOR, StudyRole.ANNOTATOR
        )
        for number in (1, 2, 3)
    ),
)


def demo_user(person: DemoPerson, password: str | None) -> User:
    """Made once; a password that was changed since is left alone. Without one nobody can log in."""
    user, created = User.objects.get_or_create(
        username=person.username,
        defaults={"display_name": person.display_name, "role": person.account_role},
    )
    if created:
        user.set_password(password)
        user.save(update_fields=["password"])
    return user
