"""What can be wrong with what an analysis is given; every message says what to do."""


class NotAnalysable(ValueError):
    """A corpus on which the question cannot be answered."""


class ColumnMissing(NotAnalysable):
    def __init__(self, column: str, why: str) -> None:
        super().__init__(f"The column “{column}” is missing, which {why}: add it to the items.")


class ColumnBroken(NotAnalysable):
    """A column that holds what it must not."""


class NotTicks(NotAnalysable):
    def __init__(self, code: str) -> None:
        super().__init__(
            f"The labels of “{code}” are not 0 and 1, so that there is no share to count: say first which levels"
            " count as found."
        )


class GoldMissing(NotAnalysable):
    def __init__(self, code: str) -> None:
        super().__init__(
            f"There is no gold for “{code}”, so that the model's errors cannot be known: join a release with labels"
            " for it, or ask for naive estimates."
        )


class ProbabilityUnknown(NotAnalysable):
    def __init__(self, n_items: int) -> None:
        super().__init__(
            f"{n_items:,} items have gold and no probability above 0 and up to 1 of having been drawn, so that they"
            " cannot stand for others: give gold_probability as the sample stored it, or leave their gold out."
        )


class NeverDrawn(NotAnalysable):
    def __init__(self, n_items: int) -> None:
        super().__init__(
            f"{n_items:,} items had no chance of being drawn (gold_probability is 0), so that no gold speaks for"
            " them: leave them out of the corpus, or draw gold from all of it."
        )


class ModelSawGold(NotAnalysable):
    def __init__(self, n_items: int) -> None:
        super().__init__(
            f"The model was trained on {n_items:,} items whose gold is to correct it, where it errs less than"
            " elsewhere: predict them by a model that did not see them (cross-fitting), or leave their gold out and"
            " multiply gold_probability by the share of the split that is kept."
        )
