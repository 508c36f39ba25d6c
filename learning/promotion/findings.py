"""What the ML backend finds out about an adapter that wants to enter service; the verdict is for others."""

from __future__ import annotations

import msgspec

from learning.promotion.swap_test import SwapTest
from learning.scoring.compare import Comparison


class Reproduced(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whether the adapter reaches the scores on its card again. `largest` is the largest difference, None where other
    scores are defined than on the card, or the gold is another."""

    n_scores: int
    largest: float | None


class LeftOut(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Items of the test part that say nothing about which model is better, by the first reason that holds.

    `seen_post` are on a post that one of the two has seen with another reply. `chosen` came through a batch of active
    learning, whose strategy asks for what the one in service finds hard; those of the blind condition are counted too.
    """

    seen_by_candidate: int = 0
    seen_by_opponent: int = 0
    suggested: int = 0
    seen_post: int = 0
    chosen: int = 0

    @property
    def total(self) -> int:
        return self.seen_by_candidate + self.seen_by_opponent + self.suggested + self.seen_post + self.chosen


class Findings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`opponent` is the id of the adapter in service, None where the majority baseline took its place.

    `problem` says why the candidate does not load, `not_compared` why one that does could not be compared; both are
    empty otherwise. Older findings have either in `problem`, and a candidate that loads has `reproduced`.

    The comparison is candidate minus opponent, on items that neither has learned from or been set by, nor from others
    of their post, that nobody judged with a model's suggestion, and that no strategy chose.
    `n_blind` of them are blind ones outside the test part; their labels are those of `blind_release_hash`.
    `chance` says how often chance alone makes a gain like that of the mean.
    """

    candidate: str
    opponent: str | None
    release_hash: str
    problem: str
    reproduced: Reproduced | None
    left_out: LeftOut
    comparison: Comparison | None
    n_blind: int = 0
    blind_release_hash: str = ""
    not_compared: str = ""
    chance: SwapTest | None = None

    @property
    def why_not_loaded(self) -> str:
        return "" if self.reproduced else self.problem

    @property
    def why_not_compared(self) -> str:
        return self.not_compared or (self.problem if self.reproduced else "")


class FindingsUnreadable(ValueError):
    def __init__(self, problem: object) -> None:
        super().__init__(f"This says nothing about an adapter ({problem}): examine it again.")


def encode_findings(findings: Findings) -> bytes:
    return msgspec.json.encode(msgspec.to_builtins(findings, str_keys=True), order="sorted")


def decode_findings(content: bytes) -> Findings:
    try:
        return msgspec.json.decode(content, type=Findings)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FindingsUnreadable(error) from error
