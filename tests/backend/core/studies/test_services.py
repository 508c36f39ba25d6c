"""Studies keep a researcher, leave a history and keep their address."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction

from backend.core.studies import services
from backend.core.studies.access import role_in, studies_of
from backend.core.studies.models import Event, StudyRole
from tests.cast import NOW, Cast


def test_a_study_with_a_taken_name_gets_an_address_of_its_own(cast: Cast) -> None:
    again = services.create_study(name="Kind words", description="", created_by=cast.ravi, now=NOW)
    third = services.create_study(name="Kind words!", description="", created_by=cast.ravi, now=NOW)
    assert [again.slug, third.slug] == ["kind-words-2", "kind-words-3"]


def test_a_name_without_letters_is_refused(cast: Cast) -> None:
    with pytest.raises(services.StudyError, match="letter or digit"):
        services.create_study(name="…", description="", created_by=cast.rosa, now=NOW)


def test_an_annotator_cannot_start_a_study(cast: Cast) -> None:
    with pytest.raises(services.StudyError, match="researchers"):
        services.create_study(name="Mine", description="", created_by=cast.amal, now=NOW)


def test_an_annotators_account_cannot_become_researcher_of_a_study(cast: Cast) -> None:
    with pytest.raises(services.StudyError, match="annotator's account"):
        services.set_member(
            study=cast.study, user=cast.amal, role=StudyRole.RESEARCHER, actor=cast.rosa, now=NOW
        )


def test_the_last_researcher_can_neither_leave_nor_be_demoted(cast: Cast) -> None:
    services.remove_member(study=cast.study, user=cast.ravi, actor=cast.rosa, now=NOW)
    with pytest.raises(services.StudyError, match="only researcher"):
        services.remove_member(study=cast.study, user=cast.rosa, actor=cast.rosa, now=NOW)
    with pytest.raises(services.StudyError, match="only researcher"):
        services.set_member(
            study=cast.study, user=cast.rosa, role=StudyRole.ANNOTATOR, actor=cast.rosa, now=NOW
        )
    assert role_in(cast.rosa, cast.study) == StudyRole.RESEARCHER


def test_an_admin_enters_every_study_and_others_only_theirs(cast: Cast) -> None:
    assert set(studies_of(cast.ada)) == {cast.study, cast.other_study}
    assert set(studies_of(cast.amal)) == {cast.study}
    assert set(studies_of(cast.otto)) == {cast.other_study}


def test_every_change_of_membership_leaves_a_line_of_history(cast: Cast) -> None:
    before = cast.study.events.count()
    services.remove_member(study=cast.study, user=cast.chen, actor=cast.ravi, now=NOW)
    newest = cast.study.events.order_by("-pk")[0]
    assert cast.study.events.count() == before + 1
    assert newest.actor == cast.ravi
    assert "Chen" in newest.summary


def test_the_database_refuses_to_rewrite_history(cast: Cast) -> None:
    with pytest.raises(IntegrityError, match="never change"), transaction.atomic():
        Event.objects.update(summary="Nothing happened")
    with (
        pytest.raises(IntegrityError, match="never change"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("UPDATE studies_event SET summary = ''")
