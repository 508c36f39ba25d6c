"""Scores by code in words."""

from collections.abc import Sequence

from analysis.report.facts import ReportFacts, Score
from analysis.report.wording import in_order

_MOST_LISTED = 15


def scores_in_words(scores: Sequence[Score], facts: ReportFacts) -> str:
    """Each one for a dozen codes, else the lowest, the highest and the middle. What is undefined is named."""
    known = [score for score in scores if score.value is not None]
    without = [_name(score, facts) for score in scores if score.value is None]
    if not known:
        return "undefined for all codes"
    if len(known) <= _MOST_LISTED:
        words = in_order([f"{_value(score)} for {_name(score, facts)}" for score in known])
    else:
        ranked = sorted(known, key=lambda score: score.value or 0)
        low, middle, high = ranked[0], ranked[len(ranked) // 2], ranked[-1]
        words = (
            f"between {low.value:.2f} ({_name(low, facts)}) and {high.value:.2f} ({_name(high, facts)}) for"
            f" {len(known)} codes, with {middle.value:.2f} in the middle"
        )
    return f"{words}, and undefined for {in_order(without)}" if without else words


def _value(score: Score) -> str:
    if score.low is None or score.high is None:
        return f"{score.value:.2f}"
    return f"{score.value:.2f} (95% interval {score.low:.2f} to {score.high:.2f})"


def _name(score: Score, facts: ReportFacts) -> str:
    known = facts.code(score.code)
    return f"“{known.name if known else score.code}”"
