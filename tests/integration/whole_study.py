"""One study from the dump to the report, on real processes, step by step as a team would: by commands, and by people
who judge in the real Label Studio. Each step is timed."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from django.conf import settings
from django.utils import timezone

from annotation.agreement.trust_rule import Bound
from annotation.answers import ItemText, canonical_answers
from annotation.label_studio.encoding import encode_answers
from backend.annotate.batches.models import Assignment
from backend.annotate.judgments.models import Quarantined
from backend.annotate.judgments.selectors import submissions
from backend.annotate.label_studio.annotator_session import AnnotatorSession
from backend.annotate.label_studio.client import HttpLabelStudio
from backend.annotate.sync.models import Project, ProjectState
from backend.annotate.sync.seats import entrance_for
from backend.decide.adjudication.models import DecisionRound, Way
from backend.decide.adjudication.queue import Reason, queue_for
from backend.decide.adjudication.services import Draft, decide
from backend.design.codebooks.selectors import codebook_of
from backend.design.codebooks.services import add_edition
from backend.design.samples.selectors import item_text
from backend.learn.models.services import change_promotion_rule
from codebook.schema import Codebook
from codebook.shipped import shipped_path
from corpus.demo import DEMO_FOLDER
from learning.promotion.rule import PromotionRule
from tests.cast import NOW, Cast
from tests.cue_words import truth_by_cues
from tests.integration.instance import Instance, wait_until
from tests.simulated_annotators import Quality, Truth, simulated_answers

REDDIT, STACK_EXCHANGE = (
    ("RaisingThem", "SmallTalkClub", "NineToFive"),
    ("caregivers", "manners", "workfloor"),
)
TOPICS = {
    "RaisingThem": "family",
    "caregivers": "family",
    "SmallTalkClub": "company",
    "manners": "company",
    "NineToFive": "work",
    "workfloor": "work",
}
CORPUS, SAMPLE, CUTOFF = "six-communities", "Main sample", "2023-01-01"
PER_COMMUNITY, OVERLAP, EACH = 10, 18, 14
PATIENCE = 240.0
QUALITIES = {"amal": Quality(0.97, 0.98), "bea": Quality(0.92, 0.96), "chen": Quality(0.90, 0.95)}


@dataclass
class WholeStudy:
    cast: Cast
    instance: Instance
    server: HttpLabelStudio
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def slug(self) -> str:
        return self.cast.study.slug

    def run(self) -> None:
        with self._timed("codebook"):
            self._add_codebook()
        with self._timed("import six dumps"):
            self._import()
        with self._timed("draw the sample"):
            design = (
                "--design",
                "pps_posts",
                "-n",
                str(PER_COMMUNITY),
                "--seed",
                "1",
                "--take-all-if-smaller",
            )
            self.manage("draw_sample", self.slug, CORPUS, "--name", SAMPLE, *design)
        with self._timed("open two batches"):
            self._open("Overlap", "overlap", OVERLAP)
            self._open("Main", "main", EACH)
        with self._timed("three people judge in Label Studio"):
            self._annotate()
        with self._timed("measure agreement"):
            self.manage("measure_agreement", self.slug, "Overlap", "--wait", str(PATIENCE), "--seed", "1")
        with self._timed("adjudicate"):
            self._adjudicate()
        with self._timed("freeze a release"):
            name = ("--name", "First", "--texts", "--seed", "1")
            self.manage("freeze_release", self.slug, *name, "--consensus", "majority")
        with self._timed("train"):
            learner = ("--learner", "tfidf-logistic", "--wait", str(PATIENCE))
            self.manage("train_study", self.slug, "1", *learner)
            self._hold_decisions()
        with self._timed("promotion rule, and into service"):
            # So few test items show no gain clearly
            by_value = PromotionRule(bound=Bound.VALUE)
            change_promotion_rule(
                study=self.cast.study, rule=by_value, actor=self.cast.rosa, now=timezone.now()
            )
            self.manage("examine_adapter", self.slug, "1", "--wait", str(PATIENCE))
            self.manage("promote_adapter", self.slug, "1")
        with self._timed("label the corpus"):
            self.manage("label_corpus", self.slug, "--wait", str(PATIENCE))
        with self._timed("report"):
            topics = [f"--topic={community}={topic}" for community, topic in TOPICS.items()]
            self.manage("make_report", self.slug, "--release", "1", *topics)

    def manage(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            env=self.instance.environment(),
            cwd=settings.ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{' '.join(arguments)}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    @contextmanager
    def _timed(self, step: str) -> Iterator[None]:
        begun = time.monotonic()
        yield
        self.seconds[step] = time.monotonic() - begun

    def timings(self) -> str:
        rows = [f"{seconds:7.1f} s  {step}" for step, seconds in self.seconds.items()]
        return "\n".join([*rows, f"{sum(self.seconds.values()):7.1f} s  in all"])

    def _add_codebook(self) -> None:
        path = shipped_path("empathy-practices")
        add_edition(
            study=self.cast.study,
            source=path.read_text(),
            file_name=path.name,
            note="First",
            actor=self.cast.rosa,
            now=NOW,
        )

    def _import(self) -> None:
        submissions_of, comments_of = (
            [f"{DEMO_FOLDER}/{name}.{kind}.ndjson" for name in REDDIT] for kind in ("submissions", "comments")
        )
        given = ("--submissions", *submissions_of, "--comments", *comments_of, "--cutoff", CUTOFF)
        self.manage("import_dump", "reddit", self.slug, "Six communities", *given)
        for name in STACK_EXCHANGE:
            site = ("--posts", f"{DEMO_FOLDER}/{name}.Posts.xml", "--community", name, "--cutoff", CUTOFF)
            self.manage("import_dump", "stackexchange", self.slug, "Six communities", *site)

    def _open(self, name: str, kind: str, n: int) -> None:
        given = ("--kind", kind, "--name", name, "-n", str(n), "--samples", SAMPLE, "--seed", "1")
        self.manage("open_batch", self.slug, *given)

    def _annotate(self) -> None:
        shares = Assignment.objects.filter(batch__study=self.cast.study).select_related("annotator", "batch")
        for share in shares:
            self._judge(share)
        n_places = sum(share.assigned_items.count() for share in shares)
        wait_until(lambda: submissions(self.cast.study).count() == n_places, patience=PATIENCE)
        assert not Quarantined.objects.exists(), "nothing is refused that Label Studio had accepted"

    def _judge(self, share: Assignment) -> None:
        """As soon as the worker has put the tasks there."""
        project = Project.objects.filter(assignment=share, state=ProjectState.READY)
        wait_until(project.exists, patience=PATIENCE)
        number = project.get().label_studio_id or 0
        assert len(list(self.server.task_index(number))) == share.assigned_items.count()
        rng = np.random.default_rng(share.pk)
        with AnnotatorSession(entrance_for(share, None, self.server)) as session:
            for task in self.server.task_index(number):
                text, quality = self.texts[task.item], QUALITIES[share.annotator.username]
                answers = simulated_answers(self.codebook, text, self.truth, quality, rng)
                session.submit(number, task.id, encode_answers(self.codebook, text, answers))

    def _adjudicate(self) -> None:
        rosa, items = self.cast.rosa, {item.pk: item for item in self.cast.study.items.all()}
        for entry in queue_for(rosa, self.cast.study).entries:
            item = items[entry.item_pk]
            values, spans = self.truth.values[item.item_id], self.truth.spans[item.item_id]
            shown = [spans[code] for code, value in values.items() if value]
            answers = canonical_answers(self.codebook, item_text(item), values, shown, None)
            draft = Draft(
                answers,
                reason="Read again.",
                way=Way.WRITTEN,
                settles_discussions=Reason.FLAG in entry.points,
            )
            decide(
                item=item,
                draft=draft,
                actor=rosa,
                decision_round=DecisionRound.FIRST,
                expected_number=0,
                now=timezone.now(),
            )

    def _hold_decisions(self) -> None:
        """What was decided stays decided: a model that has not passed the promotion rule brings nothing back."""
        queue = queue_for(self.cast.rosa, self.cast.study)
        assert (len(queue.entries), queue.settled) == (0, queue.total) and queue.total > 0

    @cached_property
    def codebook(self) -> Codebook:
        return codebook_of(self.cast.study.editions.get())

    @cached_property
    def texts(self) -> dict[str, ItemText]:
        return {item.item_id: item_text(item) for item in self.cast.study.items.all()}

    @cached_property
    def truth(self) -> Truth:
        return truth_by_cues(self.codebook, list(self.texts.values()))
