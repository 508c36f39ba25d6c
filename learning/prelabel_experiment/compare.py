"""Compares the arms: does a suggestion change what people say, how alike they are, and how long they take?"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.measure import measure_ratings
from annotation.agreement.values import Estimate, Ratings
from learning.prelabel_experiment.resampling import Sampled, contrast, draws, median, share
from learning.prelabel_experiment.tabulate import ArmTable, Fraction
from learning.prelabel_experiment.values import Arm, ArmAnswer, ArmCode, ArmsReport, CodeContrast, Contrast
from learning.scoring.holm import holm

RESAMPLES = 2000
Weights = NDArray[np.float64]


class _Arms:
    """Both arms with their resamples, which every number is measured on."""

    def __init__(self, answers: Sequence[ArmAnswer], codes: Sequence[ArmCode], resamples: int, seed: int):
        rng = np.random.default_rng(seed)
        self.tables = tuple(
            ArmTable([answer for answer in answers if answer.arm is arm], codes)
            for arm in (Arm.BLIND, Arm.SUGGESTED)
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


def compare_arms(
    answers: Sequence[ArmAnswer], codes: Sequence[ArmCode], *, resamples: int = RESAMPLES, seed: int
) -> ArmsReport:
    arms = _Arms(answers, codes, resamples, seed)
    blind, suggested = arms.tables
    return ArmsReport(
        blind=blind.counts(),
        suggested=suggested.counts(),
        with_model=arms.shares(blind.with_model(), suggested.with_model()),
        kept=arms.shares(blind.kept(), suggested.kept()),
        added=arms.shares(blind.added(), suggested.added()),
        between=arms.shares(blind.between(), suggested.between()),
        seconds=arms.seconds(),
        codes=_correct([_code(arms, code, resamples=resamples, seed=seed) for code in codes]),
    )


def _code(arms: _Arms, code: ArmCode, *, resamples: int, seed: int) -> CodeContrast:
    blind, suggested = arms.tables
    alphas = [_alpha(table, code, resamples=resamples, seed=seed) for table in arms.tables]
    return CodeContrast(
        code.code_id,
        arms.shares(blind.prevalence(code), suggested.prevalence(code)),
        arms.shares(blind.with_model([code]), suggested.with_model([code])),
        *alphas,
    )


def _alpha(table: ArmTable, code: ArmCode, *, resamples: int, seed: int) -> Estimate | None:
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
