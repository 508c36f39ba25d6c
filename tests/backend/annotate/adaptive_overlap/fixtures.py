"""An adaptive overlap of ten items among three people, and annotators who answer it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from backend.annotate.batches.models import AssignedItem, Batch
from backend.annotate.batches.requests import BatchRequest
from backend.core.accounts.models import User
from backend.design.codebooks.models import Edition
from tests.backend.annotate.batches.fixtures import EVERYBODY, opened
from tests.backend.decide.agreement.fixtures import Team
from tests.batch_fixtures import Work
from tests.cast import Cast

N_ITEMS = 10


def wish(**more: object) -> BatchRequest:
    request: dict[str, object] = {
        "name": "Batch 1",
        "kind": "adaptive",
        "annotators": EVERYBODY,
        "samples": ["Main"],
        "n": N_ITEMS,
        "seed": 7,
        "sure_at": 0.8,
    }
    return BatchRequest.model_validate(request | more)


@dataclass
class Adaptive:
    """`code` is what those who see something tick."""

    cast: Cast
    batch: Batch
    team: Team
    code: str

    @property
    def keys(self) -> list[str]:
        given = AssignedItem.objects.filter(assignment__batch=self.batch)
        return sorted(set(given.values_list("item__item_id", flat=True)))

    @property
    def split(self) -> list[str]:
        """The two items on which tests have annotators differ."""
        return self.keys[:2]

    def places(self, item_id: str) -> list[AssignedItem]:
        found = AssignedItem.objects.filter(assignment__batch=self.batch, item__item_id=item_id)
        return list(
            found.select_related("item", "assignment__annotator").order_by("assignment__annotator_id")
        )

    def answer(self, place: AssignedItem, *, sees: bool) -> None:
        answers = self.team.work.answers(place.item, *([self.code] if sees else []))
        self.team.answer(place.assignment, place.item, answers)

    def answer_first(self, split: Collection[str] = (), but: Collection[str] = ()) -> None:
        """Everybody says that nothing is there, but for one of the two on items that are `split`."""
        for key in self.keys:
            for at, place in enumerate(self.places(key) if key not in but else []):
                self.answer(place, sees=key in split and at == 0)

    def who(self, item_id: str) -> set[str]:
        return {place.assignment.annotator.username for place in self.places(item_id)}

    def extra(self) -> dict[str, str]:
        """Who was asked as well, by item."""
        found = AssignedItem.objects.filter(assignment__batch=self.batch, is_extra=True)
        return dict(found.values_list("item__item_id", "assignment__annotator__username"))


def adaptive(cast: Cast, **more: object) -> Adaptive:
    batch = opened(cast, wish(**more))
    edition = Edition.objects.get(study=cast.study)
    work = Work(cast.study, cast.rosa, edition, list(cast.study.items.all()))
    _, code = next(iter(work.codebook.coded_questions()))
    return Adaptive(cast, batch, Team(work), code.id)


def person(cast: Cast, username: str) -> User:
    found: User = getattr(cast, username)
    return found
