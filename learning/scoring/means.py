"""Means of scores over codes, whose intervals come from the same resamples of posts for all codes."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from annotation.agreement.bootstrap import Values
from annotation.agreement.totals import mean_of_defined
from codebook.schema import Part
from learning.scoring.code_work import Sampled, score_estimate
from learning.scoring.values import CodeScores, MeanScores, Metric

NO_CODE = "Undefined: it is undefined for every code."


class _OnPart(Protocol):
    @property
    def part(self) -> Part: ...


def parts_of(codes: Sequence[_OnPart]) -> Iterator[tuple[Part | None, list[int]]]:
    """The places of the codes of each part that has some, and of all codes (None)."""
    for part in (*Part, None):
        chosen = [at for at, code in enumerate(codes) if part is None or code.part is part]
        if chosen:
            yield part, chosen


def mean_scores(
    part: Part | None, codes: Sequence[CodeScores], sampled: Sequence[Sampled], *, n_posts: int
) -> MeanScores:
    """Of each measure that at least one of the codes has."""
    found, left_out = {}, {}
    for metric in Metric:
        having = [at for at, own in enumerate(sampled) if metric in own]
        if not having:
            continue
        by_code = np.stack([sampled[at][metric] for at in having], axis=-1)
        names = [codes[at].code_id for at in having]
        left_out[metric] = _missing(by_code, names)
        n = max(codes[at].scores[metric].n for at in having)
        found[metric] = score_estimate(
            mean_of_defined(by_code),
            n=n,
            n_posts=min(n, n_posts),
            note=_left_out_note(left_out[metric], names),
            reason=NO_CODE,
        )
    return MeanScores(part, len(codes), found, left_out)


def _missing(by_code: Values, names: Sequence[str]) -> tuple[str, ...]:
    """The codes for which the measure is undefined on the items as they are."""
    return tuple(name for name, undefined in zip(names, np.isnan(by_code[0]), strict=True) if undefined)


def _left_out_note(left_out: Sequence[str], names: Sequence[str]) -> str:
    if not left_out or len(left_out) == len(names):
        return ""
    return (
        f"The mean is over {len(names) - len(left_out)} of {len(names)} codes, without {', '.join(left_out)}."
    )
