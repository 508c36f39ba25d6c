"""What strategies and streams are called, apart from how they choose: whoever lists them loads nothing large."""

from enum import StrEnum


class Stream(StrEnum):
    """Which of the two brought the item; the random stream alone is a simple random sample of the pool."""

    RANDOM = "random"
    STRATEGY = "strategy"


class Aim(StrEnum):
    """What a batch is for: that a model learns from it, or that estimates of the pool become more exact."""

    LEARN = "learn"
    ESTIMATE = "estimate"


class StrategyName(StrEnum):
    RANDOM = "random"
    LEAST_CONFIDENCE = "least-confidence"
    ENTROPY = "entropy"
    MARGIN = "margin"
    COMMITTEE = "committee"
    K_CENTRE = "k-centre"
    UNCERTAIN_AND_DIVERSE = "uncertain-and-diverse"
    BADGE_LIKE = "badge-like"
    RARE_THEMES = "rare-themes"
    EXPECTED_ERROR = "expected-error"

    @property
    def aim(self) -> Aim | None:
        """None of chance alone, which serves both."""
        if self is StrategyName.RANDOM:
            return None
        return Aim.ESTIMATE if self is StrategyName.EXPECTED_ERROR else Aim.LEARN

    @property
    def needs_model(self) -> bool:
        return self is not StrategyName.RANDOM

    @property
    def needs_embeddings(self) -> bool:
        return self in (StrategyName.K_CENTRE, StrategyName.UNCERTAIN_AND_DIVERSE, StrategyName.BADGE_LIKE)

    @property
    def needs_committee(self) -> bool:
        return self is StrategyName.COMMITTEE
