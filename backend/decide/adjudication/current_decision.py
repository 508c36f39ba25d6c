"""Works out from an item's decisions what stands, which round is due, and who may not see what yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from backend.decide.adjudication.models import DecisionRound, Way


@dataclass(frozen=True, slots=True)
class Step:
    """A decision without its answer."""

    pk: int
    item_pk: int
    decision_round: int
    number: int
    way: str
    author_id: int
    made_at: datetime
    judgments_hash: str
    opened_at: datetime | None
    is_chosen: bool
    differences: Mapping[str, float | None] | None

    @property
    def knew_until(self) -> datetime:
        """What came up later was not before its author."""
        return self.opened_at or self.made_at

    @property
    def stands(self) -> bool:
        return self.way != Way.UNDONE


@dataclass(frozen=True, slots=True)
class CurrentDecision:
    """`last` is the latest step of each round, be it undone or not; `differs`: the codes on which two rounds
    do not agree."""

    last: dict[int, Step]
    is_chosen: bool
    differs: tuple[str, ...] = ()

    def in_force(self, decision_round: DecisionRound) -> Step | None:
        step = self.last.get(decision_round)
        return step if step is not None and step.stands else None

    @property
    def first(self) -> Step | None:
        return self.in_force(DecisionRound.FIRST)

    @property
    def second(self) -> Step | None:
        return self.in_force(DecisionRound.SECOND)

    @property
    def due(self) -> DecisionRound | None:
        """Which decision_round has to come before anything is final."""
        if self.in_force(DecisionRound.RECONCILING):
            return None
        if self.first is None:
            return DecisionRound.FIRST
        if self.second is None:
            return DecisionRound.SECOND if self.is_chosen else None
        return DecisionRound.RECONCILING if self.differs else None

    @property
    def final(self) -> Step | None:
        return None if self.due else self.in_force(DecisionRound.RECONCILING) or self.first

    @property
    def latest(self) -> Step | None:
        """Since this one nothing was decided any more."""
        standing = (step for step in self.last.values() if step.stands)
        return max(standing, key=lambda step: (step.made_at, step.pk), default=None)

    @property
    def answered_until(self) -> datetime | None:
        """What came up until then is answered by the final decision; None while there is none."""
        return self.latest.knew_until if self.latest and self.due is None else None

    def leaves_open(self, moment: datetime) -> bool:
        """Whether what came up then still has to be decided."""
        return self.answered_until is None or moment > self.answered_until

    def number_of(self, decision_round: DecisionRound) -> int:
        step = self.last.get(decision_round)
        return step.number if step else 0

    def hides_from(self, user_id: int, decision_round: int, author_id: int) -> bool:
        """Until two decisions stand, whoever could make the missing one sees only what they decided themselves."""
        is_one_of_two = self.is_chosen and decision_round != DecisionRound.RECONCILING
        return is_one_of_two and not (self.first and self.second) and user_id != author_id

    def round_for(self, user_id: int) -> DecisionRound | None:
        """What this researcher would decide now; None if it is somebody else's turn."""
        if self.in_force(DecisionRound.RECONCILING) or (self.first and self.second):
            return DecisionRound.RECONCILING
        if self.first is None:
            return None if self.second and self.second.author_id == user_id else DecisionRound.FIRST
        if not self.is_chosen or self.first.author_id == user_id:
            return DecisionRound.FIRST
        return DecisionRound.SECOND


def current_decision_of(steps: Iterable[Step], *, is_chosen: bool, threshold: float) -> CurrentDecision:
    """Steps in the order of their numbers; `is_chosen` is asked only of an item that has none yet."""
    last = {step.decision_round: step for step in steps}
    found = CurrentDecision(last, next((step.is_chosen for step in last.values()), is_chosen))
    if found.first and found.second:
        completing = max(found.first, found.second, key=lambda step: step.pk)
        return replace(found, differs=_differing_codes(completing.differences or {}, threshold))
    return found


def _differing_codes(differences: Mapping[str, float | None], threshold: float) -> tuple[str, ...]:
    """
    >>> _differing_codes({"warmth": None, "advice": 0.4, "thanks": 0.8}, 0.5)
    ('warmth', 'advice')
    """
    return tuple(code for code, match in differences.items() if match is None or match < threshold)
