"""A plan is frozen before there are labels, and nothing can change it afterwards."""

from __future__ import annotations

import msgspec
import pytest
from django.db import DatabaseError, transaction

from analysis.preregistration import Outcome, Plan, PlannedContrast, PlannedRule, PlannedSample, plan_hash
from backend.annotate.batches.models import BatchKind
from backend.design.corpora.models import Corpus
from backend.design.samples.models import Item
from backend.publish.preregistration.errors import LabelsExist, SamePlan, UnknownInPlan
from backend.publish.preregistration.models import Preregistration
from backend.publish.preregistration.selectors import comparison_of, planned_edition
from backend.publish.preregistration.services import freeze_plan
from corpus.sampling.designs import PpsPosts
from tests.backend.decide.agreement.fixtures import Team
from tests.batch_fixtures import Work
from tests.cast import NOW, Cast
from tests.demo_corpus import draw_demo

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def work(cast: Cast, demo_corpus: Corpus) -> Work:
    sample = draw_demo(demo_corpus, "Main", PpsPosts(n=3), cast.rosa)
    return Work.of(cast.study, cast.rosa, list(Item.objects.filter(draws__sample=sample).order_by("item_id")))


def plan_of(work: Work, **changed: object) -> Plan:
    (sample,) = work.study.samples.all()
    plan = Plan(
        edition=planned_edition(work.edition),
        samples=(PlannedSample(sample.corpus.name, "pps_posts", sample.n_items),),
        agreement_rule=PlannedRule("fleiss_kappa", "low", 0.61),
        learners=("majority",),
        contrasts=(PlannedContrast("overall"),),
    )
    return msgspec.structs.replace(plan, **changed)


def freeze(work: Work, **changed: object) -> Preregistration:
    return freeze_plan(study=work.study, plan=plan_of(work, **changed), actor=work.researcher, now=NOW)


def judge(work: Work, cast: Cast, kind: BatchKind) -> None:
    batch = work.batch(cast.amal, items=work.items[:2], name=kind.value, kind=kind)
    Team(work).answer_all(batch, {cast.amal: work.answers})


def test_it_keeps_what_was_planned_and_when(work: Work) -> None:
    found = freeze(work)
    assert (found.number, found.hash, found.created_at) == (1, plan_hash(plan_of(work)), NOW)
    assert found.plan == plan_of(work)
    assert work.study.events.filter(summary__startswith="Froze plan 1").exists()


def test_a_changed_mind_is_another_plan_and_the_same_one_is_refused(work: Work) -> None:
    freeze(work)
    with pytest.raises(SamePlan, match="Plan 1"):
        freeze(work)
    assert freeze(work, epsilon=0.1).number == 2
    assert [each.number for each in work.study.preregistrations.all()] == [2, 1]


def test_the_database_refuses_to_rewrite_it(work: Work) -> None:
    found = freeze(work)
    with pytest.raises(DatabaseError, match="never change"), transaction.atomic():
        Preregistration.objects.filter(pk=found.pk).update(canonical="{}")
    found.refresh_from_db()
    assert found.plan == plan_of(work)


def test_after_the_first_answer_nothing_can_be_frozen(work: Work, cast: Cast) -> None:
    judge(work, cast, BatchKind.PRACTICE)
    freeze(work)
    judge(work, cast, BatchKind.OVERLAP)
    with pytest.raises(LabelsExist, match="2 answers already"):
        freeze(work, epsilon=0.2)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"learners": ("oracle",)}, "learner oracle"),
        ({"contrasts": (PlannedContrast("horoscope"),)}, "section horoscope"),
        ({"contrasts": (PlannedContrast("overall", ("kindness",)),)}, "code kindness"),
        ({"samples": (PlannedSample("Elsewhere", "pps_posts", 5),)}, "corpus Elsewhere"),
        ({"agreement_rule": PlannedRule("luck", "low", 0.5)}, "statistic luck"),
    ],
)
def test_what_does_not_exist_cannot_be_planned(work: Work, changed: dict[str, object], named: str) -> None:
    with pytest.raises(UnknownInPlan, match=named):
        freeze(work, **changed)


def test_an_edition_is_known_by_its_hash(work: Work) -> None:
    edition = msgspec.structs.replace(planned_edition(work.edition), hash="0" * 64)
    with pytest.raises(UnknownInPlan, match="edition with the hash"):
        freeze(work, edition=edition)


def test_what_was_done_since_is_held_against_it(work: Work, cast: Cast) -> None:
    (sample,) = work.study.samples.all()
    found = freeze(work, samples=(PlannedSample(sample.corpus.name, "pps_posts", sample.n_items + 1),))
    judge(work, cast, BatchKind.OVERLAP)
    outcomes = {each.what: each.outcome for each in comparison_of(found)}
    assert outcomes == {
        "codebook": Outcome.AS_PLANNED,
        "sample": Outcome.DEVIATION,
        "agreement rule": Outcome.AS_PLANNED,
        "model": Outcome.NOT_DONE,
        "contrast": Outcome.NOT_DONE,
    }
