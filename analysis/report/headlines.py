"""Which finding may stand at the top of a report: one with enough gold behind it, of a code that the model is shown to
find.

Enough is as much gold as an interval needs (`analysis.gold_notes.too_little`). Shown is better than a model that
always gives the commonest answer, on at least five test items with the code and five without
(`learning.scoring.majority_baseline`). Naive estimates have no gold and stand in their sections alone.
"""

from collections.abc import Sequence

from analysis.gold_notes import too_little
from analysis.labels import LEAST_GOLD, LEAST_RARE
from analysis.report.facts import ReportFacts
from analysis.values import Finding, Way
from learning.scoring.majority_baseline import LEAST_OF_EACH

RULE = (
    f"A finding stands here only if the gold behind it says as much as {LEAST_GOLD} labels drawn evenly,"
    f" {LEAST_RARE} of them with the rarer answer, and the model is shown to find its code: better than always giving"
    f" the commonest answer, on at least {LEAST_OF_EACH} test items with the code and as many without"
)


def may_be_headline(found: Finding, facts: ReportFacts) -> bool:
    has_gold = found.way is Way.CORRECTED and not too_little(found.basis)
    return has_gold and found.estimate.low is not None and not why_untold(found, facts)


def why_untold(found: Finding, facts: ReportFacts) -> str:
    """Of a pair, of the code that is less sure; empty where nothing speaks against telling it."""
    return facts.why_unproven(found.code) or (facts.why_unproven(found.other) if found.other else "")


def headline_of(ranked: Sequence[Finding], facts: ReportFacts) -> str:
    return next((found.sentence for found in ranked if may_be_headline(found, facts)), "")
