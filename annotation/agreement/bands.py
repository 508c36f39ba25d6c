"""What a number means for the work: the bands of Landis and Koch, and the rule that a study sets itself."""

from dataclasses import dataclass
from enum import StrEnum

from annotation.agreement.no_disagreement import lowest_without_disagreement
from annotation.agreement.prevalence import interval_may_not_cover
from annotation.agreement.reports import MeanAgreement
from annotation.agreement.values import Estimate, Measure, RatingsAgreement


class Band(StrEnum):
    """Landis & Koch (1977), Biometrics 33, 159–174; by their own account arbitrary, so they name and prove nothing."""

    POOR = "poor"
    SLIGHT = "slight"
    FAIR = "fair"
    MODERATE = "moderate"
    SUBSTANTIAL = "substantial"
    ALMOST_PERFECT = "almost perfect"

    @property
    def bounds(self) -> tuple[float, float]:
        """From the lower bound, itself included except at 0, up to the upper one; the last band includes 1."""
        return _BOUNDS[self]


# They print 0.00–0.20, 0.21–0.40 and so on; a band begins with the first of its two-digit numbers, as rules on
# "at least 0.61" do.
_BOUNDS = {
    Band.POOR: (-1.0, 0.0),
    Band.SLIGHT: (0.0, 0.21),
    Band.FAIR: (0.21, 0.41),
    Band.MODERATE: (0.41, 0.61),
    Band.SUBSTANTIAL: (0.61, 0.81),
    Band.ALMOST_PERFECT: (0.81, 1.0),
}


def band_of(value: float) -> Band:
    """The band that a kappa lies in.

    >>> [band_of(value).value for value in (-0.1, 0, 0.43, 0.605, 0.61, 1)]
    ['poor', 'slight', 'moderate', 'moderate', 'substantial', 'almost perfect']
    """
    return next(band for band in reversed(Band) if band is Band.POOR or value >= band.bounds[0])


class Bound(StrEnum):
    """Which number of an estimate a rule looks at: the lower end of its interval, or the value itself."""

    LOW = "low"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class Rule:
    """For example: the lower bound of Fleiss' kappa is at least 0.61."""

    measure: Measure
    bound: Bound
    at_least: float

    def __str__(self) -> str:
        looked_at = "the lower bound of " if self.bound is Bound.LOW else ""
        return f"{looked_at}{MEASURE_NAMES[self.measure]} is at least {self.at_least:.2f}"


MEASURE_NAMES = {
    Measure.FLEISS_KAPPA: "Fleiss' kappa",
    Measure.KRIPPENDORFF_ALPHA: "Krippendorff's alpha",
    Measure.GWET_AC1: "Gwet's AC1",
    Measure.COHEN_KAPPA_MEAN: "mean Cohen's kappa",
    Measure.RAW_AGREEMENT: "raw agreement",
}


# Those that compare with agreement by chance, which is nearly complete where one answer is rare.
_BY_CHANCE = (Measure.FLEISS_KAPPA, Measure.KRIPPENDORFF_ALPHA, Measure.COHEN_KAPPA_MEAN)


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
    found = verdict_on(rule, agreement.of(rule.measure))
    if found.decision is not Decision.TRUSTED or isinstance(agreement, MeanAgreement):
        return found
    if rule.measure in _BY_CHANCE and (why := interval_may_not_cover(agreement)):
        return Verdict(Decision.UNDECIDABLE, why)
    if rule.bound is Bound.VALUE:
        return found
    lowest = lowest_without_disagreement(agreement, rule.measure)
    if lowest is None or lowest >= rule.at_least:
        return found
    n = agreement.n_units
    what = "items" if n == agreement.raw_agreement.n_items else "posts"
    reason = f"No two ratings differ, but {n:,} {what} are too few to rule out a value of {lowest:.3f}."
    return Verdict(Decision.ANOTHER_ROUND, reason)


def verdict_on(rule: Rule, estimate: Estimate) -> Verdict:
    """What the rule says of one estimate of its measure.

    >>> rule = Rule(Measure.FLEISS_KAPPA, Bound.LOW, 0.61)
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
