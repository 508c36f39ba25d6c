"""What the context probe finds out about a model, in the one form that files, pages and the API use."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from annotation.release.rows import SplitPart
from learning.scoring.values import Difference, Metric


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its 95% interval over posts; None where there is nothing to take a share of."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    n_posts: int


@dataclass(frozen=True, slots=True)
class UtteranceRate:
    text: str
    rate: Rate


@dataclass(frozen=True, slots=True)
class Insertion:
    """How often the model says yes once an utterance was put into a reply: `rate` under an unrelated post, `own_posts`
    for the very same replies under posts of the release. `without` is that of the unrelated replies as they were, if
    they had any."""

    rate: Rate
    own_posts: Rate
    without: Rate | None
    utterances: tuple[UtteranceRate, ...]


@dataclass(frozen=True, slots=True)
class Swap:
    """Of the replies of which the model says yes under their own post, the share of which it still does under another's
    (`kept`), and the rest: its `sensitivity`."""

    kept: Rate
    sensitivity: Rate


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The same with contrast pairs of the codebook: `said` is the share of pairs with a yes under the post that the
    reply fits, `kept` the share of these with a yes under the contrary too."""

    said: Rate
    kept: Rate


@dataclass(frozen=True, slots=True)
class CodeProbe:
    """`context_gain` is the score (`metric`) with the true post minus that with a random one; `probability_gain` the
    same of the probability that the model gives to the right answer. What cannot be measured is None, and `notes` say
    why."""

    code_id: str
    metric: Metric
    context_gain: Difference
    probability_gain: Difference | None
    insertion: Insertion | None
    swap: Swap | None
    contradiction: Contradiction | None
    notes: tuple[str, ...]

    @property
    def sensitivity(self) -> Rate | None:
        return self.swap.sensitivity if self.swap else None


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """`mean_gain` is over the codes with the measure that most have; `unrelated` says where unrelated posts are from.

    `n_unrelated` of them were used. `release_hash` is that of the manifest.
    """

    adapter_id: str
    release_hash: str
    split: SplitPart
    n_items: int
    n_posts: int
    unrelated: str
    n_unrelated: int
    codes: tuple[CodeProbe, ...]
    mean_metric: Metric | None
    mean_gain: Difference | None
    resamples: int
    seed: int

    @property
    def sensitivities(self) -> dict[str, Rate]:
        return {code.code_id: code.sensitivity for code in self.codes if code.sensitivity is not None}

    def code(self, code_id: str) -> CodeProbe | None:
        return next((code for code in self.codes if code.code_id == code_id), None)


class ProbeUnreadable(ValueError):
    def __init__(self, problem: object) -> None:
        super().__init__(f"This is no report of a context probe ({problem}): probe the adapter again.")


def encode_probe(report: ProbeReport) -> bytes:
    return msgspec.json.format(msgspec.json.encode(report, order="deterministic"), indent=2) + b"\n"


def decode_probe(content: bytes) -> ProbeReport:
    try:
        return msgspec.json.decode(content, type=ProbeReport)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ProbeUnreadable(error) from error
