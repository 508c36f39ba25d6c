"""Personal data is found in a sample, replaced before annotation or kept, and put back if somebody errs."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import IntegrityError, transaction
from django.utils import timezone

from backend.annotate.personal_data.models import Finding, FindingState
from backend.annotate.personal_data.selectors import (
    counts_by_kind,
    find_places,
    open_places,
    place_of,
    replaceable,
)
from backend.annotate.personal_data.services import (
    NothingChosen,
    TextsInUse,
    keep_findings,
    reopen_findings,
    replace_findings,
    restore_texts,
    scan_sample,
)
from backend.annotate.practice.models import GoldAnswer
from backend.core.jobs.models import Job
from backend.core.jobs.runner import run_job
from backend.design.corpora.models import Corpus
from backend.design.samples.models import Item, Sample
from corpus.sampling.designs import UniformPairs
from tests.backend.core.studies.test_access import client_of
from tests.backend.decide.releases.test_views import FORM
from tests.batch_fixtures import Work
from tests.cast import NOW, Cast
from tests.demo_corpus import draw_demo
from tests.page_text import page_text

POST = "Hi Bea, call 055 123 4567 or 055 123 4568, or write to bea@example.org."
REPLACED = "Hi [name], call [phone] or 055 123 4568, or write to [email]."


@pytest.fixture
def sample(cast: Cast, demo_corpus: Corpus) -> Sample:
    """Nobody wrote anything personal, but for one post and its reply."""
    sample = draw_demo(demo_corpus, "Main", UniformPairs(n=3), cast.rosa)
    Item.objects.update(title="", post_text="Nothing here.", reply_text="Nor here.")
    Item.objects.filter(draws__position=0).update(post_text=POST, reply_text="Ask @bea")
    return sample


def places(sample: Sample, state: str = FindingState.OPEN) -> list[str]:
    return [place_of(finding).words for finding in find_places(sample, state=state)]


def test_a_scan_finds_every_place_with_the_words_around_it(cast: Cast, sample: Sample) -> None:
    assert scan_sample(sample=sample, names=[]) == 5 == open_places(cast.study)
    assert places(sample) == ["Bea", "055 123 4567", "055 123 4568", "bea@example.org", "@bea"]
    first = place_of(find_places(sample)[0])
    assert (first.before, first.after[:6], first.is_fixed) == ("Hi ", ", call", False)
    assert scan_sample(sample=sample, names=["here", " "]) == 5 + 2 * (sample.n_items - 1)


def test_replaced_places_leave_the_others_where_they_are(cast: Cast, sample: Sample) -> None:
    scan_sample(sample=sample, names=[])
    names, phones, emails = (find_places(sample, kind=kind) for kind in ("name", "phone", "email"))
    keep_findings(study=cast.study, findings=phones.filter(start__gt=20), actor=cast.rosa, now=NOW)
    chosen = Finding.objects.filter(pk__in=[names[0].pk, phones[0].pk, emails[0].pk])
    assert replace_findings(study=cast.study, findings=chosen, actor=cast.rosa, now=NOW) == 3
    assert sample.draws.get(position=0).item.post_text == REPLACED
    assert places(sample, FindingState.REPLACED) == ["[name]", "[phone]", "[email]"]
    assert places(sample, FindingState.KEPT) == ["055 123 4568"]
    assert scan_sample(sample=sample, names=[]) == 1  # the handle in the reply; what was kept stays kept
    assert places(sample) == ["@bea"]
    reopen_findings(
        study=cast.study, findings=find_places(sample, state=FindingState.KEPT), actor=cast.rosa, now=NOW
    )
    assert places(sample) == ["055 123 4568", "@bea"]
    assert str(cast.study.events.first()) and "055" not in "".join(
        cast.study.events.values_list("summary", flat=True)
    )


def test_the_words_of_the_corpus_can_be_put_back(cast: Cast, sample: Sample) -> None:
    item = sample.draws.get(position=0).item
    scan_sample(sample=sample, names=[])
    replace_findings(study=cast.study, findings=find_places(sample), actor=cast.rosa, now=NOW)
    assert restore_texts(sample=sample, actor=cast.rosa, now=NOW) == 1
    posts = {row["post_id"]: row for row in sample.corpus.store.scan_posts().collect().iter_rows(named=True)}
    item.refresh_from_db()
    assert (item.title, item.post_text) == (posts[item.post_id]["title"], posts[item.post_id]["text"])
    with pytest.raises(NothingChosen):
        restore_texts(sample=sample, actor=cast.rosa, now=NOW)


def test_what_annotators_saw_stays_as_it_is(cast: Cast, sample: Sample) -> None:
    scan_sample(sample=sample, names=[])
    item = sample.draws.get(position=0).item
    Work.of(cast.study, cast.rosa, [item]).batch(cast.amal, items=[item])
    with pytest.raises(TextsInUse, match="1 item is in a batch or has gold answers"):
        replace_findings(study=cast.study, findings=find_places(sample), actor=cast.rosa, now=NOW)
    item.refresh_from_db()
    assert item.post_text == POST and len(places(sample)) == 5
    assert all(place_of(finding).is_fixed for finding in find_places(sample))
    for change in ({"post_text": "Other words"}, {"title": "Another"}, {"item_id": "other"}):
        with pytest.raises(IntegrityError, match="never change"), transaction.atomic():
            Item.objects.filter(pk=item.pk).update(**change)


def test_findings_of_another_study_are_left_alone(cast: Cast, sample: Sample) -> None:
    scan_sample(sample=sample, names=[])
    for act in (keep_findings, replace_findings):
        with pytest.raises(NothingChosen):
            act(study=cast.other_study, findings=Finding.objects.all(), actor=cast.rosa, now=NOW)
    assert counts_by_kind(sample)["phone"] == {"open": 2, "replaced": 0, "kept": 0}


def test_the_page_leads_from_a_scan_to_decisions_and_back(cast: Cast, sample: Sample) -> None:
    rosa, address = client_of(cast.rosa), f"/studies/kind-words/samples/{sample.pk}/personal-data"
    assert "Scan the texts" in page_text(rosa.get(address))
    rosa.post(f"{address}/scan", {"names": "Nobody"})
    job = Job.objects.get()
    run_job(job_id=job.pk, clock=timezone.now)
    page = page_text(rosa.get(address))
    assert "055 123 4567" in page and "Replace the ticked" in page
    chosen = list(find_places(sample, kind="phone").values_list("pk", flat=True))
    answer = rosa.post(
        f"{address}/decide", {"finding": chosen, "decision": "replace", "shown": "kind=phone"}, follow=True
    )
    assert answer.redirect_chain[-1][0].endswith("personal-data?kind=phone")
    assert "2 places are replaced." in page_text(answer)
    assert "No place was chosen" in page_text(
        rosa.post(f"{address}/decide", {"decision": "keep"}, follow=True)
    )
    assert "1 item has its own words again." in page_text(rosa.post(f"{address}/restore", follow=True))


def test_calls_do_the_same_and_tell_no_words(cast: Cast, sample: Sample) -> None:
    rosa, address = client_of(cast.rosa), f"/api/v1/studies/kind-words/samples/{sample.pk}/personal-data"

    def call(path: str, **body: object) -> dict[str, object]:
        answer = rosa.post(f"{address}/{path}", body, content_type="application/json")
        return {"status": answer.status_code, **answer.json()}

    assert call("scan", names=["Nobody"])["status"] == 202
    run_job(job_id=Job.objects.get().pk, clock=timezone.now)
    found = rosa.get(f"{address}?kind=phone").json()
    assert [(each["part"], each["start"], each["end"]) for each in found] == [
        ("post_text", 13, 25),
        ("post_text", 29, 41),
    ]
    assert "055" not in rosa.get(address).content.decode()
    assert call("decisions", decision="replace", kind="phone") == {"status": 200, "changed": 2}
    assert call("decisions", decision="keep")["status"] == 422
    assert call("restore") == {"status": 200, "changed": 1}


def test_the_command_prints_counts_and_replaces_by_kind(cast: Cast, sample: Sample) -> None:
    out = StringIO()
    call_command("personal_data", "kind-words", "Main", "--replace", "phone", "email", stdout=out)
    assert out.getvalue().splitlines() == [
        "email: 0 open, 1 replaced, 0 kept",
        "handle: 1 open, 0 replaced, 0 kept",
        "name: 1 open, 0 replaced, 0 kept",
        "phone: 0 open, 2 replaced, 0 kept",
    ]
    with pytest.raises(CommandError, match="there are: “Main”"):
        call_command("personal_data", "kind-words", "Other")


def test_the_preview_of_a_release_with_texts_says_what_is_open(cast: Cast, sample: Sample) -> None:
    rosa = client_of(cast.rosa)
    item = sample.draws.get(position=0).item
    Work.of(cast.study, cast.rosa, [item]).batch(cast.amal, items=[item])
    scan_sample(sample=sample, names=[])
    page = page_text(rosa.post("/studies/kind-words/releases/preview", FORM | {"texts": "on"}))
    assert "5 places that look like personal data are still open" in page


def test_texts_that_gold_answers_point_into_stay_as_they_are(cast: Cast, sample: Sample) -> None:
    """Gold marks words by their places, and is there before any batch."""
    scan_sample(sample=sample, names=[])
    item = sample.draws.get(position=0).item
    GoldAnswer.objects.create(
        item=item,
        edition=Work.of(cast.study, cast.rosa, [item]).edition,
        answers={"judgments": [], "spans": []},
        reasons={},
        written_by=cast.rosa,
        written_at=NOW,
    )
    with pytest.raises(TextsInUse, match="1 item is in a batch or has gold answers"):
        replace_findings(study=cast.study, findings=find_places(sample), actor=cast.rosa, now=NOW)
    assert all(place_of(finding).is_fixed for finding in find_places(sample))
    assert not replaceable(sample).exists()
    with pytest.raises(IntegrityError, match="never change"), transaction.atomic():
        Item.objects.filter(pk=item.pk).update(post_text="Other words")
