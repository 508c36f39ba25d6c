"""What is asked of an invented corpus, by tests and by the benchmark of corrected estimates."""

from collections.abc import Callable

from analysis.co_occurrence import across_parts, co_occurrence, pair_replies_with_posts
from analysis.differences import differences
from analysis.distribution import distribution
from analysis.outcomes import Outcome
from analysis.over_time import over_time
from analysis.prevalence import prevalence
from analysis.regressions import Model, regressions
from analysis.values import Finding, Measure, Way
from tests.analysis.simulated_corpus import POST_CODES, REPLY_CODES, Simulated

Question = Callable[[Simulated, Way], tuple[Finding, ...]]


def shares(of: Simulated, way: Way) -> tuple[Finding, ...]:
    return tuple(
        f for f in prevalence(of.replies, by="platform", way=way).findings if f.measure is Measure.SHARE
    )


def from_mean(of: Simulated, way: Way) -> tuple[Finding, ...]:
    table = prevalence(of.replies, by="topic", way=way)
    return tuple(found for found in table.findings if found.measure is Measure.FROM_MEAN)


def association(of: Simulated, way: Way) -> tuple[Finding, ...]:
    """Cramér's V, from Wald's test."""
    return tuple(row.wald for row in prevalence(of.replies, by="platform", way=way).rows)


def more_replies(of: Simulated, way: Way) -> tuple[Finding, ...]:
    table = differences(of.posts, outcome=Outcome.N_REPLIES, way=way, by="platform")
    return tuple(row.clustered for row in table.rows)


def more_answers(of: Simulated, way: Way) -> tuple[Finding, ...]:
    table = differences(of.replies, outcome=Outcome.ANSWERED, way=way, by="platform")
    return tuple(row.clustered for row in table.rows)


def linear(of: Simulated, way: Way) -> tuple[Finding, ...]:
    return regressions(of.posts, outcome=Outcome.N_REPLIES, way=way)


def logistic(of: Simulated, way: Way) -> tuple[Finding, ...]:
    return regressions(of.replies, outcome=Outcome.ANSWERED, way=way, model=Model.LOGISTIC)


def within(of: Simulated, way: Way) -> tuple[Finding, ...]:
    return tuple(f for matrix in co_occurrence(of.replies, way=way, by="platform") for f in matrix.findings)


def post_to_reply(of: Simulated, way: Way) -> tuple[Finding, ...]:
    both = pair_replies_with_posts(of.posts, of.replies)
    matrices = across_parts(both, list(POST_CODES), list(REPLY_CODES), way=way, by="platform")
    return tuple(found for matrix in matrices for found in matrix.findings)


def parts_of_all(of: Simulated, way: Way) -> tuple[Finding, ...]:
    return distribution(of.posts, way=way, by="platform")


def courses(of: Simulated, way: Way) -> tuple[Finding, ...]:
    return tuple(found for course in over_time(of.replies, way=way, every="1y") for found in course.findings)


QUESTIONS = (
    *(shares, from_mean, more_replies, more_answers, linear, logistic, within, post_to_reply, parts_of_all),
    courses,
)


def is_held(found: Finding, truth: Finding) -> bool:
    """Whether the interval holds what is so."""
    assert (found.code, found.other, found.where) == (truth.code, truth.other, truth.where)
    low, high, value = found.estimate.low, found.estimate.high, truth.estimate.value
    assert low is not None and high is not None and value is not None
    return low <= value <= high
