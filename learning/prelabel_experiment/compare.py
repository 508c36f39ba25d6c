"""Compares the conditions: does a suggestion change what people say, how alike they are, and how long they take?"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.measure import measure_ratings
from annotation.agreement.values import Estimate, Ratings
from learning.prelabel_experiment.resampling import Sampled, contrast, draws, median, share
from learning.prelabel_experiment.tabulate import ConditionTable, Fraction
from learning.prelabel_experiment.values import (
    CodeContrast,
    Condition,
    Contrast,
    ExperimentAnswer,
    ExperimentCode,
    ExperimentReport,
)
from learning.scoring.holm import holm

RESAMPLES = 2000
Weights = NDArray[np.float64]


class _Conditions:
    """Both conditions with their resamples, which every number is measured on."""

    def __init__(
        self, answers: Sequence[ExperimentAnswer], codes: Sequence[ExperimentCode], resamples: int, seed: int
    ):
        rng = np.random.default_rng(seed)
        self.tables = tuple(
            ConditionTable([answer for answer in answers if answer.condition is condition], codes)
            for condition in (Condition.BLIND, Condition.SUGGESTED)
        )
        self._weights = [draws(len(table.posts), resamples=resamples, rng=rng) for table in self.tables]

    def shares(self, blind: Fraction, suggested: Fraction) -> Contrast:
        one, other = (
            share(weights, each.above, each.below)
            for weights, each in zip(self._weights, (blind, suggested), strict=True)
        )
        return contrast(one, other)

    def seconds(self) -> Contrast:
        one, other = (self._median(at) for at in range(2))
        return contrast(one, other)

    def _median(self, at: int) -> Sampled:
        return median(self._weights[at], self.tables[at].seconds())


def compare_conditions(
    answers: Sequence[ExperimentAnswer],
    codes: Sequence[ExperimentCode],
    *,
    resamples: int = RESAMPLES,
    seed: int,
) -> ExperimentReport:
    conditions = _Conditions(answers, codes, resamples, seed)
    blind, suggested = conditions.tables
    return ExperimentReport(
        blind=blind.counts(),
        suggested=suggested.counts(),
        with_model=conditions.shares(blind.with_model(), suggested.with_model()),
        kept=conditions.shares(blind.kept(), suggested.kept()),
        added=conditions.shares(blind.added(), suggested.added()),
        between=conditions.shares(blind.between(), suggested.between()),
        seconds=conditions.seconds(),
        codes=_correct([_code(conditions, code, resamples=resamples, seed=seed) for code in codes]),
    )


def _code(conditions: _Conditions, code: ExperimentCode, *, resamples: int, seed: int) -> CodeContrast:
    blind, suggested = conditions.tables
    alphas = [_alpha(table, code, resamples=resamples, seed=seed) for table in conditions.tables]
    return CodeContrast(
        code.code_id,
        conditions.shares(blind.prevalence(code), suggested.prevalence(code)),
        conditions.shares(blind.with_model([code]), suggested.with_model([code])),
        *alphas,
    )


def _alpha(table: ConditionTable, code: ExperimentCode, *, resamples: int, seed: int) -> Estimate | None:
    """None where no item was judged by two."""
    if not table.between().below.any():
        return None
    items = sorted({answer.item_id for answer in table.answers})
    raters = sorted({answer.annotator for answer in table.answers})
    posts = {answer.item_id: answer.post for answer in table.answers}
    values = np.full((len(items), len(raters)), np.nan)
    for answer in table.answers:
        if code.code_id in answer.values:
            values[items.index(answer.item_id), raters.index(answer.annotator)] = answer.values[code.code_id]
    ratings = Ratings(tuple(items), tuple(raters), values, tuple(posts[item] for item in items))
    return measure_ratings(ratings, level=code.level, resamples=resamples, seed=seed)["krippendorff_alpha"]


def _correct(codes: Sequence[CodeContrast]) -> tuple[CodeContrast, ...]:
    """Of many codes some look shifted by chance alone."""
    shifted = _with_holm([code.prevalence for code in codes])
    drawn = _with_holm([code.with_model for code in codes])
    return tuple(
        replace(code, prevalence=one, with_model=other)
        for code, one, other in zip(codes, shifted, drawn, strict=True)
    )


def _with_holm(found: Sequence[Contrast]) -> list[Contrast]:
    known = [each for each in found if each.p is not None]
    adjusted = iter(holm([each.p for each in known if each.p is not None]))
    return [each if each.p is None else replace(each, p_holm=next(adjusted)) for each in found]
