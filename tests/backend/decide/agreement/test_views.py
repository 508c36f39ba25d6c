"""Pages of agreement tell what was measured, to researchers alone."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from lxml import html

from annotation.agreement.registry import statistics
from annotation.agreement.reports import BatchAgreement, RetestAgreement
from annotation.agreement.round_difference import SAME_POSTS
from annotation.agreement.trust_rule import Decision
from annotation.answers import Answers
from backend.annotate.batches.models import AssignedItem, Batch, BatchKind
from backend.core.jobs.models import Job
from backend.core.jobs.runner import run_job
from backend.decide.agreement.models import AgreementReport
from backend.decide.agreement.reading import read_report
from backend.decide.agreement.rounds import rounds_of
from backend.decide.agreement.selectors import rule_of
from backend.decide.agreement.verdicts import headline_of, theme_rows
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.models import Item
from tests.backend.decide.agreement.conftest import Measuring, work_as_ml_backend
from tests.backend.decide.agreement.fixtures import STEADY, Team, annotator, judged_batch, truths
from tests.batch_fixtures import CastAtWork
from tests.cast import Cast

HERE = "/studies/kind-words/agreement"


@pytest.fixture
def rosa(work: CastAtWork) -> Client:
    client = Client()
    client.force_login(work.cast.rosa)
    return client


def parsed(content: bytes) -> Any:
    return html.fromstring(content)


def words_of(client: Client, address: str) -> str:
    answer = client.get(address, follow=True)
    assert answer.status_code == 200
    return " ".join(parsed(answer.content).xpath("//main")[0].text_content().split())


def test_without_an_overlap_batch_the_page_says_what_to_do(work: CastAtWork, rosa: Client) -> None:
    page = words_of(rosa, HERE)
    assert "Nothing to compare yet" in page
    assert 'href="/studies/kind-words/batches/new?kind=overlap"' in rosa.get(HERE).content.decode()


def test_without_a_codebook_it_says_to_choose_one(cast: Cast) -> None:
    client = Client()
    client.force_login(cast.rosa)
    assert "No codebook yet" in words_of(client, HERE)


def test_the_report_says_what_the_rule_says(overlap: Batch, measured: Measuring, rosa: Client) -> None:
    report = measured(overlap)
    agreement = read_report(report)
    assert isinstance(agreement, BatchAgreement)
    rows = theme_rows(codebook_of(report.edition), agreement, rule_of(report.study))
    trusted = sum(row.judged.verdict.decision is Decision.TRUSTED for row in rows)
    again = sum(row.judged.verdict.decision is Decision.ANOTHER_ROUND for row in rows)
    page = words_of(rosa, f"{HERE}/batches/{overlap.pk}")
    assert f"{trusted} of 13 themes can be trusted; {again} need another round." in page
    assert "the lower bound of Fleiss' kappa is at least 0.61" in page
    for row in rows:
        found = row.agreement.ratings["fleiss_kappa"]
        assert f"{found.value:.2f}".replace("-", "") in page.replace("\u2212", "")
    for warning in (row.agreement.prevalence_warning for row in rows if row.agreement.prevalence_warning):
        assert warning in page
    assert all(each.head in page for each in statistics())
    assert "Krippendorff’s alpha: checked against krippendorff 0.9.0: equal to 1e-12." in page
    assert "Who disagrees with whom" in page
    assert "4 of 12 items have fewer than two ratings and are left out." in page


def test_the_reason_stands_beside_a_verdict_that_is_not_trusted(
    overlap: Batch, measured: Measuring, rosa: Client
) -> None:
    """A kappa of 1.00 with “another round” is a riddle without it."""
    report = measured(overlap)
    agreement = read_report(report)
    assert isinstance(agreement, BatchAgreement)
    rows = theme_rows(codebook_of(report.edition), agreement, rule_of(overlap.study))
    untrusted = [row for row in rows if not row.judged.is_trusted]
    assert untrusted
    page = parsed(rosa.get(f"/studies/kind-words/agreement/reports/{report.pk}").content)
    said = [" ".join(cell.text_content().split()) for cell in page.xpath("//td")]
    for row in untrusted:
        assert any(
            cell.startswith(row.judged.words.capitalize()) or row.judged.words in cell for cell in said
        )
        assert any(row.judged.verdict.reason in cell for cell in said)


def test_the_headline_is_on_the_list_and_on_the_batch(
    overlap: Batch, measured: Measuring, rosa: Client
) -> None:
    told = headline_of(measured(overlap), rule_of(overlap.study))
    assert told is not None
    assert told.words in words_of(rosa, HERE)
    assert told.words in words_of(rosa, f"/studies/kind-words/batches/{overlap.pk}")


def test_the_items_behind_a_number_are_one_click_away(
    overlap: Batch, measured: Measuring, rosa: Client
) -> None:
    report = measured(overlap)
    agreement = read_report(report)
    assert isinstance(agreement, BatchAgreement)
    code = max(agreement.codes, key=lambda each: len(each.disagreed))
    address = f"{HERE}/reports/{report.pk}/themes/{code.code_id}"
    assert f'href="{address}"' in rosa.get(f"{HERE}/reports/{report.pk}").content.decode()
    page = parsed(rosa.get(address).content)
    rows = page.xpath("//tbody/tr")
    linked = [str(row.xpath(".//a")[0].get("href")).rpartition("/")[2] for row in rows]
    assert linked == list(code.disagreed)
    for row in rows:
        said = [cell.text_content().strip() for cell in row.xpath("td")]
        assert {"yes", "no"} <= set(said)
    assert rosa.get(f"{HERE}/reports/{report.pk}/themes/nonsense").status_code == 404


def test_the_items_in_which_evidence_lies_elsewhere_are_one_click_away(
    work: CastAtWork, measured: Measuring, rosa: Client
) -> None:
    def first_words(item: Item) -> Answers:
        return work.answers(item, "asking-advice")

    def last_word(item: Item) -> Answers:
        answers = first_words(item)
        (span,) = answers.spans
        end = len(item.post_text.rstrip())
        moved = replace(span, start=item.post_text.rfind(" ", 0, end) + 1, end=end)
        return replace(answers, spans=(moved,))

    cast = work.cast
    batch = work.batch(cast.amal, cast.bea, items=work.items[:3], kind=BatchKind.OVERLAP)
    Team(work).answer_all(batch, {cast.amal: first_words, cast.bea: last_word})
    report = measured(batch)
    address = f"{HERE}/reports/{report.pk}/themes/asking-advice?what=evidence"
    assert f'href="{address}"' in rosa.get(f"{HERE}/reports/{report.pk}").content.decode()
    rows = parsed(rosa.get(address).content).xpath("//tbody/tr")
    assert len(rows) == 3
    for row in rows:
        one, other = (str(mark.text_content()) for mark in row.xpath("td/p"))
        assert one != other
    assert rosa.get(address.replace("evidence", "answers")).status_code == 200
    assert not parsed(rosa.get(address.replace("evidence", "answers")).content).xpath("//tbody/tr")


def test_the_items_between_two_annotators_are_one_click_away(
    overlap: Batch, measured: Measuring, rosa: Client
) -> None:
    report = measured(overlap)
    agreement = read_report(report)
    assert isinstance(agreement, BatchAgreement)
    code = max(agreement.codes, key=lambda each: len(each.disagreed))
    items = f"{HERE}/reports/{report.pk}/themes/{code.code_id}"
    page = parsed(rosa.get(f"{HERE}/reports/{report.pk}").content)
    assert f"{items}?pair=amal&pair=bea" in page.xpath("//details//td/a/@href")
    shown: dict[str, None] = {}
    for pair in code.ratings.pairs:
        rows = parsed(rosa.get(f"{items}?pair={pair.rater}&pair={pair.other}").content).xpath("//tbody/tr")
        assert all({"yes", "no"} <= {cell.text_content().strip() for cell in row.xpath("td")} for row in rows)
        assert pair.raw_agreement.value is not None
        assert len(rows) == round((1 - pair.raw_agreement.value) * pair.raw_agreement.n_items)
        shown |= {str(row.xpath(".//a")[0].get("href")).rpartition("/")[2]: None for row in rows}
    assert set(shown) == set(code.disagreed)
    for wrong in ("pair=amal", "pair=amal&pair=nobody", "pair=amal&pair=amal"):
        assert rosa.get(f"{items}?{wrong}").status_code == 404


def test_measuring_can_be_watched_until_the_report_is_there(overlap: Batch, rosa: Client) -> None:
    answer = rosa.post(f"{HERE}/batches/{overlap.pk}/measure")
    assert answer.headers["Location"] == f"{HERE}/batches/{overlap.pk}"
    job = Job.objects.get()
    page = rosa.get(f"{HERE}/batches/{overlap.pk}").content.decode()
    watched = f"{HERE}/batches/{overlap.pk}/measuring/{job.pk}"
    assert f'hx-get="{watched}"' in page
    run_job(job_id=job.pk, clock=timezone.now)
    assert "aiting for the ML backend" in rosa.get(watched).content.decode()
    work_as_ml_backend(job)
    run_job(job_id=job.pk, clock=timezone.now)
    answer = rosa.get(watched)
    assert answer.headers["HX-Redirect"] == f"{HERE}/batches/{overlap.pk}"
    report = AgreementReport.objects.get()
    assert rosa.get(answer.headers["HX-Redirect"]).headers["Location"] == f"{HERE}/reports/{report.pk}"


def test_what_cannot_be_measured_is_explained(work: CastAtWork, rosa: Client) -> None:
    batch = work.batch(work.cast.amal, work.cast.bea, items=work.items)
    assert "Not everybody is done" in words_of(rosa, f"{HERE}/batches/{batch.pk}")
    answer = rosa.post(f"{HERE}/batches/{batch.pk}/measure", follow=True)
    assert "no item has sound answers from two annotators yet" in answer.content.decode()
    alone = work.batch(work.cast.amal, items=work.items, name="Main 1", kind=BatchKind.MAIN)
    assert "Nothing to compare in this batch" in words_of(rosa, f"{HERE}/batches/{alone.pk}")


def test_a_partial_report_says_so(work: CastAtWork, measured: Measuring, rosa: Client) -> None:
    batch = work.batch(work.cast.amal, work.cast.bea, items=work.items[:4])
    Team(work).answer_all(batch, {work.cast.amal: work.answers})
    share = batch.assignments.get(annotator=work.cast.bea)
    Team(work).answer(share, work.items[0], work.answers(work.items[0]))
    report = measured(batch)
    assert report.is_partial
    assert "This report is partial" in words_of(rosa, f"{HERE}/reports/{report.pk}")


def test_exports_hold_the_numbers_of_the_report(overlap: Batch, measured: Measuring, rosa: Client) -> None:
    report = measured(overlap)
    agreement = read_report(report)
    assert isinstance(agreement, BatchAgreement)
    answer = rosa.get(f"{HERE}/reports/{report.pk}/report.csv")
    assert (
        answer.headers["Content-Disposition"]
        == f'attachment; filename="kind-words-agreement-{report.pk}.csv"'
    )
    rows = list(csv.DictReader(StringIO(answer.content.decode())))
    for code in agreement.codes:
        (row,) = [row for row in rows if (row["code"], row["measure"]) == (code.code_id, "fleiss_kappa")]
        found = code.ratings["fleiss_kappa"]
        assert (float(row["value"]), float(row["low"])) == (found.value, found.low)
    latex = rosa.get(f"{HERE}/reports/{report.pk}/report.tex").content.decode()
    assert "\\toprule" in latex
    mean = agreement.means[-1]["fleiss_kappa"]
    assert f"{mean.value:.2f} [" in latex
    whole = rosa.get(f"{HERE}/reports/{report.pk}/report.json").json()
    assert whole == json.loads(report.measures)
    assert rosa.get(f"{HERE}/reports/{report.pk}/report.docx").status_code == 404


def test_a_recheck_compares_people_with_themselves(
    work: CastAtWork, overlap: Batch, measured: Measuring, rosa: Client
) -> None:
    recheck = work.batch(work.cast.amal, items=work.items, name="Batch 9", kind=BatchKind.RECHECK)
    truth = truths(work, work.items)
    Team(work).answer_all(recheck, {work.cast.amal: annotator(work, truth, STEADY, 77)})
    report = measured(recheck)
    agreement = read_report(report)
    assert isinstance(agreement, RetestAgreement)
    assert "12 items that annotators judged a second time" in words_of(rosa, f"{HERE}/reports/{report.pk}")
    changed = next((each for each in agreement.codes if each.changed), None)
    assert changed is not None
    assert "→" in words_of(rosa, f"{HERE}/reports/{report.pk}/themes/{changed.code_id}")
    rows = list(csv.DictReader(StringIO(rosa.get(f"{HERE}/reports/{report.pk}/report.csv").content.decode())))
    assert {row["annotator"] for row in rows} == {"all", "amal"}
    assert (
        "Test–retest agreement of 1 annotators"
        in rosa.get(f"{HERE}/reports/{report.pk}/report.tex").content.decode()
    )


def test_rounds_stand_side_by_side(work: CastAtWork, measured: Measuring, rosa: Client) -> None:
    cast = work.cast
    people = {cast.amal: STEADY, cast.bea: STEADY}
    assert "No round yet" in words_of(rosa, f"{HERE}/rounds")
    measured(judged_batch(work, work.items[:6], people, name="Round one"))
    assert "There is one round so far" in words_of(rosa, f"{HERE}/rounds")
    measured(judged_batch(work, work.items[6:], people, name="Round two", seed=2))
    page = parsed(rosa.get(f"{HERE}/rounds").content)
    names = [link.text_content() for link in page.xpath("//thead//a")]
    assert names == ["Round one", "Round two"]
    assert len(page.findall(".//tbody/tr")) == 13


def test_rounds_go_by_the_posts_that_were_measured(work: CastAtWork, measured: Measuring) -> None:
    cast = work.cast
    people = {cast.amal: STEADY, cast.bea: STEADY}
    first = judged_batch(work, work.items[:6], people, name="Round one")
    measured(first)
    measured(judged_batch(work, work.items[6:], people, name="Round two", seed=2))
    before = rounds_of(work.study, rule_of(work.study))
    assert any(row.moved and row.moved.note != SAME_POSTS for row in before.rows)
    for share in first.assignments.all():
        position = share.assigned_items.count() + 1
        AssignedItem.objects.create(assignment=share, item=work.items[6], position=position)
    assert rounds_of(work.study, rule_of(work.study)) == before


def test_the_rule_is_set_on_the_page(overlap: Batch, measured: Measuring, rosa: Client) -> None:
    report = measured(overlap)
    answer = rosa.post(
        f"{HERE}/rule", {"measure": "raw_agreement", "bound": "value", "at_least": "0.1"}, follow=True
    )
    assert "A theme is trusted if raw agreement is at least 0.10." in answer.content.decode()
    assert "13 of 13 themes can be trusted." in words_of(rosa, f"{HERE}/reports/{report.pk}")
    answer = rosa.post(f"{HERE}/rule", {"measure": "luck", "bound": "low", "at_least": "3"}, follow=True)
    assert "The rule was not changed" in answer.content.decode()


def test_nobody_but_researchers_sees_any_of_it(overlap: Batch, measured: Measuring, work: CastAtWork) -> None:
    report = measured(overlap)
    pages = (
        "",
        "/rounds",
        f"/batches/{overlap.pk}",
        f"/reports/{report.pk}",
        f"/reports/{report.pk}/report.csv",
    )
    for user, status in ((work.cast.amal, 403), (work.cast.otto, 404)):
        client = Client()
        client.force_login(user)
        assert {client.get(f"{HERE}{page}").status_code for page in pages} == {status}
        assert client.post(f"{HERE}/batches/{overlap.pk}/measure").status_code == status
    assert not Job.objects.exclude(state="done").exists()


def test_a_report_of_another_study_is_not_found(
    overlap: Batch, measured: Measuring, work: CastAtWork
) -> None:
    report = measured(overlap)
    client = Client()
    client.force_login(work.cast.otto)
    assert client.get(f"/studies/elsewhere/agreement/reports/{report.pk}").status_code == 404
