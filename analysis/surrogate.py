"""What stands for a label where there is no gold."""

from enum import StrEnum


class Surrogate(StrEnum):
    """What stands for the label where there is no gold; any is right once corrected, the better one is more exact.

    A corpus has probabilities in the columns `probability.CODE`; one without them has decisions.
    """

    PROBABILITY = "probability"
    DECISION = "decision"
