"""What every strategy offers, and the one that all others have to beat."""

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from learning.query_strategies.pool import Pool, Scores


class Strategy(Protocol):
    """`is_random` says that scores are chance alone, so that every item is as likely as any other."""

    @property
    def name(self) -> str: ...

    @property
    def is_random(self) -> bool: ...

    def scores(self, pool: Pool) -> Scores:
        """One per item, the more worth annotating the higher; the same pool gives the same scores."""
        ...


@dataclass(frozen=True, slots=True)
class AtRandom:
    seed: int
    name: ClassVar[str] = "random"
    is_random: ClassVar[bool] = True

    def scores(self, pool: Pool) -> Scores:
        return np.random.default_rng(self.seed).random(len(pool.item_ids))
