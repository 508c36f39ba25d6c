"""The nine steps of the story, each done by the product's own services. Every step goes on where it was cut off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

from django.utils import timezone

from backend.annotate.batches.models import Batch
from backend.annotate.batches.requests import BatchRequest
from backend.annotate.batches.services import close_batch, open_batch
from backend.core.accounts.models import User
from backend.core.jobs.context import JobContext
from backend.core.jobs.models import Job
from backend.core.jobs.selectors import active_jobs
from backend.core.studies.models import Study
from backend.decide.agreement.selectors import latest_report
from backend.decide.agreement.services import request_measurement
from backend.decide.releases.models import Release
from backend.decide.releases.requests import FreezeRequest
from backend.decide.releases.services import FREEZE_RELEASE, enqueue_freezing
from backend.design.corpora.import_requests import ImportRequest
from backend.design.corpora.models import Corpus
from backend.design.corpora.services import create_corpus, import_into
from backend.design.samples.models import Sample
from backend.design.samples.services import draw_into_study
from backend.learn.active_learning.queue import PREDICT_POOL, READ_METER, request_prediction, request_reading
from backend.learn.active_learning.requests import ChoiceRequest, PoolRequest
from backend.learn.active_learning.services import open_chosen_batch
from backend.learn.models.models import Adapter
from backend.learn.models.queue import EXAMINE_ADAPTER, TRAIN_ADAPTER, enqueue_gate, enqueue_training
from backend.learn.models.requests import TrainRequest
from backend.learn.models.selectors import adapter_in_service
from backend.learn.models.services import promote
from backend.learn.prelabels.models import PrelabelChoice
from backend.learn.prelabels.services import change_choice
from backend.operate.demo.accounts import CAST, SIMULATED
from backend.operate.demo.models import Story
from backend.operate.demo.story.annotators import FIRST_ROUND, SECOND_ROUND, truths
from backend.operate.demo.story.answering import Truths, adjudicate, answer_batch
from backend.operate.demo.story.dumps import write_dumps
from backend.operate.demo.story.loading import StorySize
from backend.operate.demo.story.texts import make_threads, sentences
from backend.operate.demo.story.waiting import finish, repeat_progress
from backend.operate.demo.study import import_written_by_hand
from backend.publish.labelling.requests import LabelRequest
from backend.publish.labelling.services import start_run
from backend.publish.reports.queue import MAKE_REPORT, enqueue_report
from backend.publish.reports.requests import ReportRequest
from corpus.progress import ignore_progress
from corpus.sampling.designs import PpsPosts
from learning.query_strategies.names import StrategyName

MADE_UP, BY_HAND = "Made by a script", "Written by hand"
SAMPLE, OWN_SAMPLE = "For the story", "For you"
OWN, ROUND_1, ROUND_2, CHOSEN, GOLD = "Your turn", "Round 1", "Round 2", "Chosen by the model", "Gold"
FIRST_RELEASE, SECOND_RELEASE = "Two rounds", "With gold"
SERVING, REFUSED = "Words and letters", "Nearest neighbour"
REPORT = "How support is given in six communities"
STRATEGY = StrategyName.UNCERTAIN_AND_DIVERSE
RANDOM_SHARE = 0.3
OVERRIDE = "So small a demo has too few items to pass the rule; people want to see what a model does."


@dataclass
class Telling:
    """One attempt at the story: whose, and what is known of it."""

    context: JobContext
    story: Story

    @property
    def study(self) -> Study:
        return self.story.study

    @cached_property
    def size(self) -> StorySize:
        return StorySize.model_validate(self.story.size)

    @cached_property
    def actor(self) -> User:
        return User.objects.get(username=SIMULATED[0].username)

    @cached_property
    def truths(self) -> Truths:
        return truths(make_threads(posts_each=self.size.posts_each, seed=self.story.seed))

    @property
    def annotators(self) -> list[str]:
        return [person.username for person in SIMULATED[1:]]

    def once(self, kind: str, enqueue: Callable[[], Job]) -> None:
        """What an attempt before this one asked for is not asked for again."""
        job = active_jobs(self.study.pk).filter(kind=kind).first()
        if job is None:
            with self.context.fenced_transaction():
                job = enqueue()
        finish(self.context, job)


def bring_texts(telling: Telling) -> None:
    with TemporaryDirectory() as folder:
        threads = make_threads(posts_each=telling.size.posts_each, seed=telling.story.seed)
        requests = write_dumps(threads, Path(folder))
        _import(telling, _corpus(telling, MADE_UP), requests, Path(folder))
    import_written_by_hand(_corpus(telling, BY_HAND), telling.actor, timezone.now)


def _corpus(telling: Telling, name: str) -> Corpus:
    found = telling.study.corpora.filter(name=name).first()
    description = "Invented texts. " + ("Made of templates." if name == MADE_UP else "Written for this demo.")
    return found or create_corpus(
        study=telling.study, name=name, description=description, actor=telling.actor, now=timezone.now()
    )


def _import(telling: Telling, corpus: Corpus, requests: list[ImportRequest], folder: Path) -> None:
    for request in requests:
        import_into(
            corpus=corpus,
            request=request,
            resolve=lambda name: folder / name,
            actor=telling.actor,
            clock=timezone.now,
            on_progress=ignore_progress,
        )


def draw_samples(telling: Telling) -> None:
    """And what people can work on themselves, before anything that takes longer."""
    size = telling.size
    _draw(telling, MADE_UP, SAMPLE, size.sampled_each)
    _draw(telling, BY_HAND, OWN_SAMPLE, max(1, size.own // 6))
    people = [person.username for person in CAST if person.username in ("amal", "bea", "chen")]
    _batch(
        telling,
        BatchRequest(name=OWN, kind="overlap", annotators=people, n=size.own, samples=[OWN_SAMPLE], seed=1),
    )


def _draw(telling: Telling, corpus: str, name: str, each: int) -> Sample:
    return draw_into_study(
        corpus=telling.study.corpora.get(name=corpus),
        name=name,
        design=PpsPosts(n=each),
        seed=telling.story.seed,
        disjoint_from=[],
        actor=telling.actor,
        now=timezone.now(),
        writing=telling.context.fenced_transaction,
    )


def _batch(telling: Telling, request: BatchRequest, hardness: Mapping[str, float] | None = None) -> Batch:
    """With answers, if somebody simulated gives them: opened, answered and closed at once, or not at all."""
    found = telling.study.batches.filter(name=request.name).first()
    if found is not None:
        return found
    now = timezone.now()
    with telling.context.fenced_transaction():
        batch = open_batch(study=telling.study, request=request, actor=telling.actor, now=now)
        if hardness is not None:
            _answer(telling, batch, hardness)
    return batch


def _answer(telling: Telling, batch: Batch, hardness: Mapping[str, float]) -> None:
    now = timezone.now()
    answer_batch(batch, telling.truths, hardness, seed=telling.story.seed, now=now)
    close_batch(batch=batch, actor=telling.actor, now=now)


def _overlap(telling: Telling, name: str, seed: int, hardness: Mapping[str, float]) -> None:
    request = BatchRequest(
        name=name,
        kind="overlap",
        annotators=telling.annotators,
        n=telling.size.overlap,
        samples=[SAMPLE],
        seed=seed,
    )
    batch = _batch(telling, request, hardness)
    if latest_report(batch) is None:
        finish(telling.context, request_measurement(batch=batch, actor=telling.actor, now=timezone.now()))


def first_round(telling: Telling) -> None:
    _overlap(telling, ROUND_1, 1, FIRST_ROUND)


def second_round(telling: Telling) -> None:
    _overlap(telling, ROUND_2, 2, SECOND_ROUND)


def decide_and_freeze(telling: Telling) -> None:
    _adjudicate(telling, ROUND_1, leave_flagged=False)
    _adjudicate(telling, ROUND_2, leave_flagged=False)
    _freeze(telling, FIRST_RELEASE)


def _adjudicate(telling: Telling, name: str, *, leave_flagged: bool) -> None:
    batch = telling.study.batches.select_related("study", "edition").get(name=name)
    steps = adjudicate(batch, telling.truths, telling.actor, leave_flagged=leave_flagged, now=timezone.now())
    for _ in steps:
        repeat_progress(telling.context)


def _freeze(telling: Telling, name: str) -> Release:
    study = telling.study
    if not study.releases.filter(name=name).exists():
        request = FreezeRequest(name=name, texts=True, seed=1, licence="Invented texts: CC0 1.0")
        telling.once(
            FREEZE_RELEASE,
            lambda: enqueue_freezing(study=study, request=request, actor=telling.actor, now=timezone.now()),
        )
    return study.releases.get(name=name)


def train_models(telling: Telling) -> None:
    """The first enters service by the study's rule; the second is measured against it and stays out."""
    with telling.context.fenced_transaction():
        off = PrelabelChoice(is_on=False)
        change_choice(study=telling.study, choice=off, actor=telling.actor, now=timezone.now())
    adapter = _trained(telling, SERVING, "tfidf-logistic")
    if adapter_in_service(telling.study) is None:
        report = telling.study.promotion_reports.filter(candidate=adapter).first()
        with telling.context.fenced_transaction():
            promote(
                adapter=adapter,
                report=report,
                override_reason="" if report and report.passed else OVERRIDE,
                actor=telling.actor,
                now=timezone.now(),
            )
    _trained(telling, REFUSED, "nearest-neighbour")


def _trained(telling: Telling, name: str, learner: str) -> Adapter:
    """And held against the rule."""
    study, actor = telling.study, telling.actor
    release = study.releases.get(name=FIRST_RELEASE)
    if not study.adapters.filter(name=name).exists():
        request = TrainRequest(release=release.number, learner=learner, name=name)
        telling.once(
            TRAIN_ADAPTER,
            lambda: enqueue_training(
                study=study, release=release, request=request, actor=actor, now=timezone.now()
            ),
        )
    adapter = study.adapters.select_related("study", "release").get(name=name)
    if not study.promotion_reports.filter(candidate=adapter).exists():
        telling.once(EXAMINE_ADAPTER, lambda: enqueue_gate(adapter=adapter, actor=actor, now=timezone.now()))
    return adapter


def choose_and_answer(telling: Telling) -> None:
    study, actor, size = telling.study, telling.actor, telling.size
    if not study.batches.filter(name=CHOSEN).exists():
        pool = PoolRequest(strategy=STRATEGY, samples=[SAMPLE])
        telling.once(
            PREDICT_POOL,
            lambda: request_prediction(study=study, request=pool, actor=actor, now=timezone.now()),
        )
        request = ChoiceRequest(
            name=CHOSEN,
            strategy=STRATEGY,
            samples=[SAMPLE],
            n=size.chosen,
            random_share=RANDOM_SHARE,
            annotators=telling.annotators,
            seed=3,
        )
        with telling.context.fenced_transaction():
            batch = open_chosen_batch(study=study, request=request, actor=actor, now=timezone.now())
            _answer(telling, batch, SECOND_ROUND)
    _adjudicate(telling, CHOSEN, leave_flagged=True)


def collect_gold(telling: Telling) -> None:
    request = BatchRequest(
        name=GOLD, kind="main", annotators=telling.annotators, n=telling.size.gold, samples=[SAMPLE], seed=4
    )
    _batch(telling, request, SECOND_ROUND)
    _freeze(telling, SECOND_RELEASE)
    study, actor = telling.study, telling.actor
    if not study.savings_readings.exists():
        telling.once(READ_METER, lambda: request_reading(study=study, actor=actor, now=timezone.now()))


def label_and_report(telling: Telling) -> None:
    study, actor = telling.study, telling.actor
    run = study.labelling_runs.order_by("number").first()
    if run is None:
        request = LabelRequest(
            corpus=study.corpora.get(name=MADE_UP).slug, adapter=study.adapters.get(name=SERVING).number
        )
        with telling.context.fenced_transaction():
            run = start_run(study=study, request=request, actor=actor, now=timezone.now())
    finish(telling.context, run.job)
    if not study.reports.exists():
        asked = ReportRequest(
            run=run.number,
            release=study.releases.get(name=SECOND_RELEASE).number,
            title=REPORT,
            sections=list(telling.size.sections),
            topics={name: place.topic for name, place in sentences().communities.items()},
        )
        telling.once(
            MAKE_REPORT,
            lambda: enqueue_report(study=study, request=asked, actor=actor, now=timezone.now()),
        )
    with telling.context.fenced_transaction():
        change_choice(study=study, choice=PrelabelChoice(), actor=actor, now=timezone.now())


Step = Callable[[Telling], None]
STEPS: tuple[tuple[str, Step], ...] = (
    ("Making texts", bring_texts),
    ("Drawing samples", draw_samples),
    ("Annotating and measuring round 1", first_round),
    ("Annotating and measuring round 2", second_round),
    ("Adjudicating and freezing a release", decide_and_freeze),
    ("Training two models", train_models),
    ("Annotating what the model chose", choose_and_answer),
    ("Collecting gold", collect_gold),
    ("Labelling the corpus and writing a report", label_and_report),
)
