"""What the savings meter shows: the gain so far and the advice, or why there is none yet.

Readings of a study share one level, look by look, until there are twice as many labels as at the first of them: then
half are new, and another series begins with a level of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from learning.learning_curves.savings import Savings
from learning.learning_curves.stopping import StoppingAdvice

FORMAT = 1
FRESH_FACTOR = 2


@dataclass(frozen=True, slots=True)
class MeterLook:
    """A reading that claimed something, or could have: its series, its number there, and how many items had labels."""

    series: int
    number: int
    n_items: int


def next_look(taken: Sequence[MeterLook], n_items: int) -> MeterLook:
    """
    >>> first = next_look([], 100)
    >>> next_look([first], 199), next_look([first], 200)
    (MeterLook(series=1, number=2, n_items=199), MeterLook(series=2, number=1, n_items=200))
    """
    series = max((look.series for look in taken), default=0)
    own = [look for look in taken if look.series == series]
    if not own or n_items >= FRESH_FACTOR * min(own, key=lambda look: look.number).n_items:
        return MeterLook(series + 1, 1, n_items)
    return MeterLook(series, len(own) + 1, n_items)


class MeterReading(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`n_gold` items measured, which say as much as `n_effective` of equal weight.

    `savings` is None where there are too few labels of either kind, and `advice` where there are too few at all; the
    reasons beside them say how many there must be. `look` is which reading of its series this is.
    """

    format: int = FORMAT
    learner: str
    n_items: int
    n_random: int
    n_chosen: int
    n_gold: int
    n_effective: float
    n_codes: int
    n_trials: int
    seed: int
    savings: Savings | None
    savings_reason: str
    advice: StoppingAdvice | None
    advice_reason: str
    look: int = 1

    @property
    def claims_something(self) -> bool:
        """Or could have: then it spends."""
        return self.savings is not None or self.advice is not None


class ReadingUnreadable(ValueError):
    def __init__(self, problem: object) -> None:
        super().__init__(f"This is no reading of the savings meter ({problem}). Measure again.")


def encode_reading(reading: MeterReading) -> bytes:
    return msgspec.json.encode(reading)


def decode_reading(content: bytes | str) -> MeterReading:
    try:
        return msgspec.json.decode(content, type=MeterReading)
    except msgspec.DecodeError as error:
        raise ReadingUnreadable(error) from error
