"""The context probe from the page and the call to what cards, reports and leaderboards say of it."""

from __future__ import annotations

import csv
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django.fixtures import Settings

from annotation.release.rows import SplitPart
from backend.core.jobs.models import Job
from backend.core.studies.models import Study
from backend.decide.releases.importing import import_release
from backend.decide.releases.models import Release
from backend.design.corpora.errors import UnknownFile
from backend.design.corpora.files import save_upload
from backend.design.corpora.models import Corpus
from backend.design.corpora.services import create_corpus
from backend.learn.models.boards import board_of, export_board
from backend.learn.models.errors import CorpusWithoutPosts, NothingToProbe
from backend.learn.models.models import Adapter, ContextProbe
from backend.learn.models.probing import adapters_in_words
from backend.learn.models.queue import enqueue_probe
from backend.learn.models.requests import ContextProbeRequest, PostSource
from backend.publish.reports.model_facts import model_facts
from codebook.schema import ContrastPair, Part
from codebook.shipped import load_shipped
from learning.probe.corpus_posts import posts_of_corpus
from learning.tasks.contract import ProbeRequest
from tests.backend.learn.models.fixtures import EPITOME, folder_of, run, train, work_as_ml_backend
from tests.cast import NOW, Cast
from tests.ml_backend.fixtures import made_release

pytestmark = pytest.mark.django_db
HERE, CALLS = "/studies/kind-words/models/1", "/api/v1/studies/kind-words/models/1"
OF_RELEASE = ContextProbeRequest()


@pytest.fixture
def rosa(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.rosa)
    return client


def work(job: Job) -> ContextProbe:
    assert run(job).state == "queued"
    work_as_ml_backend(folder_of(job))
    after = run(job)
    assert after.state == "done" and after.result, after.error
    return ContextProbe.objects.get(pk=after.result["probe"])


def probe(adapter: Adapter, asked: ContextProbeRequest = OF_RELEASE) -> ContextProbe:
    return work(enqueue_probe(adapter=adapter, request=asked, actor=adapter.study.created_by, now=NOW))


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return " ".join(answer.content.decode().split())


def upload(study: Study, name: str, content: str) -> ContextProbeRequest:
    save_upload(study, SimpleUploadedFile(name, content.encode()))
    return ContextProbeRequest(source=PostSource.FILE, name=name)


def test_from_the_page_to_what_was_found(rosa: Client, release: Release) -> None:
    train(release, "tfidf-logistic", options={"input": "pair"})
    page = text(rosa, f"{HERE}/probe")
    assert "Not probed yet" in page and "Posts of the release’s other parts" in page
    assert "No code of the codebook" in page and "Contradiction is left out" in page
    assert "models/1/probe" in text(rosa, HERE) and "context probe on" not in text(rosa, HERE).lower()
    answer = rosa.post(f"{HERE}/probe", {"unrelated": "release:"})
    job = Job.objects.get(kind="probe_adapter")
    assert answer.headers["Location"] == f"/studies/kind-words/jobs/{job.pk}"
    assert "Probe adapter" in text(rosa, f"{HERE}/probe")
    found = work(job)
    assert found.read_report().unrelated == "other parts of the release"
    page = text(rosa, f"{HERE}/probe")
    for words in (
        "Sensitivity, theme by theme",
        "Mean context gain",
        "Probe again",
        "<svg",
        "of its yes taken back",
    ):
        assert words in page, words
    assert f"A context probe on {found.read_report().n_items} replies" in text(rosa, HERE)
    assert rosa.get(f"{HERE}/probe?probe={found.pk + 1}").status_code == 404
    assert (
        "Select a valid choice" in rosa.post(f"{HERE}/probe", {"unrelated": "file:gone.csv"}).content.decode()
    )


def test_by_calls_with_a_file(
    rosa: Client, release: Release, cast: Cast, settings: Settings, tmp_path: Path
) -> None:
    settings.FILES_DIR = tmp_path / "files"
    train(release, "tfidf-logistic")
    upload(
        cast.study, "small talk.csv", "post,reply\nIs the printer on?,It is.\nWhich grinder?,A slow one.\n"
    )

    def ask(**body: str) -> Any:
        return rosa.post(f"{CALLS}/probe", body, content_type="application/json")

    refused = ask(source="file", name="gone.csv")
    assert (refused.status_code, refused.json()["error"]) == (422, "UnknownFile")
    assert ask(source="corpus", name="gone").status_code == 404
    asked = ask(source="file", name="small talk.csv")
    assert asked.status_code == 202
    work(Job.objects.get(pk=asked.json()["id"]))
    (listed,) = rosa.get(f"{CALLS}/probes").json()
    assert (listed["report"]["unrelated"], listed["report"]["n_unrelated"]) == ("small talk.csv", 2)
    assert listed["sentence"].startswith("A context probe on") and "2 unrelated posts" in listed["sentence"]
    assert listed["report"]["codes"][0]["swap"]["sensitivity"]["value"] == 0, "it reads the reply alone"


def test_posts_of_a_corpus_are_put_where_the_ml_backend_sees_them(
    release: Release, demo_corpus: Corpus, cast: Cast
) -> None:
    adapter = train(release, "tfidf-logistic")
    found = probe(adapter, ContextProbeRequest(source=PostSource.CORPUS, name=demo_corpus.slug))
    assert found.read_report().unrelated == "corpus “Texts”" and found.read_report().n_unrelated > 20
    folder = folder_of(Job.objects.get(kind="probe_adapter"))
    request = folder.read_request()
    assert isinstance(request, ProbeRequest) and request.unrelated
    assert Path(request.unrelated.path).parent == folder.path
    empty = create_corpus(study=cast.study, name="Empty", description="", actor=cast.rosa, now=NOW)
    with pytest.raises(CorpusWithoutPosts, match="import some"):
        probe(adapter, ContextProbeRequest(source=PostSource.CORPUS, name=empty.slug))


def test_posts_of_a_corpus_are_drawn_by_seed_with_their_first_replies(demo_corpus: Corpus) -> None:
    store = demo_corpus.store
    found = posts_of_corpus(store, n=8, seed=1)
    assert len(found) == len(set(found)) == 8 and posts_of_corpus(store, n=8, seed=1) == found
    assert posts_of_corpus(store, n=8, seed=2) != found
    every = posts_of_corpus(store, n=10_000, seed=1)
    assert set(found) < set(every)
    texts = store.scan_posts().select("post_id", "text").collect()
    replies = store.scan_replies().sort("created", "reply_id").select("post_id", "text").collect()
    first: dict[str, str] = {}
    for post_id, reply in replies.iter_rows():
        first.setdefault(post_id, reply.strip())
    of_text = {text.strip(): first.get(post_id, "") for post_id, text in texts.iter_rows()}
    assert {each.post: each.reply for each in every} == {text: of_text[text] for text in of_text if text}
    assert any(each.reply for each in every)


def test_a_file_that_cannot_be_read_fails_the_job_with_what_to_do(
    release: Release, cast: Cast, settings: Settings, tmp_path: Path
) -> None:
    settings.FILES_DIR = tmp_path / "files"
    adapter = train(release)
    asked = upload(cast.study, "other.csv", "words\nhello\n")
    after = run(enqueue_probe(adapter=adapter, request=asked, actor=None, now=NOW))
    assert "Call the column of the posts “post”" in after.error
    with pytest.raises(UnknownFile):
        probe(adapter, ContextProbeRequest(source=PostSource.FILE, name="gone.csv"))


def test_the_same_is_asked_once_and_kept_once(release: Release) -> None:
    adapter = train(release, "tfidf-logistic")
    job = enqueue_probe(adapter=adapter, request=OF_RELEASE, actor=None, now=NOW)
    assert enqueue_probe(adapter=adapter, request=OF_RELEASE, actor=None, now=NOW) == job
    assert probe(adapter) == probe(adapter)
    assert ContextProbe.objects.count() == 1


def test_an_adapter_of_posts_alone_is_refused_and_its_page_says_why(
    rosa: Client, cast: Cast, tmp_path: Path
) -> None:
    practices = load_shipped("empathy-practices")
    made_release(tmp_path / "posts", practices, parts=(Part.POST,))
    release = import_release(study=cast.study, folder=tmp_path / "posts", actor=cast.rosa, now=NOW)
    adapter = train(release)
    with pytest.raises(NothingToProbe, match="no code of the reply"):
        enqueue_probe(adapter=adapter, request=OF_RELEASE, actor=None, now=NOW)
    assert "This adapter cannot be probed" in text(rosa, f"{HERE}/probe")


def test_with_contrast_pairs_contradiction_is_asked(rosa: Client, cast: Cast, tmp_path: Path) -> None:
    first, *others = EPITOME.questions
    pair = ContrastPair("I got promoted.", "I got fired.", "I say sunshine will come again.")
    codebook = replace(EPITOME, questions=(replace(first, contrast_pairs=(pair,)), *others))
    made_release(tmp_path / "pairs", codebook)
    release = import_release(study=cast.study, folder=tmp_path / "pairs", actor=cast.rosa, now=NOW)
    found = probe(train(release, "tfidf-logistic")).read_report()
    assert found.codes[0].contradiction is not None and found.codes[0].contradiction.kept.value == 1.0
    assert "Contradiction is left out" not in text(rosa, f"{HERE}/probe")


def test_cards_reports_and_the_leaderboard_tell_of_it(rosa: Client, release: Release) -> None:
    probed, other = train(release, "tfidf-logistic"), train(release)
    board = f"{HERE.removesuffix('/1')}/leaderboards/1"
    assert '<th class="num muted">sensitivity</th>' not in text(rosa, board)
    words = {each: adapters_in_words(release.study, [each.adapter_id])[0] for each in (probed, other)}
    found = probe(probed).read_report()
    (said,) = adapters_in_words(release.study, [probed.adapter_id])
    assert said.startswith(words[probed]) and f"A context probe on {found.n_items} replies" in said
    assert adapters_in_words(release.study, [other.adapter_id]) == (words[other],)
    at = ContextProbe.objects.get().created_at
    assert model_facts(probed, at=at + timedelta(days=1)).probe.startswith("A context probe on")
    assert model_facts(probed, at=at - timedelta(days=1)).probe == ""

    assert text(rosa, board).count('<th class="num muted">sensitivity</th>') == 1
    table = board_of(release, SplitPart.TEST)
    assert table is not None
    rows = list(csv.DictReader(StringIO(export_board(table, "csv"))))
    shown = {row["code"]: row["sensitivity"] for row in rows if row["learner"].startswith("TF-IDF")}
    for code in found.codes:
        assert code.sensitivity is not None and float(shown[code.code_id]) == code.sensitivity.value
    assert {row["sensitivity"] for row in rows if row["learner"].startswith("Majority")} == {""}
