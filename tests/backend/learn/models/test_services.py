"""What enters service and leaves it, who may do so, and who is told."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.db import IntegrityError, transaction

from annotation.agreement.trust_rule import Bound
from backend.core.studies.models import Study
from backend.decide.releases.models import Release
from backend.learn.models.errors import (
    InServiceAlready,
    NothingInService,
    NothingToGoBackTo,
    ReasonNeeded,
    ReportOfAnother,
    ReportOutdated,
    RetiredAlready,
    RuleNotMet,
    RuleOutOfReach,
)
from backend.learn.models.hooks import service_changed
from backend.learn.models.models import Adapter, AdapterEvent, AdapterState, PromotionReport, adapters_folder
from backend.learn.models.selectors import adapter_in_service, promotion_rule_of
from backend.learn.models.service_file import mend_service_files, write_service_file
from backend.learn.models.services import change_promotion_rule, promote, retire, roll_back
from backend.learn.retraining.services import catch_up
from learning.adapters.in_service import read_in_service
from learning.promotion.rule import PromotionRule
from tests.backend.learn.models.fixtures import train
from tests.cast import NOW, Cast
from tests.underway import underway

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def three(release: Release) -> list[Adapter]:
    return [train(release, "random", seed=seed) for seed in (1, 2, 3)]


def report_on(candidate: Adapter, incumbent: Adapter | None, *, passed: bool = True) -> PromotionReport:
    return PromotionReport.objects.create(
        study=candidate.study,
        candidate=candidate,
        incumbent=incumbent,
        release=candidate.release,
        rule={},
        content="{}",
        passed=passed,
        created_at=NOW,
    )


def enter(adapter: Adapter) -> None:
    report = report_on(adapter, adapter_in_service(adapter.study))
    promote(adapter=adapter, report=report, actor=None, now=NOW)


def states() -> list[str]:
    return list(Adapter.objects.order_by("number").values_list("state", flat=True))


def test_an_adapter_enters_through_the_gate_and_the_one_before_it_retires(three: list[Adapter]) -> None:
    enter(three[0])
    enter(three[1])
    assert states() == ["retired", "in_service", "candidate"]
    said = read_in_service(adapters_folder(three[0].study))
    assert said is not None
    assert (said.adapter_id, said.folder) == (three[1].adapter_id, str(three[1].folder))
    assert (said.edition_hash, said.since) == (three[1].edition.hash, NOW.isoformat())
    event = AdapterEvent.objects.first()
    assert event is not None
    assert (event.adapter, event.replaced, event.kind) == (three[1], three[0], "promoted")


def test_what_did_not_pass_stays_out(three: list[Adapter]) -> None:
    one, two, _ = three
    with pytest.raises(RuleNotMet):
        promote(adapter=one, report=report_on(one, None, passed=False), actor=None, now=NOW)
    with pytest.raises(ReportOfAnother):
        promote(adapter=one, report=report_on(two, None), actor=None, now=NOW)
    with pytest.raises(ReasonNeeded):
        promote(adapter=one, report=None, override_reason="  ", actor=None, now=NOW)
    before = report_on(two, None)
    enter(one)
    with pytest.raises(ReportOutdated):
        promote(adapter=two, report=before, actor=None, now=NOW)
    with pytest.raises(InServiceAlready):
        promote(adapter=one, report=report_on(one, one), actor=None, now=NOW)
    assert states() == ["in_service", "candidate", "candidate"]


def test_a_researcher_can_override_with_a_reason_that_is_kept(three: list[Adapter], cast: Cast) -> None:
    report = report_on(three[0], None, passed=False)
    promote(adapter=three[0], report=report, override_reason="It finds grief.", actor=cast.rosa, now=NOW)
    event = AdapterEvent.objects.get()
    assert (event.kind, event.reason, event.actor) == ("overridden", "It finds grief.", cast.rosa)
    assert event.promotion_report == report


def test_one_goes_back_step_by_step_and_not_in_circles(three: list[Adapter]) -> None:
    study = three[0].study
    with pytest.raises(NothingInService):
        roll_back(study=study, actor=None, now=NOW)
    for adapter in three:
        enter(adapter)
    assert roll_back(study=study, actor=None, now=NOW) == three[1]
    assert roll_back(study=study, actor=None, now=NOW) == three[0]
    with pytest.raises(NothingToGoBackTo):
        roll_back(study=study, actor=None, now=NOW)
    assert states() == ["in_service", "retired", "retired"]


def test_retiring_the_one_in_service_leaves_none(three: list[Adapter]) -> None:
    enter(three[0])
    retire(adapter=three[0], reason="Too old.", actor=None, now=NOW)
    assert adapter_in_service(three[0].study) is None
    assert read_in_service(adapters_folder(three[0].study)) is None
    with pytest.raises(RetiredAlready):
        retire(adapter=three[0], actor=None, now=NOW)


told: list[tuple[str, Adapter | None]] = []


def note_service(study: Study, adapter: Adapter | None, now: datetime) -> None:
    told.append((study.slug, adapter))


def test_others_are_told_within_the_transaction(
    three: list[Adapter], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_changed, "paths", [f"{__name__}.{note_service.__name__}"])
    enter(three[0])
    retire(adapter=three[0], actor=None, now=NOW)
    slug = three[0].study.slug
    assert told == [(slug, three[0]), (slug, None)]


def test_the_database_knows_one_in_service_alone(three: list[Adapter]) -> None:
    enter(three[0])
    with pytest.raises(IntegrityError), transaction.atomic():
        Adapter.objects.filter(pk=three[1].pk).update(state=AdapterState.IN_SERVICE)


@pytest.mark.parametrize("model", [AdapterEvent, PromotionReport])
def test_history_is_never_rewritten(
    three: list[Adapter], model: type[AdapterEvent | PromotionReport]
) -> None:
    enter(three[0])
    with pytest.raises(IntegrityError), transaction.atomic():
        model.objects.update(study=three[0].study)


def test_a_file_that_a_kill_left_behind_is_mended(three: list[Adapter]) -> None:
    enter(three[0])
    folder = adapters_folder(three[0].study)
    for damage in (b"{", b'{"in_service": null}'):
        (folder / "in_service.json").write_bytes(damage)
        mend_service_files()
        said = read_in_service(folder)
        assert said is not None and said.adapter_id == three[0].adapter_id


def test_the_file_is_not_written_by_what_is_about_to_change(three: list[Adapter]) -> None:
    """Whoever reads before another commits, and writes afterwards, would leave the retired one in the file."""
    enter(three[0])
    with underway(lambda: enter(three[1])):
        write_service_file(three[0].study)
        said = read_in_service(adapters_folder(three[0].study))
    assert said is not None and said.adapter_id == three[1].adapter_id


def test_catching_up_mends_the_file_too(three: list[Adapter]) -> None:
    enter(three[0])
    folder = adapters_folder(three[0].study)
    written = (folder / "in_service.json").read_bytes()
    (folder / "in_service.json").write_bytes(b'{"in_service": null}')
    catch_up(now=NOW)
    assert (folder / "in_service.json").read_bytes() == written
    before = (folder / "in_service.json").stat().st_ino
    catch_up(now=NOW)
    assert (folder / "in_service.json").stat().st_ino == before, "nothing differs, nothing is written"


def test_a_study_sets_its_own_rule(cast: Cast) -> None:
    assert promotion_rule_of(cast.study) == PromotionRule()
    rule = PromotionRule(least_gain=0.01, bound=Bound.VALUE, largest_drop=0.2, resamples=500)
    change_promotion_rule(study=cast.study, rule=rule, actor=cast.rosa, now=NOW)
    assert promotion_rule_of(cast.study) == rule
    with pytest.raises(RuleOutOfReach):
        change_promotion_rule(study=cast.study, rule=PromotionRule(least_gain=1.0), actor=cast.rosa, now=NOW)
