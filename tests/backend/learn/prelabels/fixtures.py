"""A study whose adapters really predict, its batches, and a Label Studio in memory to show suggestions in."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from annotation.answers import Answers, canonical_answers, shown_codes
from annotation.label_studio.encoding import encode_answers
from annotation.release.read import read_release
from backend.annotate.batches.models import AssignedItem, Assignment, Batch, BatchKind
from backend.annotate.label_studio.values import TaskSeen
from backend.annotate.sync.models import Account, Project
from backend.annotate.sync.polling import poll_all
from backend.annotate.sync.push import bring_in_line
from backend.annotate.sync.selectors import projects_with_work
from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.studies.models import Study
from backend.decide.releases.importing import import_release
from backend.decide.releases.models import Release
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from backend.learn.models.models import Adapter
from backend.learn.models.registering import register_adapter
from backend.learn.models.services import promote
from backend.learn.prelabels import job_handlers
from backend.learn.prelabels.queue import PUSH_PRELABELS, enqueue_push
from codebook.schema import Codebook
from learning.prelabel_experiment.values import Condition
from learning.tasks.contract import TrainRequest, TrainResult
from learning.tasks.folder import TaskFolder
from tests.backend.learn.models.fixtures import EPITOME, folder_of, run, work_as_ml_backend
from tests.cast import NOW, Cast
from tests.label_studio_fake import FakeLabelStudio
from tests.ml_backend.fixtures import example, made_release, words_optional


@dataclass
class Bench:
    cast: Cast
    first: Adapter
    second: Adapter
    items: list[Item]
    server: FakeLabelStudio = field(default_factory=lambda: FakeLabelStudio(now=NOW))

    @property
    def study(self) -> Study:
        return self.cast.study

    @property
    def codebook(self) -> Codebook:
        return codebook_of(self.first.edition)

    def clock(self) -> datetime:
        return self.server.now

    def promote(self, adapter: Adapter) -> None:
        promote(adapter=adapter, report=None, override_reason="Tests", actor=self.cast.rosa, now=self.clock())

    def batch(
        self,
        *annotators: User,
        items: list[Item] | None = None,
        kind: BatchKind = BatchKind.MAIN,
        name: str = "Batch 1",
        seed: int = 4,
    ) -> Batch:
        batch = Batch.objects.create(
            study=self.study,
            name=name,
            kind=kind,
            edition=self.first.edition,
            seed=seed,
            opened_by=self.cast.rosa,
            opened_at=NOW,
        )
        for annotator in annotators or (self.cast.amal,):
            share = Assignment.objects.create(batch=batch, annotator=annotator, assigned_at=NOW)
            AssignedItem.objects.bulk_create(
                AssignedItem(assignment=share, item=item, position=position)
                for position, item in enumerate(self.items if items is None else items)
            )
        self.bring_in_line(batch)
        return batch

    def bring_in_line(self, batch: Batch) -> None:
        bring_in_line(batch, self.server, now=self.clock(), report=lambda done, total: None)

    def push(self, batch: Batch) -> Job:
        """As a worker and the ML backend do it together."""
        job = run(enqueue_push(batch=batch, actor=None, now=self.clock()))
        folder = folder_of(job, "predict")
        if job.state == "queued" and folder.request.exists() and not folder.result.exists():
            work_as_ml_backend(folder)
            job = run(job)
        return job

    def pushes(self) -> int:
        return Job.objects.filter(kind=PUSH_PRELABELS, state="queued").count()

    def poll(self) -> None:
        poll_all(self.server, clock=self.clock)

    def later(self, **time: float) -> None:
        self.server.now += timedelta(**time)

    def project(self, batch: Batch, annotator: User) -> Project:
        return projects_with_work().get(assignment__batch=batch, assignment__annotator=annotator)

    def tasks(self, batch: Batch, annotator: User | None = None) -> dict[str, TaskSeen]:
        project = self.project(batch, annotator or self.cast.amal)
        return {task.item: task for task in self.server.task_index(project.label_studio_id or 0)}

    def versions(self, batch: Batch, annotator: User | None = None) -> dict[str, tuple[str, ...]]:
        """The models behind each item's predictions, as Label Studio has them."""
        tasks = self.tasks(batch, annotator)
        return {item: self.server._tasks[task.id].versions() for item, task in tasks.items()}

    def submit(
        self,
        batch: Batch,
        item: Item,
        answers: Answers,
        *,
        annotator: User | None = None,
        seconds: float = 30,
    ) -> None:
        who = annotator or self.cast.amal
        task = self.tasks(batch, who)[item.item_id].id
        rows = encode_answers(self.codebook, item_text(item), answers)
        account = Account.objects.get(user=who).label_studio_id
        self.server.submit(task, account, rows, lead_seconds=seconds)

    def nothing_found(self, item: Item) -> Answers:
        text = item_text(item)
        values = {code.id: question.levels[0].value for question, code in shown_codes(self.codebook, text)}
        return canonical_answers(self.codebook, text, values, (), None)

    def conditions(self, batch: Batch) -> dict[str, Condition]:
        rows = batch.condition_assignments.values_list("item__item_id", "condition")
        return {item: Condition(condition) for item, condition in rows}

    def items_in(self, batch: Batch, condition: Condition) -> list[Item]:
        conditions = self.conditions(batch)
        return [item for item in self.items if conditions.get(item.item_id) is condition]


def made_items(study: Study, n: int, *, start: int = 0) -> list[Item]:
    """Two under each post, with words that give the answers away; every seventh has no reply."""
    found = []
    for number in range(start, start + n):
        text = example(EPITOME, number + 500, reply=number % 7 != 6).text
        found.append(
            Item(
                study=study,
                item_id=text.item_id,
                platform="reddit",
                community="lane",
                post_id=f"p{number // 2}",
                reply_id=None if text.reply is None else f"r{number}",
                title=text.title,
                post_text=text.post,
                reply_text=text.reply,
            )
        )
    return Item.objects.bulk_create(found)


@dataclass(frozen=True)
class Made:
    """A release and what was learned from it, once for all tests."""

    release: Path
    adapters: tuple[TaskFolder, ...]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return learn(tmp_path_factory.mktemp("made"), words_optional(EPITOME), "tfidf-logistic", "majority")


def learn(home: Path, codebook: Codebook, *learners: str) -> Made:
    release = made_release(home / "release", codebook, 30)
    folders = []
    for learner in learners:
        folder = TaskFolder(home / learner)
        manifest = read_release(release).manifest
        request = TrainRequest(
            release=str(release), release_hash=manifest.hash, learner=learner, config={}, seed=1, threads=1
        )
        folder.write_request(request)
        work_as_ml_backend(folder)
        folders.append(folder)
    return Made(release, tuple(folders))


@pytest.fixture
def bench(
    cast: Cast, made: Made, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Bench:
    found = set_up(cast, made, settings, tmp_path)
    monkeypatch.setattr(job_handlers, "connect", lambda: found.server)
    return found


def set_up(cast: Cast, made: Made, settings: Settings, tmp_path: Path) -> Bench:
    settings.RELEASES_DIR, settings.ADAPTERS_DIR = tmp_path / "releases", tmp_path / "adapters"
    settings.ML_DIR, settings.ML_PATIENCE = tmp_path / "ml", timedelta(0)
    release = import_release(study=cast.study, folder=made.release, actor=cast.rosa, now=NOW)
    adapters = [registered(cast.study, release, folder, tmp_path) for folder in made.adapters]
    return Bench(cast, adapters[0], adapters[-1], made_items(cast.study, 20))


def registered(study: Study, release: Release, made: TaskFolder, tmp_path: Path) -> Adapter:
    copy = TaskFolder(tmp_path / made.path.name)
    shutil.copytree(made.path, copy.path)
    result = copy.read_result()
    assert isinstance(result, TrainResult)
    return register_adapter(
        study=study,
        release=release,
        folder=copy,
        adapter_id=result.adapter_id,
        name=made.path.name,
        parent=None,
        actor=study.created_by,
        now=NOW,
    )
