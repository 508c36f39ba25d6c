"""Handing over and withdrawing moves what is undone and touches nothing that was done."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.annotate.batches import errors, services
from backend.annotate.batches.forms import WithdrawForm
from backend.annotate.batches.models import AssignedItem, Assignment, Batch
from backend.annotate.batches.progress import batch_progress
from backend.annotate.batches.queue import PREPARE_BATCH
from backend.annotate.batches.work import work_of
from backend.annotate.judgments.models import AnnotationVersion, Quarantined, Submission
from backend.core.accounts.models import AccountRole, User
from backend.core.jobs.models import Job
from backend.core.studies.models import StudyRole
from backend.core.studies.services import remove_member, set_member
from tests.backend.annotate.batches.fixtures import add_gold, asked, opened, places, quarantine, submit
from tests.backend.annotate.batches.fixtures import given as given_in
from tests.cast import NOW, Cast, person
from tests.examples import examples


def hand_over(cast: Cast, batch: Batch, n: int | None = None) -> int:
    return services.reassign_items(
        batch=batch, annotator=cast.amal, to=[cast.bea, cast.chen], n=n, actor=cast.rosa, now=NOW
    )


@pytest.fixture
def main(ready: Cast) -> Batch:
    return opened(ready, asked("main", n=6))


def test_unfinished_items_go_to_others_and_answers_stay(ready: Cast, main: Batch) -> None:
    submitted, skipped, doubtful, *rest = places(main, ready.amal)
    submit(submitted)
    submit(skipped, state="skipped")
    quarantine(doubtful)
    before = given_in(main)
    assert hand_over(ready, main) == 3
    after = given_in(main)
    assert after["amal"] == [place.item.item_id for place in (submitted, skipped, doubtful)]
    assert sorted(after["bea"] + after["chen"]) == sorted(
        before["bea"] + before["chen"] + [place.item.item_id for place in rest]
    )
    assert after["bea"][:6] == before["bea"]
    assert sorted(Submission.objects.values_list("assigned_item", flat=True)) == [submitted.pk, skipped.pk]


def test_those_who_take_over_end_with_even_work(ready: Cast, main: Batch) -> None:
    for place in places(main, ready.bea)[:4]:
        submit(place)
    hand_over(ready, main)
    left = Counter(
        place.assignment.annotator.username
        for user in (ready.bea, ready.chen)
        for place in places(main, user)
        if not Submission.objects.filter(assigned_item=place).exists()
    )
    assert left == {"bea": 7, "chen": 7}


def test_only_the_last_n_go(ready: Cast, main: Batch) -> None:
    before = given_in(main)["amal"]
    assert hand_over(ready, main, n=2) == 2
    assert given_in(main)["amal"] == before[:4]
    with pytest.raises(errors.TooFewToMove, match="Amal has 4 unfinished"):
        hand_over(ready, main, n=5)


def test_a_new_annotator_of_the_study_can_take_over(ready: Cast, main: Batch) -> None:
    dora = person("dora", AccountRole.ANNOTATOR)
    with pytest.raises(errors.UnknownAnnotator, match="Dora"):
        services.reassign_items(batch=main, annotator=ready.amal, to=[dora], actor=ready.rosa, now=NOW)
    set_member(study=ready.study, user=dora, role=StudyRole.ANNOTATOR, actor=ready.rosa, now=NOW)
    services.reassign_items(batch=main, annotator=ready.amal, to=[dora], actor=ready.rosa, now=NOW)
    assert len(given_in(main)["dora"]) == 6
    assert "amal" not in given_in(main)
    assert ready.study.events.order_by("-pk")[0].summary == ("Handed 6 items of “Batch 1” from Amal to Dora")


def test_an_item_can_come_back_to_whom_it_was_taken_from(ready: Cast, main: Batch) -> None:
    before = given_in(main)
    services.reassign_items(batch=main, annotator=ready.amal, to=[ready.bea], actor=ready.rosa, now=NOW)
    services.reassign_items(batch=main, annotator=ready.bea, to=[ready.amal], actor=ready.rosa, now=NOW)
    assert sorted(given_in(main)["amal"]) == sorted(before["amal"] + before["bea"])
    assert AssignedItem.objects.filter(assignment__batch=main, taken_back_at=None).count() == 18


def test_nobody_gets_an_item_twice(ready: Cast) -> None:
    add_gold(ready, ready.study.editions.get(), 1, 2)
    for number, kind in enumerate(("overlap", "practice")):
        batch = opened(
            ready, asked("overlap", n=3, name=kind) if number == 0 else asked("practice", name=kind)
        )
        with pytest.raises(errors.AlreadyTheirs, match="Bea already has"):
            hand_over(ready, batch)
        assert AssignedItem.objects.filter(taken_back_at__isnull=False).count() == 0


def test_an_answer_that_came_too_late_to_be_taken_back_counts_as_theirs(ready: Cast, main: Batch) -> None:
    place = places(main, ready.amal)[0]
    services.reassign_items(batch=main, annotator=ready.amal, to=[ready.bea], actor=ready.rosa, now=NOW)
    submit(AssignedItem.objects.get(pk=place.pk))
    with pytest.raises(errors.AlreadyTheirs, match="Amal"):
        services.reassign_items(batch=main, annotator=ready.bea, to=[ready.amal], actor=ready.rosa, now=NOW)


def test_own_items_are_nobody_elses(ready: Cast, main: Batch) -> None:
    for place in places(main, ready.amal):
        submit(place)
    recheck = opened(ready, asked("recheck", annotators=["amal"], n=2, name="Batch 2"))
    with pytest.raises(errors.OwnItemsStay):
        hand_over(ready, recheck)


def test_what_cannot_be_handed_over_is_named(ready: Cast, main: Batch) -> None:
    def reassign(annotator: User, to: list[User]) -> None:
        services.reassign_items(batch=main, annotator=annotator, to=to, actor=ready.rosa, now=NOW)

    with pytest.raises(errors.NoAnnotators):
        reassign(ready.amal, [])
    with pytest.raises(errors.SamePerson):
        reassign(ready.amal, [ready.bea, ready.amal])
    with pytest.raises(errors.UnknownAnnotator, match="Ravi"):
        reassign(ready.amal, [ready.ravi])
    with pytest.raises(errors.NotInBatch, match="Otto"):
        reassign(ready.otto, [ready.amal])
    for place in places(main, ready.amal):
        submit(place)
    with pytest.raises(errors.NothingToMove, match="Amal"):
        reassign(ready.amal, [ready.bea])
    services.close_batch(batch=main, actor=ready.rosa, now=NOW)
    with pytest.raises(errors.WrongState, match="reopen"):
        reassign(ready.bea, [ready.chen])


def test_a_refused_new_annotator_leaves_no_empty_share(ready: Cast) -> None:
    overlap = opened(ready, asked("overlap", n=3, annotators=["amal", "bea"]))
    with pytest.raises(errors.AlreadyTheirs):
        hand_over(ready, overlap)
    assert overlap.assignments.count() == 2


def test_withdrawing_keeps_everything_and_can_be_undone(ready: Cast, main: Batch) -> None:
    submit(places(main, ready.amal)[0])
    before = given_in(main)
    services.withdraw_annotator(batch=main, annotator=ready.amal, actor=ready.rosa, now=NOW)
    assert Assignment.objects.get(batch=main, annotator=ready.amal).withdrawn_at == NOW
    assert given_in(main) == before
    assert Submission.objects.count() == 1
    with pytest.raises(errors.AlreadyWithdrawn):
        services.withdraw_annotator(batch=main, annotator=ready.amal, actor=ready.rosa, now=NOW)
    services.restore_annotator(batch=main, annotator=ready.amal, actor=ready.rosa, now=NOW)
    assert Assignment.objects.get(batch=main, annotator=ready.amal).withdrawn_at is None
    with pytest.raises(errors.NotWithdrawn):
        services.restore_annotator(batch=main, annotator=ready.amal, actor=ready.rosa, now=NOW)
    lines = [event.summary for event in ready.study.events.order_by("-pk")[:2]]
    assert lines == ["Took Amal back into “Batch 1”", "Withdrew Amal from “Batch 1”"]
    assert Job.objects.filter(kind=PREPARE_BATCH).count() == 3


def test_withdrawing_can_hand_over_at_once_or_later(ready: Cast, main: Batch) -> None:
    moved = services.withdraw_annotator(
        batch=main, annotator=ready.amal, hand_over_to=[ready.bea], actor=ready.rosa, now=NOW
    )
    assert (moved, len(given_in(main)["bea"])) == (6, 12)
    services.withdraw_annotator(batch=main, annotator=ready.bea, actor=ready.rosa, now=NOW)
    with pytest.raises(errors.AlreadyWithdrawn, match="Amal is withdrawn"):
        services.reassign_items(batch=main, annotator=ready.bea, to=[ready.amal], actor=ready.rosa, now=NOW)
    services.reassign_items(batch=main, annotator=ready.bea, to=[ready.chen], actor=ready.rosa, now=NOW)
    assert {name: len(items) for name, items in given_in(main).items()} == {"chen": 18}


def test_what_a_withdrawn_annotator_cannot_mend_any_more_goes_to_others(ready: Cast, main: Batch) -> None:
    submitted, doubtful, *rest = places(main, ready.amal)
    submit(submitted)
    doubt = quarantine(doubtful)
    services.withdraw_annotator(batch=main, annotator=ready.amal, actor=ready.rosa, now=NOW)
    assert batch_progress(main, today=NOW.date()).with_nobody == len(rest) + 1
    assert hand_over(ready, main) == len(rest) + 1
    assert batch_progress(main, today=NOW.date()).with_nobody == 0
    assert given_in(main)["amal"] == [submitted.item.item_id]
    assert Quarantined.objects.get() == doubt
    services.restore_annotator(batch=main, annotator=ready.amal, actor=ready.rosa, now=NOW)
    (share,) = work_of(ready.amal, ready.study, today=NOW.date())
    assert share.to_mend == ()


def test_withdrawing_hands_over_doubtful_answers_at_once(ready: Cast, main: Batch) -> None:
    quarantine(places(main, ready.amal)[0])
    moved = services.withdraw_annotator(
        batch=main, annotator=ready.amal, hand_over_to=[ready.bea], actor=ready.rosa, now=NOW
    )
    assert (moved, batch_progress(main, today=NOW.date()).with_nobody) == (6, 0)


def test_somebody_who_is_done_is_withdrawn_with_nothing_to_hand_over(ready: Cast, main: Batch) -> None:
    for place in places(main, ready.amal):
        submit(place)
    moved = services.withdraw_annotator(
        batch=main, annotator=ready.amal, hand_over_to=[ready.bea], actor=ready.rosa, now=NOW
    )
    assert (moved, Assignment.objects.get(batch=main, annotator=ready.amal).withdrawn_at) == (0, NOW)
    assert ready.study.events.order_by("-pk")[0].summary == "Withdrew Amal from “Batch 1”"


def test_the_form_asks_who_takes_over_only_where_somebody_can(ready: Cast, main: Batch) -> None:
    assert "to" in WithdrawForm(batch=main).fields
    for place in places(main, ready.amal):
        submit(place)
    recheck = opened(ready, asked("recheck", annotators=["amal"], n=2, name="Batch 2"))
    closed = services.close_batch(batch=main, actor=ready.rosa, now=NOW)
    assert "to" not in WithdrawForm(batch=recheck).fields
    assert "to" not in WithdrawForm(batch=closed).fields


def test_items_of_somebody_who_left_the_study_can_be_handed_over(ready: Cast, main: Batch) -> None:
    remove_member(study=ready.study, user=ready.amal, actor=ready.rosa, now=NOW)
    assert hand_over(ready, main) == 6


MOVES = st.lists(
    st.tuples(
        st.sampled_from(["reassign", "withdraw", "restore", "submit"]),
        st.sampled_from(["amal", "bea", "chen"]),
        st.sampled_from(["amal", "bea", "chen"]),
        st.integers(1, 4),
    ),
    max_size=12,
)


@pytest.mark.slow
@settings(max_examples=examples(20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(MOVES)
def test_whatever_is_done_no_item_and_no_answer_is_lost(
    ready: Cast, moves: list[tuple[str, str, str, int]]
) -> None:
    """In a main batch each item is with exactly one annotator, and each answer with whoever gave it."""
    AnnotationVersion.objects.all().delete()
    Batch.objects.all().delete()
    batch = opened(ready, asked("main", n=4))
    people = {user.username: user for user in (ready.amal, ready.bea, ready.chen)}
    items = sorted(item for share in given_in(batch).values() for item in share)
    answers: dict[str, str] = {}
    for verb, who, to, n in moves:
        try:
            if verb == "submit":
                place = places(batch, people[who])[n]
                if place.item.item_id not in answers:
                    submit(place)
                    answers[place.item.item_id] = who
            elif verb == "reassign":
                services.reassign_items(
                    batch=batch, annotator=people[who], to=[people[to]], n=n, actor=ready.rosa, now=NOW
                )
            elif verb == "withdraw":
                takers = [people[to]] if n > 2 else []
                services.withdraw_annotator(
                    batch=batch, annotator=people[who], hand_over_to=takers, actor=ready.rosa, now=NOW
                )
            else:
                services.restore_annotator(batch=batch, annotator=people[who], actor=ready.rosa, now=NOW)
        except (errors.BatchError, IndexError):
            continue
    assert sorted(item for share in given_in(batch).values() for item in share) == items
    assert answers == dict(
        Submission.objects.filter(assigned_item__taken_back_at=None).values_list(
            "assigned_item__item__item_id", "assigned_item__assignment__annotator__username"
        )
    )
