"""The rule by which a study trusts a theme: a statistic, one of its numbers, and how high it must be."""

from dataclasses import dataclass
from enum import StrEnum

from annotation.agreement.prevalence import rests_on_few_items
from annotation.agreement.registry import statistic
from annotation.agreement.reports import MeanAgreement
from annotation.agreement.values import Estimate, RatingsAgreement


class Bound(StrEnum):
    """Which number of an estimate a rule looks at: the lower end of its interval, or the value itself."""

    LOW = "low"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class Rule:
    """For example: the lower bound of Fleiss' kappa is at least 0.61. `measure` is the name of a statistic."""

    measure: str
    bound: Bound
    at_least: float

    def __str__(self) -> str:
        looked_at = "the lower bound of " if self.bound is Bound.LOW else ""
        return f"{looked_at}{statistic(self.measure).label} is at least {self.at_least:.2f}"


class Decision(StrEnum):
    TRUSTED = "trusted"
    ANOTHER_ROUND = "another round"
    UNDECIDABLE = "undecidable"


@dataclass(frozen=True, slots=True)
class Verdict:
    decision: Decision
    reason: str


def verdict(rule: Rule, agreement: RatingsAgreement | MeanAgreement) -> Verdict:
    """What the rule says of a code, or of a mean over codes."""
    found = verdict_on(rule, agreement[rule.measure])
    if found.decision is not Decision.TRUSTED or isinstance(agreement, MeanAgreement):
        return found
    is_value_of_kappa = rule.bound is Bound.VALUE and statistic(rule.measure).is_misled_by_rare_answers
    if is_value_of_kappa and (why := rests_on_few_items(agreement)):
        return Verdict(Decision.UNDECIDABLE, why)
    return found


def verdict_on(rule: Rule, estimate: Estimate) -> Verdict:
    """What the rule says of one estimate of its measure.

    >>> rule = Rule("fleiss_kappa", Bound.LOW, 0.61)
    >>> verdict_on(rule, Estimate(0.72, 0.6, 0.8, 100, 3, "")).reason
    'The lower bound is 0.600, below 0.61.'
    """
    number = estimate.low if rule.bound is Bound.LOW else estimate.value
    looked_at = "lower bound" if rule.bound is Bound.LOW else "value"
    if number is None:
        return Verdict(Decision.UNDECIDABLE, estimate.note or f"There is no {looked_at}.")
    if number >= rule.at_least:
        return Verdict(Decision.TRUSTED, f"The {looked_at} is {number:.3f}, at least {rule.at_least:.2f}.")
    return Verdict(Decision.ANOTHER_ROUND, f"The {looked_at} is {number:.3f}, below {rule.at_least:.2f}.")
