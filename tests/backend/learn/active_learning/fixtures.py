"""A study with a release to learn from, a sample to choose from, and, if asked, a model in service."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from annotation.answers import Answers
from backend.annotate.batches.models import Batch
from backend.core.jobs.models import Job
from backend.core.studies.models import Study
from backend.decide.releases.models import Release
from backend.design.samples.models import Item, Sample
from backend.learn.active_learning.queue import request_prediction, request_reading
from backend.learn.active_learning.requests import ChoiceRequest, PoolRequest
from backend.learn.models.models import Adapter
from backend.learn.models.services import promote
from learning.query_strategies.names import StrategyName
from tests.backend.annotate.batches.fixtures import add_sample
from tests.backend.decide.agreement.fixtures import Team
from tests.backend.learn.models.fixtures import EPITOME, folder_of, release_in, run, train, work_as_ml_backend
from tests.batch_fixtures import Work
from tests.cast import NOW, Cast
from tests.ml_backend.fixtures import answers_of, example


@dataclass(frozen=True)
class Pooled:
    cast: Cast
    study: Study
    release: Release
    sample: Sample

    def model_in_service(self, **options: object) -> Adapter:
        adapter = train(self.release, "tfidf-logistic", **options)
        return promote(adapter=adapter, report=None, override_reason="A test", actor=None, now=NOW)

    def request(self, strategy: StrategyName = StrategyName.ENTROPY, **changes: object) -> ChoiceRequest:
        asked: dict[str, object] = {
            "strategy": strategy,
            "samples": [self.sample.name],
            "name": "Chosen 1",
            "n": 10,
            "random_share": 0.3,
            "annotators": ["amal", "bea"],
            "seed": 5,
        }
        return ChoiceRequest.model_validate(asked | changes)

    def predicted(self, strategy: StrategyName = StrategyName.ENTROPY) -> Job:
        """The pool, by an ML backend that works within the test; adapter after adapter."""
        asked = PoolRequest(strategy=strategy, samples=[self.sample.name])
        job = request_prediction(study=self.study, request=asked, actor=self.cast.rosa, now=NOW)
        return worked_on(job, lambda: [f"adapter-{each.number}" for each in self.study.adapters.all()])

    def read_meter(self) -> Job:
        job = request_reading(study=self.study, actor=self.cast.rosa, now=NOW)
        return worked_on(job, lambda: [""])

    def annotate(self, batch: Batch) -> None:
        """By people who see what the words give away."""
        work = Work(self.study, self.cast.rosa, batch.edition, [])
        people = {share.annotator: _answering for share in batch.assignments.select_related("annotator")}
        Team(work).answer_all(batch, people)


def _answering(item: Item) -> Answers:
    return answers_of(EPITOME, example(EPITOME, int(item.item_id.removeprefix("item-"))))


def worked_on(job: Job, steps: Callable[[], list[str]]) -> Job:
    """Until it is over: the ML backend answers each order that lies there without an answer."""
    for _ in range(5):
        after = run(job)
        if after.is_over:
            return after
        for folder in (folder_of(job, step) for step in steps()):
            if folder.request.exists() and not folder.result.exists():
                work_as_ml_backend(folder)
    return run(job)


def pooled_study(cast: Cast, folder: Path, n: int = 60) -> Pooled:
    """The release's items are numbered below 40, those of the pool from 100 on."""
    release = release_in(cast.study, folder)
    Item.objects.bulk_create(
        Item(
            study=cast.study,
            item_id=each.item_id,
            platform="reddit",
            community="lane",
            post_id=f"p-{each.item_id}",
            reply_id=f"r-{each.item_id}",
            title=each.text.title,
            post_text=each.text.post,
            reply_text=each.text.reply,
        )
        for each in (example(EPITOME, number) for number in range(100, 100 + n))
    )
    return Pooled(cast, cast.study, release, add_sample(cast, "Pool", range(100, 100 + n)))
