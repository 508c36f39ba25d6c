"""What cannot be done about active learning, each under its own name."""

from __future__ import annotations


class ActiveError(Exception):
    """Something that cannot be chosen or measured; the message says why and what to do."""


class NoModel(ActiveError):
    def __init__(self) -> None:
        super().__init__(
            "No model is in service, so nothing but chance can choose: choose “random”, or train an adapter and put "
            "it into service first."
        )


class NoCommittee(ActiveError):
    def __init__(self) -> None:
        super().__init__(
            "A committee needs two or more adapters of the same edition that read the texts, which the majority and "
            "random baselines do not: train another one, or choose another strategy."
        )


class NotPredicted(ActiveError):
    """`n` items of the pool still lack what the strategy needs."""

    def __init__(self, n: int, n_pool: int) -> None:
        self.n, self.n_pool = n, n_pool
        super().__init__(
            f"{n:,} of {n_pool:,} items of the pool are not predicted yet: have the pool predicted first."
        )


class PoolEmpty(ActiveError):
    def __init__(self) -> None:
        super().__init__("No item is left in these samples: choose others, or draw a new sample.")


class CannotChoose(ActiveError):
    """What the strategy or the draw says against it."""


class NothingToMeasure(ActiveError):
    def __init__(self) -> None:
        super().__init__("There is no label yet: the meter compares labels. Annotate first.")


class ReadingUnsound(ActiveError):
    def __init__(self) -> None:
        super().__init__(
            "What the ML backend wrote is no reading of the meter: see that all processes run the same version."
        )


class LookTaken(ActiveError):
    def __init__(self) -> None:
        super().__init__(
            "Another reading came first: this one is measured again, with the interval of its turn."
        )
