"""What the savings meter shows: the gain so far and the advice, or why there is none yet."""

import msgspec

from learning.learning_curves.savings import Savings
from learning.learning_curves.stopping import StoppingAdvice

FORMAT = 1


class MeterReading(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`n_gold` items measured, which say as much as `n_effective` of equal weight.

    `savings` is None where there are too few labels of either kind, and `advice` where there are too few at all; the
    reasons beside them say how many there must be.
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
