"""When agreement is measured, on what, and by which rule it is read."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.agreement.files import decode_batch_judgments, decode_retest_judgments
from annotation.agreement.trust_rule import Bound, Rule
from backend.annotate.batches.models import Batch, BatchKind, BatchState
from backend.core.jobs.models import Job
from backend.decide.agreement.errors import NothingToCompare, NothingToMeasure, RuleOutOfReach
from backend.decide.agreement.inputs import inputs_of
from backend.decide.agreement.kept_inputs import agreement_folder
from backend.decide.agreement.models import AgreementReport, AgreementRule
from backend.decide.agreement.selectors import DEFAULT_RULE, is_partial, rule_of
from backend.decide.agreement.services import change_rule, measure_if_complete, request_measurement
from backend.operate.erasure.services import erase_study
from tests.backend.decide.agreement.conftest import Measuring
from tests.backend.decide.agreement.fixtures import Team, with_value
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW


def test_a_complete_batch_is_measured_by_itself_once(overlap: Batch, measured: Measuring) -> None:
    job = measure_if_complete(batch=overlap, now=NOW)
    assert job is not None
    assert job.created_by is None
    assert measure_if_complete(batch=overlap, now=NOW) is None
    Job.objects.all().delete()
    measured(overlap)
    assert measure_if_complete(batch=overlap, now=NOW) is None


def test_later_edits_lead_to_no_new_report(overlap: Batch, measured: Measuring, work: CastAtWork) -> None:
    measured(overlap)
    share = overlap.assignments.get(annotator=work.cast.bea)
    team = Team(work, clock=NOW + timedelta(days=1))
    for place in share.assigned_items.select_related("item"):
        team.numbers = {f"{share.pk} {place.item.item_id}": place.pk}
        team.answer(share, place.item, work.answers(place.item))
    assert measure_if_complete(batch=overlap, now=NOW) is None


def test_while_somebody_has_work_left_only_one_query_is_asked(work: CastAtWork) -> None:
    batch = work.batch(work.cast.amal, work.cast.bea, items=work.items)
    with CaptureQueriesContext(connection) as queries:
        assert measure_if_complete(batch=batch, now=NOW) is None
    assert len(queries) == 1


def test_a_closed_batch_is_complete_and_its_report_partial(work: CastAtWork) -> None:
    batch = work.batch(work.cast.amal, work.cast.bea, items=work.items[:4])
    share = batch.assignments.get(annotator=work.cast.amal)
    Team(work).answer_all(batch, {work.cast.bea: work.answers})
    Team(work).answer(share, work.items[0], work.answers(work.items[0]))
    assert measure_if_complete(batch=batch, now=NOW) is None
    batch.state = BatchState.CLOSED
    batch.save()
    assert measure_if_complete(batch=batch, now=NOW) is not None
    assert is_partial(batch)


def test_what_nobody_else_was_given_is_not_compared(work: CastAtWork) -> None:
    batch = work.batch(work.cast.amal, items=work.items[:4], kind=BatchKind.MAIN)
    Team(work).answer_all(batch, {work.cast.amal: work.answers})
    assert measure_if_complete(batch=batch, now=NOW) is None
    with pytest.raises(NothingToMeasure, match="open an overlap batch"):
        request_measurement(batch=batch, actor=work.cast.rosa, now=NOW)
    share = batch.assignments.create(annotator=work.cast.bea, assigned_at=NOW)
    share.assigned_items.create(item=work.items[0], position=0)
    Team(work).answer(share, work.items[0], work.answers(work.items[0]))
    assert measure_if_complete(batch=batch, now=NOW) is not None
    judgments = decode_batch_judgments(inputs_of(batch).content)
    assert [item.item_id for item in judgments.items] == [work.items[0].item_id]
    assert [answer.rater for answer in judgments.answers] == ["amal", "bea"]


def test_practice_is_not_measured_by_itself(work: CastAtWork) -> None:
    batch = work.batch(work.cast.amal, work.cast.bea, items=work.items[:3], kind=BatchKind.PRACTICE)
    Team(work).answer_all(batch, dict.fromkeys((work.cast.amal, work.cast.bea), work.answers))
    assert measure_if_complete(batch=batch, now=NOW) is None


def test_a_skip_and_a_missing_answer_are_gaps(work: CastAtWork) -> None:
    batch = work.batch(work.cast.amal, work.cast.bea, items=work.items[:3])
    Team(work).answer_all(batch, {work.cast.amal: work.answers})
    share = batch.assignments.get(annotator=work.cast.bea)
    Team(work).answer(share, work.items[0], None)
    Team(work).answer(share, work.items[1], work.answers(work.items[1], flag="Hm"))
    judgments = decode_batch_judgments(inputs_of(batch).content)
    assert len(judgments.items) == 3
    assert [(answer.item_id, answer.is_flagged) for answer in judgments.answers if answer.rater == "bea"] == [
        ("item-00001", True)
    ]
    assert b"I feel lost" not in inputs_of(batch).content


def test_a_recheck_is_compared_with_ones_own_first_answers(overlap: Batch, work: CastAtWork) -> None:
    recheck = work.batch(work.cast.amal, items=work.items[:3], name="Again", kind=BatchKind.RECHECK)
    with pytest.raises(NothingToCompare):
        request_measurement(batch=recheck, actor=work.cast.rosa, now=NOW)
    first = decode_batch_judgments(inputs_of(overlap).content).answers
    own = {answer.item_id: answer for answer in first if answer.rater == "amal"}
    Team(work).answer_all(
        recheck, {work.cast.amal: lambda item: with_value(work.answers(item), "asking-advice", 0)}
    )
    retests = decode_retest_judgments(inputs_of(recheck).content).retests
    assert [retest.before for retest in retests] == [own[item.item_id] for item in work.items[:3]]
    assert {retest.after.rater for retest in retests} == {"amal"}
    assert measure_if_complete(batch=recheck, now=NOW) is not None


def test_measuring_again_meanwhile_is_the_same_job(overlap: Batch, work: CastAtWork) -> None:
    job = request_measurement(batch=overlap, actor=work.cast.rosa, now=NOW)
    assert request_measurement(batch=overlap, actor=work.cast.ravi, now=NOW) == job


def test_a_report_never_changes(overlap: Batch, measured: Measuring) -> None:
    report = measured(overlap)
    with pytest.raises(DatabaseError, match="never change"), transaction.atomic():
        AgreementReport.objects.filter(pk=report.pk).update(is_partial=True)


def test_a_study_goes_with_its_reports_and_files(
    overlap: Batch, measured: Measuring, work: CastAtWork
) -> None:
    measured(overlap)
    change_rule(study=work.study, rule=Rule("gwet_ac1", Bound.VALUE, 0.7), actor=work.cast.rosa, now=NOW)
    assert len(list(agreement_folder(work.study).iterdir())) == 1
    erase_study(study=work.study)
    assert not AgreementReport.objects.exists()
    assert not AgreementRule.objects.exists()
    assert not agreement_folder(work.study).exists()


def test_the_rule_has_a_default_and_a_history(work: CastAtWork) -> None:
    assert rule_of(work.study) == DEFAULT_RULE == Rule("fleiss_kappa", Bound.LOW, 0.61)
    asked = Rule("krippendorff_alpha", Bound.VALUE, 0.667)
    for _ in range(2):
        change_rule(study=work.study, rule=asked, actor=work.cast.ravi, now=NOW)
    assert rule_of(work.study) == asked
    changes = work.study.events.filter(summary__startswith="Themes are trusted by another rule")
    assert [change.actor for change in changes] == [work.cast.ravi]
    with pytest.raises(RuleOutOfReach):
        change_rule(study=work.study, rule=Rule(asked.measure, asked.bound, 2), actor=work.cast.ravi, now=NOW)
