"""Looks at test sets: each spends once, the same evidence is not spent for again, and what is left is shown."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.test import Client

from annotation.agreement.trust_rule import Bound
from backend.decide.releases.models import Release
from backend.learn.models.ledger import known_sets, ledger_states, take_look
from backend.learn.models.models import Adapter, PromotionLook
from backend.learn.models.services import change_promotion_rule, promote
from learning.alpha_spending import level_of_look
from learning.promotion.findings import Findings, LeftOut, Reproduced
from learning.promotion.rule import PromotionRule
from learning.promotion.swap_test import SwapTest
from learning.scoring.compare import Comparison
from learning.tasks.contract import ExamineResult
from tests.backend.learn.models.fixtures import examine, train
from tests.cast import NOW, Cast

pytestmark = pytest.mark.django_db


def result_on(posts: range, gold_hash: str, *, p: float = 0.5, n_posts: int | None = None) -> ExamineResult:
    """Of a comparison on these posts."""
    comparison = Comparison(
        split=None,
        gold_hash=gold_hash,
        n_items=len(posts),
        n_posts=len(posts) if n_posts is None else n_posts,
        n_one_sided=0,
        codes=(),
        means=(),
        resamples=100,
        seed=1,
    )
    findings = Findings(
        candidate="c",
        opponent=None,
        release_hash="h",
        problem="",
        reproduced=Reproduced(n_scores=1, largest=0.0),
        left_out=LeftOut(),
        comparison=comparison,
        chance=SwapTest(p=p, least_gain=0.0, spread=0.02, n_tosses=1000, n_differing=20),
    )
    return ExamineResult(findings=findings, posts=tuple(f"post-{number}" for number in posts))


def look(adapter: Adapter, result: ExamineResult, rule: PromotionRule | None = None) -> PromotionLook | None:
    return take_look(
        candidate=adapter,
        incumbent=None,
        result=result,
        gain=None,
        rule=rule or PromotionRule(),
        actor=None,
        now=NOW,
    )


@pytest.fixture
def adapter(release: Release) -> Adapter:
    return train(release)


def test_examining_spends_a_look_and_examining_again_does_not(release: Release) -> None:
    """Nor does it after something else was in service meanwhile: the same evidence has the same answer."""
    candidate = train(release, "tfidf-logistic")
    other = train(release, "tfidf-logistic", seed=2, options={"strength": 1.5})
    first = examine(candidate)
    assert first.passed and first.look is not None and first.look.passed
    assert (first.look.number, first.look.level) == (1, level_of_look(1))
    assert first.look.n_posts == len(first.look.ledger.posts) == first.look.n_fresh
    promote(adapter=other, report=None, override_reason="Tests", actor=None, now=NOW)
    second = examine(candidate)
    assert second.look is not None and (second.look.number, second.look.ledger) == (2, first.look.ledger)
    assert second.look.incumbent == other and not second.passed
    assert examine(candidate) == second
    assert PromotionLook.objects.count() == 2


def test_another_rule_spends_only_if_it_asks_for_another_gain(release: Release, cast: Cast) -> None:
    candidate = train(release, "tfidf-logistic")
    first = examine(candidate)
    asked = {"drop": PromotionRule(largest_drop=0.3), "gain": PromotionRule(least_gain=0.9)}
    for rule in asked.values():
        change_promotion_rule(study=release.study, rule=rule, actor=cast.rosa, now=NOW)
        latest = examine(candidate)
        if rule is asked["drop"]:
            assert latest != first and latest.look == first.look and latest.passed
    assert latest.look is not None and latest.look.number == 2 and not latest.passed


def test_the_gain_itself_spends_too_so_that_nobody_looks_for_free(release: Release, cast: Cast) -> None:
    by_value = PromotionRule(bound=Bound.VALUE)
    change_promotion_rule(study=release.study, rule=by_value, actor=cast.rosa, now=NOW)
    report = examine(train(release, "tfidf-logistic"))
    assert report.passed and report.look is not None


def test_looks_at_about_the_same_posts_share_a_level_and_new_posts_begin_another(adapter: Adapter) -> None:
    sets = [range(60), range(61), range(119), range(120), range(125), range(60)]
    taken = [look(adapter, result_on(posts, f"gold-{at}")) for at, posts in enumerate(sets)]
    found = [(each.ledger.number, each.number) for each in taken if each]
    assert found == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (1, 4)]
    assert [len(each.posts) for each in known_sets(adapter.study)] == [120, 60]
    levels = [each.level for each in taken if each]
    assert levels == [level_of_look(number) for _, number in found]


def test_too_few_posts_to_show_anything_spend_nothing(adapter: Adapter) -> None:
    assert look(adapter, result_on(range(5), "gold")) is None
    assert not PromotionLook.objects.exists() and not adapter.study.promotion_ledgers.exists()


def test_a_look_passes_by_what_is_left_when_it_is_taken(adapter: Adapter) -> None:
    p = (level_of_look(1) + level_of_look(2)) / 2
    first, second = (look(adapter, result_on(range(60), gold, p=p)) for gold in ("g1", "g2"))
    assert first and second and (first.passed, second.passed) == (True, False)
    again = look(adapter, result_on(range(60), "g1", p=0.9))
    assert again == first, "what was found the first time holds"


def test_the_database_lets_no_look_be_spent_twice_nor_rewritten(adapter: Adapter) -> None:
    taken = look(adapter, result_on(range(60), "gold"))
    assert taken
    fields = {
        field.attname: getattr(taken, field.attname)
        for field in PromotionLook._meta.fields
        if field.attname != "id"
    }
    for other in ({"evidence": "another"}, {"number": 2}):
        with pytest.raises(IntegrityError), transaction.atomic():
            PromotionLook.objects.create(**{**fields, **other})
    with pytest.raises(DatabaseError, match="never change"), transaction.atomic():
        PromotionLook.objects.filter(pk=taken.pk).update(level=0.001)
    with pytest.raises(DatabaseError, match="never change"), transaction.atomic():
        adapter.study.promotion_ledgers.update(number=9)


def worn(adapter: Adapter, looks: int) -> None:
    for at in range(looks):
        assert look(adapter, result_on(range(60), f"gold-{at}"))


def test_a_set_that_is_worn_out_says_so_and_what_begins_another(adapter: Adapter) -> None:
    worn(adapter, 33)
    (before,) = ledger_states(adapter.study, PromotionRule())
    assert not before.is_worn_out and before.fresh_needed == 60
    look(adapter, result_on(range(70), "one more"))
    (after,) = ledger_states(adapter.study, PromotionRule(least_gain=0.01))
    assert after.is_worn_out and after.n_looks == 34
    assert (after.spent, after.left) == pytest.approx((0.05 * 34 / 39, 0.05 * 5 / 39))
    assert "34 looks have spent 4.4% of 5%; 0.64% is left." in after.words
    assert "that takes a gain of about 8.2 points, where the first look asked for 5.8" in after.words
    assert after.fresh_needed == 50 and "50 more posts" in after.refresh_words
    assert before.gain_needed is not None and after.gain_needed is not None
    assert after.gain_needed > before.gain_needed


def test_pages_and_calls_show_every_look_and_what_is_left(
    release: Release, cast: Cast, client: Client
) -> None:
    report = examine(train(release, "tfidf-logistic"))
    assert report.look
    client.force_login(cast.rosa)
    home, calls = f"/studies/{release.study.slug}/models", f"/api/v1/studies/{release.study.slug}/models"
    pages = [home, f"{home}/test-sets/1", f"{home}/promotion/{report.pk}"]
    listed, looks, reported = (client.get(page).content.decode() for page in pages)
    assert "Looks at the test items" in listed and pages[1] in listed
    assert "majority baseline" in looks and "allows 0.83%" in reported
    for at in range(33):
        again = msgspec.structs.replace(
            result_on(range(9), f"gold-{at}"), posts=tuple(report.look.ledger.posts)
        )
        look(report.candidate, again)
    assert all("worn out" not in page for page in (listed, looks, reported))
    assert all("worn out" in client.get(page).content.decode() for page in pages)
    (found,) = client.get(f"{calls}/test-sets").json()
    assert (found["number"], found["n_looks"], len(found["looks"]), found["is_worn_out"]) == (1, 34, 34, True)
    assert found["spent"] + found["left"] == pytest.approx(0.05)
    (given,) = client.get(f"{calls}/1/promotion-reports").json()
    assert given["look"]["number"] == 1 and given["look"]["passed"]
    assert client.get(f"{home}/test-sets/9").status_code == 404


def test_when_it_was_is_kept(adapter: Adapter) -> None:
    taken = take_look(
        candidate=adapter,
        incumbent=None,
        result=result_on(range(60), "gold"),
        gain=None,
        rule=PromotionRule(),
        actor=adapter.created_by,
        now=NOW + timedelta(days=1),
    )
    assert taken and (taken.at, taken.actor) == (NOW + timedelta(days=1), adapter.created_by)
