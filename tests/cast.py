"""The people of the tests: Rosa and Ravi research, Amal, Bea and Chen annotate, Otto is elsewhere, Ada is admin."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from backend.core.accounts.models import AccountRole, User
from backend.core.studies.models import Study, StudyRole
from backend.core.studies.services import create_study, set_member

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Cast:
    ada: User
    rosa: User
    ravi: User
    amal: User
    bea: User
    chen: User
    otto: User
    study: Study
    other_study: Study


def person(username: str, role: AccountRole) -> User:
    return User.objects.create(username=username, display_name=username.capitalize(), role=role)


@pytest.fixture
def cast(db: None) -> Cast:
    return made_cast()


def made_cast() -> Cast:
    researcher, annotator = AccountRole.RESEARCHER, AccountRole.ANNOTATOR
    rosa, ravi, otto = (person(name, researcher) for name in ("rosa", "ravi", "otto"))
    amal, bea, chen = (person(name, annotator) for name in ("amal", "bea", "chen"))
    study = create_study(name="Kind words", description="", created_by=rosa, now=NOW)
    set_member(study=study, user=ravi, role=StudyRole.RESEARCHER, actor=rosa, now=NOW)
    for user in (amal, bea, chen):
        set_member(study=study, user=user, role=StudyRole.ANNOTATOR, actor=rosa, now=NOW)
    other_study = create_study(name="Elsewhere", description="", created_by=otto, now=NOW)
    ada = person("ada", AccountRole.ADMIN)
    return Cast(ada, rosa, ravi, amal, bea, chen, otto, study, other_study)
