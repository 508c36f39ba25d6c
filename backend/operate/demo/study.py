"""The demo study: a codebook, six invented communities, drawn samples, two rounds that were played, and work to do."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from functools import partial
from pathlib import Path

from django.db import transaction
from django.utils.text import slugify

from backend.annotate.batches.requests import BatchRequest, Kind
from backend.annotate.batches.services import open_batch
from backend.annotate.practice.models import GoldAnswer
from backend.annotate.practice.services import import_gold
from backend.core.accounts.models import User
from backend.core.studies.models import Study, StudyRole
from backend.core.studies.services import create_study, set_member
from backend.design.codebooks.services import add_edition
from backend.design.corpora.import_requests import ImportRequest, dump_import
from backend.design.corpora.models import Corpus
from backend.design.corpora.services import create_corpus, import_into
from backend.design.samples.services import draw_into_study
from backend.operate.demo.accounts import CAST, demo_user
from backend.operate.demo.models import STUDY_NAME
from backend.operate.demo.queue import enqueue_rounds
from codebook.editions import edition_hash
from codebook.shipped import load_shipped, shipped_path
from corpus.demo import DEMO_FOLDER
from corpus.progress import Clock, ignore_progress
from corpus.sampling.designs import PpsPosts

CORPUS_NAME = "Six communities"
SAMPLE_NAME, NEXT_SAMPLE_NAME = "First round", "Second round"
CUTOFF = date(2023, 1, 1)
SEED = 20260214
ITEMS_PER_COMMUNITY, NEXT_PER_COMMUNITY = 12, 6
OVERLAP_ITEMS = 12
CALIBRATION_ITEMS = 14
# All that is left of the first round, so that a model has something to learn from
MAIN_ITEMS_EACH = 12
REDDIT = ("RaisingThem", "SmallTalkClub", "NineToFive")
STACK_EXCHANGE = ("caregivers", "manners", "workfloor")


def load_demo_study(*, password: str, clock: Clock, say: Callable[[str], None]) -> Study:
    """Goes on where an earlier run stopped, and leaves a demo that was loaded whole to its users."""
    study = Study.objects.filter(slug=slugify(STUDY_NAME)).first()
    if study is not None and study.batches.exists():
        return study
    people = {person.username: demo_user(person, password) for person in CAST}
    rosa = people["rosa"]
    if study is None:
        study = create_study(name=STUDY_NAME, description=_DESCRIPTION, created_by=rosa, now=clock())
    for person in CAST:
        if person.study_role and not study.memberships.filter(user=people[person.username]).exists():
            user, role = people[person.username], person.study_role
            set_member(study=study, user=user, role=role, actor=rosa, now=clock())
    _add_codebook(study, rosa, clock())
    corpus = study.corpora.filter(slug=slugify(CORPUS_NAME)).first() or create_corpus(
        study=study, name=CORPUS_NAME, description=_CORPUS, actor=rosa, now=clock()
    )
    import_written_by_hand(corpus, rosa, clock, say)
    draw = partial(draw_into_study, corpus=corpus, seed=SEED, actor=rosa)
    first = draw(name=SAMPLE_NAME, design=PpsPosts(n=ITEMS_PER_COMMUNITY), disjoint_from=[], now=clock())
    following = PpsPosts(n=NEXT_PER_COMMUNITY)
    draw(name=NEXT_SAMPLE_NAME, design=following, disjoint_from=[first], now=clock())
    load_practice_gold(study, rosa, clock())
    _open_batches(study, rosa, clock())
    return study


@transaction.atomic
def _open_batches(study: Study, actor: User, now: datetime) -> None:
    """All or none: a study with a batch counts as loaded. The demo's own annotators play the last two."""
    annotators = [person.username for person in CAST if person.study_role == StudyRole.ANNOTATOR]
    practice = BatchRequest(name="Warm-up", kind="practice", annotators=annotators, seed=SEED)
    to_do = _of_sample("Batch 1", "overlap", OVERLAP_ITEMS, annotators, SEED)
    played = (
        _of_sample("Calibration", "overlap", CALIBRATION_ITEMS, annotators, SEED + 1),
        _of_sample("Main 1", "main", MAIN_ITEMS_EACH, annotators, SEED + 2),
    )
    for request in (practice, to_do):
        open_batch(study=study, request=request, actor=actor, now=now)
    rounds = [open_batch(study=study, request=request, actor=actor, now=now) for request in played]
    enqueue_rounds(study=study, batches=rounds, seed=SEED, now=now)


def _of_sample(name: str, kind: Kind, n: int, annotators: list[str], seed: int) -> BatchRequest:
    return BatchRequest(name=name, kind=kind, annotators=annotators, n=n, samples=[SAMPLE_NAME], seed=seed)


def _add_codebook(study: Study, actor: User, now: datetime) -> None:
    if not study.editions.exists():
        path = shipped_path("empathy-practices")
        note = "Started from the codebook that comes with Attune."
        add_edition(
            study=study, source=path.read_text(), file_name=path.name, note=note, actor=actor, now=now
        )


def import_written_by_hand(
    corpus: Corpus, actor: User, clock: Clock, say: Callable[[str], None] = lambda line: None
) -> None:
    for request in _requests():
        record = import_into(
            corpus=corpus,
            request=request,
            resolve=lambda name: Path(DEMO_FOLDER) / name,
            actor=actor,
            clock=clock,
            on_progress=ignore_progress,
        )
        if not record.already_imported:
            say(record.summary)


def _requests() -> list[ImportRequest]:
    reddit: list[ImportRequest] = [
        dump_import(
            "reddit",
            submissions=[f"{name}.submissions.ndjson"],
            comments=[f"{name}.comments.ndjson"],
            cutoff=CUTOFF,
        )
        for name in REDDIT
    ]
    return reddit + [
        dump_import("stackexchange", posts=f"{name}.Posts.xml", community=name, cutoff=CUTOFF)
        for name in STACK_EXCHANGE
    ]


_DESCRIPTION = (
    "How do people ask for understanding, and how do others give it, when the topic is children, colleagues or small "
    "talk? A study to try Attune with: every text in it was written for this purpose."
)
_CORPUS = "Three Reddit-like and three Stack Exchange-like communities, up to the end of 2022."


GOLD_FILE = Path(__file__).with_name("practice.yaml")
CODEBOOK = "empathy-practices"


def load_practice_gold(study: Study, actor: User, now: datetime) -> int:
    """How many gold answers were added; none where the study has some already or judges by another codebook."""
    edition = study.editions.filter(hash=edition_hash(load_shipped(CODEBOOK))).first()
    if edition is None or GoldAnswer.objects.filter(item__study=study).exists():
        return 0
    imported = import_gold(
        study=study,
        edition=edition,
        source=GOLD_FILE.read_text(encoding="utf-8"),
        file_name=GOLD_FILE.name,
        actor=actor,
        now=now,
    )
    return imported.added
