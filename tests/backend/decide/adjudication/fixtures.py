"""Lays out what annotators said, the way it really comes in, for the tests of adjudication."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import count

from annotation.answers import Answers, Judgment, Span, shown_codes
from backend.annotate.batches.models import Assignment, Batch, BatchKind
from backend.core.accounts.models import User
from backend.decide.adjudication.candidate_answers import offers_on
from backend.decide.adjudication.models import Decision, DecisionRound, Way
from backend.decide.adjudication.plan_services import change_plan
from backend.decide.adjudication.selectors import current_decision_for
from backend.decide.adjudication.services import Draft, decide
from backend.design.codebooks.selectors import latest_edition
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from codebook.schema import AnswerKind, Evidence
from tests.backend.annotate.judgments.arriving import Workspace
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW

EMOTIONS = "sharing-emotions"
ADVICE = "offering-advice"


class Bench:
    """One overlap batch for the three annotators, and what they say about its items."""

    def __init__(self, work: CastAtWork, *, n_items: int = 6) -> None:
        self.work, self.cast, self.study = work, work.cast, work.study
        self.items = work.items[:n_items]
        self.annotators = [work.cast.amal, work.cast.bea, work.cast.chen]
        self.batch = work.batch(*self.annotators, items=self.items)
        self._ids = count(1)
        self._given: dict[tuple[int, int, int], int] = {}

    def share(self, annotator: User, batch: Batch | None = None) -> Workspace:
        assignment = Assignment.objects.get(batch=batch or self.batch, annotator=annotator)
        return Workspace(self.work, assignment)

    def hand_in(
        self,
        annotator: User,
        item: Item,
        answers: Answers | None,
        *,
        minutes: int = 0,
        batch: Batch | None = None,
        results: object = None,
        now: datetime = NOW,
    ) -> None:
        """Handing in again changes the same annotation; it is seen now."""
        workspace = self.share(annotator, batch)
        position = workspace.share.assigned_items.get(item=item).position
        key = (annotator.pk, item.pk, workspace.share.pk)
        number = self._given.setdefault(key, next(self._ids))
        arrival = workspace.arrival(number, answers, position=position, minutes=minutes, results=results)
        workspace.receive(arrival, now=now)

    def all_say(self, item: Item, *said: Sequence[str], flag: str | None = None) -> None:
        """Each annotator ticks these codes, with the first words as evidence; the first one may flag."""
        for number, (annotator, codes) in enumerate(zip(self.annotators, said, strict=False)):
            note = flag if number == 0 else None
            self.hand_in(annotator, item, self.work.answers(item, *codes, flag=note))

    def disagree(self, item: Item, code: str = EMOTIONS) -> None:
        """Two find the code, one does not."""
        self.all_say(item, [code], [code], [])

    def again(self, annotator: User, *items: Item, kind: BatchKind, name: str) -> Batch:
        return self.work.batch(annotator, items=items, name=name, kind=kind)

    def plan(self, *, second_share: float = 0.0, threshold: float = 0.5, seed: int = 1) -> None:
        change_plan(
            study=self.study,
            evidence_threshold=threshold,
            second_share=second_share,
            seed=seed,
            actor=self.cast.rosa,
            now=NOW,
        )

    def answer(self, item: Item, *codes: str) -> Answers:
        return self.work.answers(item, *codes)

    def decide(
        self,
        item: Item,
        actor: User,
        *codes: str,
        reason: str = "",
        minutes: int = 0,
        settles: bool = False,
        way: Way = Way.WRITTEN,
        accepted_from: User | None = None,
    ) -> Decision:
        standing = current_decision_for(item)
        decision_round = standing.round_for(actor.pk) or DecisionRound.FIRST
        draft = Draft(
            self.answer(item, *codes),
            reason=reason,
            settles_discussions=settles,
            way=way,
            accepted_from=accepted_from,
            seconds=20,
        )
        return decide(
            item=item,
            draft=draft,
            actor=actor,
            decision_round=decision_round,
            expected_number=standing.number_of(decision_round),
            now=later(minutes),
        )

    def majority(self, item: Item) -> Answers:
        edition = latest_edition(self.study)
        assert edition is not None
        candidates = offers_on(item, edition)
        return candidates.as_answers(candidates.majority.side)


def later(minutes: int) -> datetime:
    return NOW + timedelta(hours=1, minutes=minutes)


def marked(work: CastAtWork, item: Item, code_id: str, words: str) -> Answers:
    """The code ticked for these words of its part, nothing else."""
    text = item_text(item)
    judgments, spans = [], []
    for question, code in shown_codes(work.codebook, text):
        is_it = code.id == code_id
        judgments.append(Judgment(code.id, int(is_it)))
        takes = question.evidence is not Evidence.NONE or question.answer is AnswerKind.SENTENCES
        if is_it and takes:
            start = (text.text_of(question.part) or "").index(words)
            spans.append(Span(code.id, question.part, start, start + len(words)))
    return Answers(tuple(judgments), tuple(spans), None)
