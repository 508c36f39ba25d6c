"""What may happen to items of a queue, as steps to be taken at random; and what their rows say, beside the slow way."""

from __future__ import annotations

import random
from collections.abc import Callable

from backend.annotate.batches.errors import BatchError
from backend.annotate.batches.models import AssignedItem, BatchKind, BatchState
from backend.annotate.batches.services.life import forget_batch
from backend.annotate.batches.services.people import restore_annotator, withdraw_annotator
from backend.annotate.discussions import services as discussions
from backend.annotate.discussions.errors import DiscussionError
from backend.annotate.discussions.models import Discussion
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.decide.adjudication.doubting import ask_for_another_look, withdraw_the_ask
from backend.decide.adjudication.errors import AdjudicationError
from backend.decide.adjudication.models import Decision, QueueItem, Suspicion, SuspicionKind
from backend.decide.adjudication.plan_services import dismiss_suspicion
from backend.decide.adjudication.queue_rows import refresh_queue
from backend.decide.adjudication.queue_states import item_states
from backend.decide.adjudication.services import undo
from backend.design.codebooks.services import add_edition
from backend.design.samples.models import Item
from tests.backend.decide.adjudication.fixtures import ADVICE, EMOTIONS, Bench, later


def stored(study: Study) -> dict[int, object]:
    """What is in the rows, after what was marked has been worked out."""
    refresh_queue(study)
    rows = QueueItem.objects.filter(study=study)
    return {
        row.item_id: (
            row.state,
            row.points,
            row.codes,
            row.annotators,
            row.batches,
            row.blind_to_id,
            row.final_id,
        )
        for row in rows
    }


def worked_out(study: Study) -> dict[int, object]:
    return {
        pk: (
            found.state,
            {str(reason): n for reason, n in found.points.items()},
            sorted(found.codes),
            sorted(found.annotators),
            sorted(found.batches),
            found.blind_to,
            found.final,
        )
        for pk, found in item_states(study).items()
    }


class Life:
    """What can happen in a study, each step by the numbers that hypothesis draws."""

    def __init__(self, bench: Bench) -> None:
        self.bench, self.minute, self.batches, self.editions = bench, 0, 1, 1

    def steps(self) -> list[Callable[[random.Random], object]]:
        return [
            self.answer,
            self.answer,
            self.answer,
            self.spoil,
            self.decide,
            self.decide,
            self.undo,
            self.suspect,
            self.dismiss,
            self.ask,
            self.talk,
            self.change_state,
            self.withdraw,
            self.take_back,
            self.give_again,
            self.change_plan,
            self.change_codebook,
            self.forget,
        ]

    def item(self, rng: random.Random) -> Item:
        return rng.choice(self.bench.items)

    def now(self) -> int:
        self.minute += 1
        return self.minute

    def answer(self, rng: random.Random) -> None:
        codes = rng.choice([[], [EMOTIONS], [ADVICE]])
        item = self.item(rng)
        flag = rng.choice([None, None, "Is it?"])
        answers = self.bench.work.answers(item, *codes, flag=flag)
        self.hand_in(rng, item, answers)

    def spoil(self, rng: random.Random) -> None:
        self.hand_in(rng, self.item(rng), None, results=[{"nonsense": True}])

    def hand_in(self, rng: random.Random, item: Item, answers: object, **more: object) -> None:
        batch = rng.choice(list(self.bench.study.batches.all()))
        annotator = rng.choice(self.bench.annotators)
        held = batch.assignments.filter(annotator=annotator, assigned_items__item=item)
        if held.exists():
            self.bench.hand_in(annotator, item, answers, minutes=self.now(), batch=batch, **more)  # type: ignore[arg-type]

    def decide(self, rng: random.Random) -> None:
        codes = rng.choice([[], [EMOTIONS]])
        self.bench.decide(self.item(rng), self.researcher(rng), *codes, minutes=self.now())

    def researcher(self, rng: random.Random) -> User:
        return rng.choice([self.bench.cast.rosa, self.bench.cast.ravi])

    def undo(self, rng: random.Random) -> None:
        if rows := list(Decision.objects.all()):
            undo(decision=rng.choice(rows), actor=self.researcher(rng), now=later(self.now()))

    def suspect(self, rng: random.Random) -> None:
        Suspicion.objects.create(
            item=self.item(rng),
            kind=SuspicionKind.RECHECK,
            code=EMOTIONS,
            detail={},
            detail_hash=str(self.now()),
            found_at=later(self.minute),
        )

    def dismiss(self, rng: random.Random) -> None:
        if rows := list(Suspicion.objects.all()):
            dismiss_suspicion(
                suspicion=rng.choice(rows), reason="No.", actor=self.bench.cast.rosa, now=later(self.now())
            )

    def ask(self, rng: random.Random) -> None:
        item, now = self.item(rng), later(self.now())
        if rng.random() < 0.3:
            withdraw_the_ask(item=item, code=EMOTIONS, now=now)
        else:
            ask_for_another_look(
                item=item,
                code=EMOTIONS,
                label=0,
                model_says=1,
                model="M",
                actor=self.bench.cast.rosa,
                now=now,
            )

    def talk(self, rng: random.Random) -> None:
        if rows := list(Discussion.objects.all()):
            found, rosa, now = rng.choice(rows), self.bench.cast.rosa, later(self.now())
            what = rng.choice(["settle", "reopen", "reply"])
            if what == "settle":
                discussions.settle(discussion=found, actor=rosa, reason="So.", now=now)
            elif what == "reopen":
                discussions.reopen(discussion=found, actor=rosa, now=now)
            else:
                discussions.reply(discussion=found, author=rosa, body="Why?", now=now)

    def change_state(self, rng: random.Random) -> None:
        batch = rng.choice(list(self.bench.study.batches.all()))
        batch.state = rng.choice([BatchState.OPEN, BatchState.CLOSED, BatchState.DISCARDING])
        batch.save(update_fields=["state"])

    def withdraw(self, rng: random.Random) -> None:
        who, now = rng.choice(self.bench.annotators), later(self.now())
        if rng.random() < 0.5:
            withdraw_annotator(batch=self.bench.batch, annotator=who, actor=self.bench.cast.rosa, now=now)
        else:
            restore_annotator(batch=self.bench.batch, annotator=who, actor=self.bench.cast.rosa, now=now)

    def take_back(self, rng: random.Random) -> None:
        places = AssignedItem.objects.filter(item=self.item(rng), submission=None)
        moment = rng.choice([None, later(self.now())])
        places.filter(assignment__annotator=rng.choice(self.bench.annotators)).update(taken_back_at=moment)

    def give_again(self, rng: random.Random) -> None:
        self.batches += 1
        kind = rng.choice([BatchKind.MAIN, BatchKind.RECHECK])
        self.bench.again(
            rng.choice(self.bench.annotators), self.item(rng), kind=kind, name=f"B{self.batches}"
        )

    def change_plan(self, rng: random.Random) -> None:
        self.bench.plan(threshold=rng.choice([0, 0.5, 1]), second_share=rng.choice([0, 1]))

    def change_codebook(self, rng: random.Random) -> None:
        self.editions += 1
        add_edition(
            study=self.bench.study,
            source=self.bench.work.edition.source.replace("definition: ", f"definition: {self.editions} ", 1),
            file_name="codebook.yaml",
            note="Reworded",
            actor=self.bench.cast.rosa,
            now=later(self.now()),
        )

    def forget(self, rng: random.Random) -> None:
        others = list(self.bench.study.batches.exclude(pk=self.bench.batch.pk))
        if others:
            batch = rng.choice(others)
            batch.state = BatchState.DISCARDING
            batch.save()
            forget_batch(batch=batch, actor=self.bench.cast.rosa, now=later(self.now()))


REFUSALS = (AdjudicationError, BatchError, DiscussionError)
