"""Evaluations and comparisons as canonical JSON, so that they can be kept beside an adapter and compared byte by
byte."""

from typing import TypeVar

import msgspec

from learning.scoring.compare import Comparison
from learning.scoring.values import Evaluation

T = TypeVar("T", Evaluation, Comparison)


class ScoreFileUnreadable(ValueError):
    """JSON that is not what it was said to be."""


def encode(scores: Evaluation | Comparison) -> bytes:
    """Keys sorted; there is no NaN in any of them, so that what is decoded is what was encoded."""
    return msgspec.json.encode(msgspec.to_builtins(scores, str_keys=True), order="sorted")


def decode_evaluation(data: bytes) -> Evaluation:
    return _decode(data, Evaluation)


def decode_comparison(data: bytes) -> Comparison:
    return _decode(data, Comparison)


def _decode(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ScoreFileUnreadable(f"This is no {kind.__name__}: {error}. Measure again.") from error
