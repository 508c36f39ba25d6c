"""By which the mean over codes changes from one model to another, if they trade places on some posts.

Gold stays where it is; on a post that changes hands each model answers for the other. What a measure adds up over items
is added up for both models in one table, so that a thousand trades are one product of matrices.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.bootstrap import Values, clusters_as_units
from annotation.agreement.inputs import judged_codes
from annotation.agreement.totals import mean_of_defined
from annotation.agreement.values import JudgedCode
from codebook.schema import AnswerKind, Codebook
from learning.scoring.answer_scores import AnswerScores
from learning.scoring.cases import CodeCases, Gold, code_cases
from learning.scoring.compare import Paired
from learning.scoring.family import Family
from learning.scoring.gold_alpha import GoldAlpha
from learning.scoring.paired_bootstrap import tied_without_value
from learning.scoring.sentence_scores import SentenceScores
from learning.scoring.values import HEADLINE, Metric

_FAMILIES: dict[AnswerKind, type[AnswerScores] | type[GoldAlpha] | type[SentenceScores]] = {
    AnswerKind.TICK: AnswerScores,
    AnswerKind.LEVELS: AnswerScores,
    AnswerKind.SCALE: GoldAlpha,
    AnswerKind.SENTENCES: SentenceScores,
}


@dataclass(frozen=True, slots=True, eq=False)
class _Code:
    """Sums of both models, and what each post adds to those of the first if it changes hands."""

    family: Family
    place: int
    first: Values
    second: Values
    apart: Values

    def values(self, traded: Values, posts: NDArray[np.int64]) -> tuple[Values, Values]:
        moved = traded @ self.apart[posts]
        found = (self.family.values(sums)[self.place] for sums in (self.first + moved, self.second - moved))
        return tied_without_value(*found)


@dataclass(frozen=True, slots=True, eq=False)
class TradedPlaces:
    """`posts` are those on which the models differ in what is measured; on the others nothing is to be traded."""

    codes: tuple[_Code, ...]
    posts: NDArray[np.int64]

    @property
    def n_differing(self) -> int:
        return len(self.posts)

    def gains(self, traded: Values) -> Values:
        """First minus second, for each row of `traded`: 1 for a post of `posts` that changes hands, 0 for another."""
        pairs = [code.values(traded, self.posts) for code in self.codes]
        ours, theirs = (np.stack(each, axis=-1) for each in zip(*pairs, strict=True))
        one_sided = np.isnan(ours) | np.isnan(theirs)
        apart: Values = mean_of_defined(np.where(one_sided, np.nan, ours - theirs))
        return apart


def traded_places(pair: Paired, codebook: Codebook, metric: Metric) -> TradedPlaces | None:
    """Over the codes for which both models have a value of the measure; None if there is none."""
    asked = [code for code in judged_codes(codebook) if HEADLINE[code.answer] is metric]
    codes = [found for code in asked if (found := _code(pair, code, metric)) is not None]
    if not codes:
        return None
    differs = np.any([code.apart.any(axis=1) for code in codes], axis=0)
    return TradedPlaces(tuple(codes), np.flatnonzero(differs))


def _code(pair: Paired, code: JudgedCode, metric: Metric) -> _Code | None:
    gold = pair.gold
    first, second = (code_cases(gold, each, code) for each in (pair.first, pair.second))
    family = _FAMILIES[code.answer](_stack(first, second))
    table = _by_post(family, gold)
    ours, theirs = table[: gold.n_clusters], table[gold.n_clusters :]
    place = family.metrics.index(metric)
    found = _Code(family, place, ours.sum(axis=0), theirs.sum(axis=0), theirs - ours)
    now = [family.values(sums[None])[place] for sums in (found.first, found.second)]
    return None if np.isnan(now).any() else found


def _stack(first: CodeCases, second: CodeCases) -> CodeCases:
    """The cases of both, those of the second on rows of their own, so that one table has the same columns for both."""
    return replace(
        first,
        n_rows=first.n_rows + second.n_rows,
        rows=np.concatenate([first.rows, second.rows + first.n_rows]),
        gold=np.concatenate([first.gold, second.gold]),
        predicted=np.concatenate([first.predicted, second.predicted]),
        probability=np.concatenate([first.probability, second.probability]),
        cases=(*first.cases, *second.cases),
    )


def _by_post(family: Family, gold: Gold) -> Values:
    n_rows, n_posts = len(gold.rows), gold.n_clusters
    of_both = np.concatenate([gold.clusters, gold.clusters + n_posts])
    return clusters_as_units(np.arange(2 * n_rows), of_both, 2 * n_posts).grouped(family.sums).dense()
