"""The strategies by the names that people choose them by, and what each needs to know of the pool."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from codebook.schema import Codebook
from learning.query_strategies.badge import BadgeLike
from learning.query_strategies.committee import CommitteeDisagreement
from learning.query_strategies.cost import PerCost
from learning.query_strategies.estimation import ExpectedError
from learning.query_strategies.k_centre import KCentre, UncertainAndDiverse
from learning.query_strategies.names import StrategyName
from learning.query_strategies.pool import OverCodes, Scores
from learning.query_strategies.rare_themes import RareThemes
from learning.query_strategies.strategy import AtRandom, Strategy
from learning.query_strategies.uncertainty import Entropy, LeastConfidence, Margin


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyRequest:
    """`n` is the size of the batch; `n_found` has, by code, how many annotated items have it.

    With `costs`, in the order of the pool, scores count for each minute.
    """

    name: StrategyName
    n: int
    seed: int
    codebook: Codebook
    n_found: Mapping[str, int] = field(default_factory=dict)
    over: OverCodes = OverCodes.MEAN
    costs: Scores | None = None


def make_strategy(wanted: StrategyRequest) -> Strategy:
    found = _strategy(wanted)
    return found if wanted.costs is None else PerCost(found, wanted.costs)


def _strategy(wanted: StrategyRequest) -> Strategy:
    # What chooses one item after the other puts more in order than it needs, so that cost has something to weigh.
    n = wanted.n if wanted.costs is None else 3 * wanted.n
    match wanted.name:
        case StrategyName.RANDOM:
            return AtRandom(wanted.seed)
        case StrategyName.LEAST_CONFIDENCE:
            return LeastConfidence(wanted.over)
        case StrategyName.ENTROPY:
            return Entropy(wanted.over)
        case StrategyName.MARGIN:
            return Margin(wanted.over)
        case StrategyName.COMMITTEE:
            return CommitteeDisagreement(wanted.over)
        case StrategyName.K_CENTRE:
            return KCentre(n)
        case StrategyName.UNCERTAIN_AND_DIVERSE:
            return UncertainAndDiverse(n, wanted.over)
        case StrategyName.BADGE_LIKE:
            return BadgeLike(n, wanted.seed)
        case StrategyName.RARE_THEMES:
            return RareThemes(wanted.codebook, wanted.n_found)
        case StrategyName.EXPECTED_ERROR:
            return ExpectedError(wanted.over)
