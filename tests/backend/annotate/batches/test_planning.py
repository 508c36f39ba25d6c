"""A plan follows from the request and the study, and from nothing else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.annotate.batches import errors
from backend.annotate.batches.candidates import annotators_of, fresh_counts, is_annotator
from backend.annotate.batches.models import Batch
from backend.annotate.batches.planning import plan_batch
from backend.annotate.batches.plans import BatchPlan
from backend.annotate.batches.requests import BatchRequest
from backend.annotate.batches.services import close_batch
from backend.annotate.discussions.models import Discussion
from backend.annotate.discussions.services import follow_flag
from backend.core.accounts.models import AccountRole, User
from backend.core.studies.models import StudyRole
from backend.core.studies.services import remove_member, set_member
from backend.design.codebooks.errors import NoCodebook
from tests.backend.annotate.batches.fixtures import (
    add_codebook,
    add_gold,
    add_sample,
    asked,
    opened,
    places,
    submit,
)
from tests.backend.annotate.batches.fixtures import given as given_in
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW, Cast
from tests.examples import examples


def planned(cast: Cast, request: BatchRequest) -> BatchPlan:
    return plan_batch(study=cast.study, request=request, now=NOW)


def shares(plan: BatchPlan) -> dict[str, set[str]]:
    return {share.annotator.username: set(share.items) for share in plan.shares}


def test_an_overlap_gives_the_same_items_to_all(ready: Cast) -> None:
    dealt = shares(planned(ready, asked("overlap", n=10)))
    assert set(dealt) == {"amal", "bea", "chen"}
    assert dealt["amal"] == dealt["bea"] == dealt["chen"]
    assert len(dealt["amal"]) == 10


def test_main_shares_have_no_item_in_common_nor_with_earlier_batches(ready: Cast) -> None:
    overlap = opened(ready, asked("overlap", n=6))
    dealt = shares(planned(ready, asked("main", n=5, name="Batch 2")))
    earlier = set(given_in(overlap)["amal"])
    assert len(set.union(*dealt.values())) == 15
    assert set.union(*dealt.values()).isdisjoint(earlier)


def test_main_without_a_number_takes_all_that_is_left(ready: Cast) -> None:
    opened(ready, asked("overlap", n=5))
    dealt = shares(planned(ready, asked("main", name="Batch 2")))
    assert sorted(map(len, dealt.values())) == [8, 8, 9]


def test_several_samples_are_one_pool_in_which_each_item_is_once(ready: Cast) -> None:
    add_sample(ready, "Second", range(20, 40))
    dealt = shares(planned(ready, asked("main", samples=["Main", "Second"])))
    assert len(set.union(*dealt.values())) == sum(map(len, dealt.values())) == 40


def test_practice_takes_the_golden_items_under_the_newest_edition(ready: Cast) -> None:
    edition = ready.study.editions.get()
    add_gold(ready, edition, 3, 5, 8)
    dealt = shares(planned(ready, asked("practice", annotators=["amal", "bea"])))
    assert dealt == {"amal": {"item-3", "item-5", "item-8"}, "bea": {"item-3", "item-5", "item-8"}}


def test_practice_can_be_repeated_for_somebody_new(ready: Cast) -> None:
    add_gold(ready, ready.study.editions.get(), 3, 5)
    opened(ready, asked("practice", annotators=["amal"]))
    assert shares(planned(ready, asked("practice", annotators=["chen"], name="Batch 2"))) == {
        "chen": {"item-3", "item-5"}
    }


def test_practised_items_are_no_longer_fresh(ready: Cast) -> None:
    add_gold(ready, ready.study.editions.get(), 3, 5)
    opened(ready, asked("practice"))
    dealt = shares(planned(ready, asked("main", name="Batch 2")))
    assert all({"item-3", "item-5"}.isdisjoint(share) for share in dealt.values())


def test_golden_items_are_for_practice_alone(ready: Cast) -> None:
    add_gold(ready, ready.study.editions.get(), 3, 5)
    dealt = shares(planned(ready, asked("main")))
    assert set.union(*dealt.values()) == {f"item-{number}" for number in range(30)} - {"item-3", "item-5"}
    assert fresh_counts(ready.study) == {"Main": 28}
    with pytest.raises(errors.ItemsHaveGold, match=r"alone: item-3 and item-5\. Leave"):
        planned(ready, asked("active").model_copy(update={"items": ["item-1", "item-3", "item-5"]}))


def test_gold_under_an_earlier_edition_is_gold_all_the_same(ready: Cast) -> None:
    add_gold(ready, ready.study.editions.get(), 3)
    add_codebook(ready, "Shown empathy")
    assert fresh_counts(ready.study) == {"Main": 29}


def test_practice_waits_until_its_items_are_judged_elsewhere(ready: Cast) -> None:
    main = opened(ready, asked("overlap", n=3, annotators=["amal", "bea"]))
    golden = places(main, ready.amal)[1]
    add_gold(ready, ready.study.editions.get(), int(golden.item.item_id.removeprefix("item-")))
    request = asked("practice", name="Batch 2")
    with pytest.raises(
        errors.GoldStillAsked, match=f"Amal still has to judge item {golden.item} in “Batch 1”"
    ):
        planned(ready, request)
    assert planned(ready, request.model_copy(update={"annotators": ["chen"]})).n_assigned == 1
    submit(golden)
    with pytest.raises(errors.GoldStillAsked, match="Bea"):
        planned(ready, request)
    close_batch(batch=main, actor=ready.rosa, now=NOW)
    assert planned(ready, request).n_assigned == 3


def test_a_practice_that_is_not_finished_holds_no_other_back(ready: Cast) -> None:
    add_gold(ready, ready.study.editions.get(), 3)
    opened(ready, asked("practice", annotators=["amal"]))
    assert planned(ready, asked("practice", name="Batch 2")).n_assigned == 3


def test_items_about_which_nothing_is_asked_are_not_dealt(ready: Cast) -> None:
    """The codebook of the scene asks about replies alone."""
    add_sample(ready, "Silent", range(40, 44), replies=False)
    silent = [f"item-{number}" for number in range(40, 44)]
    plan = planned(ready, asked("main", samples=["Main", "Silent"]))
    assert (plan.left_out, len(plan.items), plan.items.isdisjoint(silent)) == (4, 30, True)
    assert fresh_counts(ready.study) == {"Main": 30, "Silent": 0}
    named = asked("active").model_copy(update={"items": [*silent, "item-7", "item-8", "item-9"]})
    assert (planned(ready, named).left_out, planned(ready, named).n_assigned) == (4, 3)
    with pytest.raises(errors.NothingToAnswer, match="none of the 4 items has one"):
        planned(ready, named.model_copy(update={"items": silent}))


def test_a_codebook_that_asks_about_posts_leaves_nothing_out(work: CastAtWork) -> None:
    request = asked("active", annotators=["amal"]).model_copy(
        update={"items": [item.item_id for item in work.items]}
    )
    plan = planned(work.cast, request)
    assert (plan.left_out, plan.n_assigned) == (0, 12)


def test_a_recheck_asks_what_each_submitted_long_enough_ago(ready: Cast) -> None:
    main = opened(ready, asked("main", n=6))
    for place in places(main, ready.amal):
        submit(place, days_ago=place.position)
    skipped, *others = places(main, ready.bea)
    submit(skipped, state="skipped", days_ago=9)
    for place in others[:2]:
        submit(place, days_ago=9)
    request = asked("recheck", annotators=["amal", "bea"], n=2, days=3, name="Batch 2")
    dealt = shares(planned(ready, request))
    assert dealt["amal"] < {place.item.item_id for place in places(main, ready.amal)[3:]}
    assert dealt["bea"] == {place.item.item_id for place in others[:2]}


def test_nobody_is_asked_a_third_time(ready: Cast) -> None:
    main = opened(ready, asked("main", n=3, annotators=["amal"]))
    for place in places(main, ready.amal):
        submit(place)
    first = opened(ready, asked("recheck", annotators=["amal"], n=2, name="Batch 2"))
    plan = planned(ready, asked("recheck", annotators=["amal"], n=1, name="Batch 3"))
    assert shares(plan)["amal"].isdisjoint(given_in(first)["amal"])
    with pytest.raises(errors.TooFewOwnItems, match="Amal has 1 submitted item that"):
        planned(ready, asked("recheck", annotators=["amal"], n=2, name="Batch 3"))


def test_a_recheck_asks_nothing_that_was_talked_about(ready: Cast) -> None:
    main = opened(ready, asked("overlap", n=4, annotators=["amal", "bea"]))
    shares_of = {user: places(main, user) for user in (ready.amal, ready.bea)}
    for place in [*shares_of[ready.amal], *shares_of[ready.bea]]:
        submit(place)
    own, of_bea, shared, untouched = shares_of[ready.amal]
    of_other = {place.item_id: place for place in shares_of[ready.bea]}
    follow_flag(assigned_item=own, is_flagged=True, comment="Is it?", now=NOW)
    follow_flag(assigned_item=own, is_flagged=False, comment="", now=NOW)
    follow_flag(assigned_item=of_other[of_bea.item_id], is_flagged=True, comment="Hm", now=NOW)
    follow_flag(assigned_item=of_other[shared.item_id], is_flagged=True, comment="Hm", now=NOW)
    Discussion.objects.filter(assigned_item=of_other[shared.item_id]).update(shared_at=NOW)
    plan = planned(ready, asked("recheck", annotators=["amal"], n=2, name="Batch 2"))
    assert shares(plan)["amal"] == {of_bea.item.item_id, untouched.item.item_id}
    with pytest.raises(errors.TooFewOwnItems, match=r"Amal has 2 .* neither discussed nor asked again"):
        planned(ready, asked("recheck", annotators=["amal"], n=3, name="Batch 2"))


def test_a_recheck_asks_nothing_that_was_practised_since(ready: Cast) -> None:
    main = opened(ready, asked("main", n=2, annotators=["amal"]))
    first, second = places(main, ready.amal)
    submit(first)
    submit(second)
    add_gold(ready, ready.study.editions.get(), int(first.item.item_id.removeprefix("item-")))
    opened(ready, asked("practice", annotators=["amal"], name="Warm-up"))
    plan = planned(ready, asked("recheck", annotators=["amal"], n=1, name="Batch 2"))
    assert shares(plan)["amal"] == {second.item.item_id}


def test_a_recheck_compares_judgments_under_one_edition(ready: Cast) -> None:
    main = opened(ready, asked("main", n=2, annotators=["amal"]))
    for place in places(main, ready.amal):
        submit(place)
    add_codebook(ready, "Shown empathy")
    with pytest.raises(errors.TooFewOwnItems, match=r"Amal has 0 .* under the newest edition"):
        planned(ready, asked("recheck", annotators=["amal"], n=1, name="Batch 2"))


def test_active_batches_deal_the_named_items(ready: Cast) -> None:
    request = asked("active", annotators=["amal", "bea"]).model_copy(
        update={"items": [f"item-{number}" for number in range(5)]}
    )
    dealt = shares(planned(ready, request))
    assert set.union(*dealt.values()) == {f"item-{number}" for number in range(5)}
    assert sorted(map(len, dealt.values())) == [2, 3]


def test_the_same_request_makes_the_same_plan(ready: Cast) -> None:
    first, again = planned(ready, asked("main", n=4)), planned(ready, asked("main", n=4))
    assert (first.shares, first.hash) == (again.shares, again.hash)
    assert planned(ready, asked("main", n=4, seed=8)).hash != first.hash
    assert planned(ready, asked("overlap", n=4)).hash != first.hash


def test_what_cannot_be_planned_is_named(ready: Cast) -> None:
    with pytest.raises(errors.NoSample):
        planned(ready, asked("main", samples=[]))
    with pytest.raises(errors.UnknownSample, match="Elsewhere"):
        planned(ready, asked("main", samples=["Main", "Elsewhere"]))
    with pytest.raises(errors.TooFewItems, match="Only 30 items are left, and this batch needs 33"):
        planned(ready, asked("main", n=11))
    with pytest.raises(errors.NoAnnotators):
        planned(ready, asked("main", annotators=[]))
    with pytest.raises(errors.UnknownAnnotator, match="otto"):
        planned(ready, asked("main", annotators=["amal", "otto"]))
    with pytest.raises(errors.NothingToPractise):
        planned(ready, asked("practice"))
    with pytest.raises(errors.NumberMissing):
        planned(ready, asked("recheck"))


def test_named_items_must_be_fresh_items_of_the_study(ready: Cast) -> None:
    with pytest.raises(errors.NoItems):
        planned(ready, asked("active"))
    with pytest.raises(errors.UnknownItems, match="item-99"):
        planned(ready, asked("active").model_copy(update={"items": ["item-1", "item-99"]}))
    overlap = opened(ready, asked("overlap", n=1))
    taken = given_in(overlap)["amal"]
    with pytest.raises(errors.ItemsTaken, match=taken[0]):
        planned(ready, asked("active", name="Batch 2").model_copy(update={"items": taken}))


def test_without_a_codebook_nothing_is_planned(cast: Cast) -> None:
    with pytest.raises(NoCodebook):
        planned(cast, asked("main"))


def test_researchers_and_those_who_left_are_no_annotators(ready: Cast) -> None:
    remove_member(study=ready.study, user=ready.bea, actor=ready.rosa, now=NOW)
    User.objects.filter(pk=ready.chen.pk).update(is_active=False)
    set_member(study=ready.study, user=ready.ada, role=StudyRole.ANNOTATOR, actor=ready.rosa, now=NOW)
    set_member(study=ready.other_study, user=ready.bea, role=StudyRole.ANNOTATOR, actor=ready.otto, now=NOW)
    assert [user.username for user in annotators_of(ready.study)] == ["ada", "amal"]
    User.objects.filter(pk=ready.ravi.pk).update(role=AccountRole.ANNOTATOR)
    assert [user.username for user in annotators_of(ready.study)] == ["ada", "amal", "ravi"]


def test_a_promoted_annotator_is_none_any_more(ready: Cast) -> None:
    assert is_annotator(ready.amal, ready.study)
    assert not is_annotator(ready.amal, ready.other_study)
    assert not is_annotator(ready.rosa, ready.study)
    User.objects.filter(pk=ready.amal.pk).update(role=AccountRole.RESEARCHER)
    assert is_annotator(ready.amal, ready.study)
    set_member(
        study=ready.study,
        user=User.objects.get(pk=ready.amal.pk),
        role=StudyRole.RESEARCHER,
        actor=ready.rosa,
        now=NOW,
    )
    assert not is_annotator(ready.amal, ready.study)


def test_a_due_recheck_does_not_reach_into_the_future(ready: Cast) -> None:
    main = opened(ready, asked("main", n=1, annotators=["amal"]))
    submit(places(main, ready.amal)[0])
    request = asked("recheck", annotators=["amal"], n=1, days=2, name="Batch 2")
    with pytest.raises(errors.TooFewOwnItems):
        planned(ready, request)
    later = plan_batch(study=ready.study, request=request, now=NOW + timedelta(days=2))
    assert later.n_assigned == 1


@pytest.mark.slow
@settings(max_examples=examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.sampled_from(["main", "overlap"]), st.integers(1, 6), st.integers(0, 99)), max_size=5
    )
)
def test_no_item_is_given_out_afresh_twice(ready: Cast, wishes: list[tuple[str, int, int]]) -> None:
    Batch.objects.all().delete()
    seen: set[str] = set()
    for number, (kind, n, seed) in enumerate(wishes):
        request = BatchRequest.model_validate(
            {"name": f"B{number}", "kind": kind, "annotators": ["amal", "bea"], "n": n, "seed": seed}
            | {"samples": ["Main"]}
        )
        wanted = n if kind == "overlap" else 2 * n
        if len(seen) + wanted > 30:
            with pytest.raises(errors.TooFewItems):
                opened(ready, request)
            continue
        items = {item for share in given_in(opened(ready, request)).values() for item in share}
        assert len(items) == wanted
        assert items.isdisjoint(seen)
        seen |= items
