"""Every address of Attune, asked for by everybody: outsiders see nothing, annotators only what is theirs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from pytest_django.fixtures import Settings

from annotation.agreement.files import encode
from annotation.agreement.registry import method_version
from annotation.agreement.reports import BatchAgreement
from backend.annotate.batches.models import AssignedItem, Assignment, Batch, BatchKind
from backend.annotate.discussions.models import Discussion
from backend.annotate.discussions.services import follow_flag
from backend.annotate.practice.models import GoldAnswer
from backend.annotate.sync.projects import wanted_project
from backend.core.accounts.models import AccountRole, User
from backend.core.jobs.models import Job
from backend.core.notices.models import Notice, NoticeKind
from backend.core.notices.services import tell_researchers
from backend.decide.adjudication.models import Decision, DecisionRound, Suspicion, SuspicionKind, Way
from backend.decide.agreement.models import AgreementReport, ReportKind
from backend.design.codebooks.models import Edition
from backend.design.codebooks.services import add_edition
from backend.design.corpora.files import save_upload
from backend.design.corpora.models import Corpus
from backend.design.samples.models import Item
from backend.learn.retraining.claiming import start_by_hand
from backend.learn.retraining.models import RetrainingRun
from codebook.shipped import shipped_path
from corpus.sampling.designs import UniformPairs
from tests.backend.decide.releases.fixtures import bring_in
from tests.cast import NOW, Cast
from tests.demo_corpus import draw_demo

ARGUMENTS = {
    "slug": "kind-words",
    "number": "1",
    "form": "json",
    "format_name": "brat",
    "file": "index.html",
    "corpus_slug": "texts",
    "kind": "reddit",
    "name": "dump.ndjson",
    "sample_id": "SAMPLE",
    "item_id": "ITEM",
    "job_id": "JOB",
    "user_id": "USER",
    "token_id": "1",
    "username": "bea",
    "old": "1",
    "new": "1",
    "batch_id": "BATCH",
    "assignment_id": "ASSIGNMENT",
    "discussion_id": "DISCUSSION",
    "project_id": "PROJECT",
    "version_id": "1",
    "gold_id": "GOLD",
    "decision_id": "DECISION",
    "suspicion_id": "SUSPICION",
    "marker": "MARKER",
    "verb": "pause",
    "report_id": "REPORT",
    "code_id": "CODE",
    "notice_id": "NOTICE",
    "training_id": "JOB",
    "promotion_id": "PROMOTION",
    "comparison_id": "COMPARISON",
    "import_id": "gone",
    "invitation_id": "1",
    "token": "TOKEN",
    "uidb64": "WHOSE",
}
# Opened by a secret header and not by an account; its own tests try it without
WEBHOOK = "/label-studio/webhook/MARKER"
# Opened by the secret in the link, which nobody has here
LINKS = {"/invitations/TOKEN", "/choose-password/WHOSE/TOKEN"}
# The provider of log-in leads there; its own tests go through it
SIGN_IN = {"/sign-in", "/sign-in/done"}
# The documentation holds nothing of an instance
DOCS = {"/docs", "/docs/index.html"}
OPEN_TO_ALL = {"/health", "/log-in", "/api/v1/", WEBHOOK, *LINKS, *SIGN_IN, *DOCS}
OPEN_TO_EVERY_ACCOUNT = {
    "/",
    "/log-out",
    "/sign-in/disconnect",
    "/account",
    "/account/password",
    "/account/e-mail",
    "/account/tokens",
    "/account/tokens/1/revoke",
    "/style",
    "/deletions",
    "/work",
    "/api/v1/docs",
    "/api/v1/openapi.json",
    "/api/v1/me",
    "/api/v1/codebooks",
    "/api/v1/codebooks/dump.ndjson",
    "/api/v1/studies",
}
# How far the demo is; the strip above every page asks, and of a study that is no demo there is nothing to say
DEMO_PROGRESS = "/studies/kind-words/demo/progress"
OPEN_TO_ANNOTATORS = {
    "/studies/kind-words",
    "/studies/kind-words/codebook",
    "/studies/kind-words/codebook/history",
    "/studies/kind-words/codebook/compare",
    "/studies/kind-words/codebook/editions/1",
    "/studies/kind-words/codebook/editions/1/file.json",
    "/studies/kind-words/work",
    "/studies/kind-words/work/ASSIGNMENT/feedback",
    "/studies/kind-words/work/ASSIGNMENT/feedback/news",
    "/studies/kind-words/discussions",
    "/studies/kind-words/discussions/DISCUSSION",
    "/studies/kind-words/feedback",
    "/studies/kind-words/competence/own",
    "/api/v1/studies/kind-words",
    "/api/v1/studies/kind-words/codebook/editions",
    "/api/v1/studies/kind-words/codebook/editions/1",
    "/api/v1/studies/kind-words/codebook/editions/1/source",
    "/api/v1/studies/kind-words/codebook/editions/1/canonical",
    "/api/v1/studies/kind-words/codebook/editions/1/guideline",
    "/api/v1/studies/kind-words/codebook/compare/1/1",
    "/api/v1/studies/kind-words/discussions",
    "/api/v1/studies/kind-words/discussions/DISCUSSION",
    "/api/v1/studies/kind-words/discussions/DISCUSSION/messages",
}
# Of who asked for a deletion, and of admins; nobody has here
DELETIONS = {"/deletions/JOB", "/deletions/JOB/pause"}
# A button of the annotator's own work; its own tests press it as everybody else
ENTER = "/studies/kind-words/work/ASSIGNMENT/enter"
# A question to the model, which is posted and has nothing to get; its own tests ask it as everybody
ASK = "/api/v1/studies/kind-words/feedback"
METHODS = ("GET", "POST", "PUT", "DELETE")


def addresses(resolver: URLResolver | None = None, prefix: str = "/") -> Iterator[str]:
    for entry in (resolver or get_resolver()).url_patterns:
        route = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from addresses(entry, route)
        elif isinstance(entry, URLPattern):
            yield _filled(route)


def _filled(route: str) -> str:
    filled = route.replace("^", "").replace("$", "")
    for name, value in ARGUMENTS.items():
        for converter in ("", "int:", "slug:", "str:", "path:"):
            filled = filled.replace(f"<{converter}{name}>", value)
    return filled


ALL_ADDRESSES = sorted(set(addresses()))


def test_every_address_is_filled_in() -> None:
    assert len(ALL_ADDRESSES) > 50
    assert [address for address in ALL_ADDRESSES if "<" in address] == []


@dataclass(frozen=True)
class LivingStudy:
    """A study in which every address leads somewhere: whoever may enter finds something."""

    cast: Cast
    places: dict[str, str]

    def address(self, pattern: str) -> str:
        for name, value in self.places.items():
            pattern = pattern.replace(name, value)
        return pattern

    def let_through(self, user: User | None, patterns: set[str], refused: set[int]) -> dict[str, list[int]]:
        """The addresses that answered some method otherwise than by refusing; a refusal leaves one logged in."""
        client = client_of(user)
        found = {pattern: self.asked(client, pattern) for pattern in sorted(patterns)}
        return {pattern: codes for pattern, codes in found.items() if not set(codes) <= refused}

    def statuses(self, user: User | None, pattern: str) -> list[int]:
        return self.asked(client_of(user), pattern)

    def asked(self, client: Client, pattern: str) -> list[int]:
        address = self.address(pattern)
        return [client.generic(method, address).status_code for method in METHODS]


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


@pytest.fixture
def living(cast: Cast, demo_corpus: Corpus, tmp_path: Path, settings: Settings) -> LivingStudy:
    settings.FILES_DIR = tmp_path / "files"
    settings.RELEASES_DIR = tmp_path / "releases"
    source = shipped_path("epitome").read_text()
    edition = add_edition(
        study=cast.study, source=source, file_name="e.yaml", note="First", actor=cast.rosa, now=NOW
    )
    save_upload(cast.study, SimpleUploadedFile("dump.ndjson", b"{}"))
    sample = draw_demo(demo_corpus, "Pairs", UniformPairs(n=1), cast.rosa)
    job = Job.objects.create(kind="draw_sample", study=cast.study, arguments={}, created_at=NOW)
    item = sample.draws.select_related("item")[0].item
    assigned = give_out(edition, item, cast.amal)
    follow_flag(assigned_item=assigned, is_flagged=True, comment="Why?", now=NOW)
    past = GoldAnswer.objects.create(
        item=item,
        edition=edition,
        answers={"judgments": [], "spans": []},
        reasons={},
        written_by=cast.rosa,
        written_at=NOW,
        replaced_by=cast.rosa,
        replaced_at=NOW,
    )
    bring_in(cast.study, item.item_id, tmp_path / "made-elsewhere")
    places = {
        "GOLD": str(past.pk),
        "DECISION": str(decided(edition, item).pk),
        "SUSPICION": str(suspected(item).pk),
        "SAMPLE": str(sample.pk),
        "ITEM": item.item_id,
        "JOB": str(job.pk),
        "USER": str(cast.bea.pk),
        "BATCH": str(assigned.assignment.batch_id),
        "ASSIGNMENT": str(assigned.assignment_id),
        "DISCUSSION": str(Discussion.objects.get().pk),
        "PROJECT": str(wanted_project(assigned.assignment).pk),
        "REPORT": str(keep_some_report(assigned.assignment.batch).pk),
        "CODE": "emotional-reactions",
        "PROMOTION": "1",
        "COMPARISON": "1",
        "NOTICE": str(told(cast, start_by_hand(study=cast.study, actor=cast.rosa, now=NOW)).pk),
    }
    return LivingStudy(cast, places)


def told(cast: Cast, run: RetrainingRun) -> Notice:
    return tell_researchers(
        study=cast.study, key=str(run), kind=NoticeKind.INFO, text=str(run), url="", now=NOW
    )


def keep_some_report(batch: Batch) -> AgreementReport:
    nothing = BatchAgreement(0, (), (), (), (), (), (), 100, 1, method_version())
    return AgreementReport.objects.create(
        study=batch.study,
        batch=batch,
        edition=batch.edition,
        kind=ReportKind.AGREEMENT,
        inputs_hash="0" * 64,
        resamples=100,
        seed=1,
        measures=encode(nothing).decode(),
        is_partial=False,
        measured_at=NOW,
    )


def give_out(edition: Edition, item: Item, annotator: User) -> AssignedItem:
    """A practice batch of one item for one annotator."""
    batch = Batch.objects.create(
        study=edition.study,
        name="Batch 1",
        kind=BatchKind.PRACTICE,
        edition=edition,
        seed=1,
        opened_by=edition.created_by,
        opened_at=NOW,
    )
    share = Assignment.objects.create(batch=batch, annotator=annotator, assigned_at=NOW)
    return share.assigned_items.create(item=item, position=0)


def decided(edition: Edition, item: Item) -> Decision:
    return Decision.objects.create(
        item=item,
        edition=edition,
        decision_round=DecisionRound.FIRST,
        number=1,
        way=Way.WRITTEN,
        answers={"judgments": [], "spans": []},
        judgments_hash="",
        author=edition.created_by,
        made_at=NOW,
    )


def suspected(item: Item) -> Suspicion:
    detail = {"annotator": "amal", "other": item.item_id, "values": [1, 0]}
    return Suspicion.objects.create(
        item=item, kind=SuspicionKind.RECHECK, code="x", detail=detail, detail_hash="x", found_at=NOW
    )


def test_a_stranger_is_sent_to_log_in_or_refused(living: LivingStudy) -> None:
    closed = set(ALL_ADDRESSES) - OPEN_TO_ALL
    assert living.let_through(None, closed, {302, 401, 405}) == {}
    client = Client()
    for pattern in closed:
        answer = client.get(living.address(pattern))
        assert answer.status_code != 302 or answer.headers["Location"].startswith("/log-in"), pattern


def test_an_outsider_cannot_tell_a_study_from_nothing(living: LivingStudy) -> None:
    of_the_study = {address for address in ALL_ADDRESSES if "kind-words" in address}
    assert len(of_the_study) > 50
    assert living.let_through(living.cast.otto, of_the_study, {404, 405}) == {}


def test_an_annotator_sees_only_what_annotators_need(living: LivingStudy) -> None:
    closed = (
        set(ALL_ADDRESSES)
        - OPEN_TO_ALL
        - OPEN_TO_EVERY_ACCOUNT
        - OPEN_TO_ANNOTATORS
        - {DEMO_PROGRESS}
        - DELETIONS
        - {ENTER, ASK}
    )
    assert living.let_through(living.cast.amal, closed, {403, 405}) == {}
    changed = User.objects.exclude(last_login=None).values_list("username", "role")
    assert set(changed) <= {("amal", "annotator")}


def test_an_account_made_an_annotators_loses_its_researcher_rights(living: LivingStudy) -> None:
    User.objects.filter(pk=living.cast.ravi.pk).update(role=AccountRole.ANNOTATOR)
    living.cast.ravi.refresh_from_db()
    assert living.statuses(living.cast.ravi, "/studies/kind-words/samples")[0] == 403


def test_what_annotators_need_is_open_to_them(living: LivingStudy) -> None:
    """The walk can fail: these addresses lead somewhere for the people they are for."""
    for pattern in OPEN_TO_ANNOTATORS:
        assert living.statuses(living.cast.amal, pattern)[0] in (200, 302), pattern
    assert living.statuses(living.cast.amal, DEMO_PROGRESS)[0] == 204


def test_a_researcher_is_let_through_everywhere_in_the_study(living: LivingStudy) -> None:
    pages = {address for address in ALL_ADDRESSES if address.startswith("/studies/kind-words")}
    gets = {pattern: living.statuses(living.cast.rosa, pattern)[0] for pattern in sorted(pages)}
    assert {pattern for pattern, status in gets.items() if status in (401, 403, 500)} == set()
    assert sum(status == 200 for status in gets.values()) > 20


def test_the_lists_above_name_only_addresses_that_exist() -> None:
    known = set(ALL_ADDRESSES)
    assert known >= OPEN_TO_ALL | OPEN_TO_EVERY_ACCOUNT | OPEN_TO_ANNOTATORS | DELETIONS | {ENTER, ASK}
