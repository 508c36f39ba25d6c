"""Work that was given out, for tests: a codebook, items, a batch with a share for each annotator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from annotation.answers import Answers, Flag, Judgment, Span, shown_codes
from backend.annotate.batches.models import AssignedItem, Assignment, Batch, BatchKind
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from backend.design.codebooks.services import add_edition
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from codebook.schema import AnswerKind, Codebook, Evidence
from codebook.shipped import shipped_path
from tests.cast import NOW, Cast


@dataclass(frozen=True)
class Work:
    study: Study
    researcher: User
    edition: Edition
    items: list[Item]

    @classmethod
    def of(cls, study: Study, researcher: User, items: list[Item]) -> Work:
        """Under the edition in force, or a first one."""
        path = shipped_path("empathy-practices")
        edition = study.editions.first() or add_edition(
            study=study,
            source=path.read_text(),
            file_name=path.name,
            note="First",
            actor=researcher,
            now=NOW,
        )
        return cls(study, researcher, edition, items)

    @property
    def codebook(self) -> Codebook:
        return codebook_of(self.edition)

    def batch(
        self,
        *annotators: User,
        items: Sequence[Item],
        name: str = "Batch 1",
        kind: BatchKind = BatchKind.OVERLAP,
    ) -> Batch:
        """The same items to all of them."""
        batch = Batch.objects.create(
            study=self.study,
            name=name,
            kind=kind,
            edition=self.edition,
            seed=1,
            opened_by=self.researcher,
            opened_at=NOW,
        )
        for annotator in annotators:
            share = Assignment.objects.create(batch=batch, annotator=annotator, assigned_at=NOW)
            AssignedItem.objects.bulk_create(
                AssignedItem(assignment=share, item=item, position=position)
                for position, item in enumerate(items)
            )
        return batch

    def answers(self, item: Item, *codes: str, flag: str | None = None) -> Answers:
        """These codes ticked, each with the first words of its part as evidence; levels at their lowest."""
        text = item_text(item)
        judgments, spans = [], []
        for question, code in shown_codes(self.codebook, text):
            lowest = question.levels[0].value if question.levels else 0
            ticked = code.id in codes
            judgments.append(Judgment(code.id, 1 if ticked else lowest))
            if ticked and (question.evidence is not Evidence.NONE or question.answer is AnswerKind.SENTENCES):
                spans.append(Span(code.id, question.part, *_first_words(text.text_of(question.part) or "")))
        return Answers(tuple(judgments), tuple(spans), None if flag is None else Flag(flag))


def _first_words(text: str) -> tuple[int, int]:
    start = len(text) - len(text.lstrip())
    end = min(start + 12, len(text.rstrip()))
    return start, start + len(text[start:end].rstrip())


def made_items(study: Study, n: int) -> list[Item]:
    """Every third one has no reply; all have an emoji, which counts as one."""
    items = [
        Item(
            study=study,
            item_id=f"item-{number:05d}",
            platform="reddit",
            community="NineToFive",
            post_id=f"p{number}",
            reply_id=None if number % 3 == 2 else f"r{number}",
            title=f"Question {number}",
            post_text=f"😕 I feel lost at work today, number {number}.\nWhat would you do?",
            reply_text=None if number % 3 == 2 else f"That sounds hard 🙂. I would talk to number {number}.",
        )
        for number in range(n)
    ]
    return Item.objects.bulk_create(items)


@dataclass(frozen=True)
class CastAtWork(Work):
    """The same for the named people."""

    cast: Cast


@pytest.fixture
def work(cast: Cast) -> CastAtWork:
    work = Work.of(cast.study, cast.rosa, made_items(cast.study, 12))
    return CastAtWork(work.study, work.researcher, work.edition, work.items, cast)
