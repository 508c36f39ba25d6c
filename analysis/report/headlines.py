"""Which finding may stand at the top of a report: one with enough gold behind it, of a code that the model is shown to
find.

Enough is as much gold as an interval needs (`analysis.gold_notes.too_little`). Shown is better than a model that
always gives the commonest answer, on at least five test items with the code and five without
(`learning.scoring.majority_baseline`). Naive estimates have no gold and stand in their sections alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.gold_notes import too_little
from analysis.labels import LEAST_GOLD, LEAST_RARE
from analysis.report.facts import ReportFacts
from analysis.values import Finding, Way
from analysis.words import some_of
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


MOST = 5
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Told:
    """`headline` is empty where none of the findings may stand at the top of the report."""

    sentences: tuple[str, ...] = ()
    headline: str = ""


def tell_clearest(
    findings: Sequence[Finding], *, facts: ReportFacts, over: str, what: str = "differences"
) -> Told:
    """The largest first. Without any that stand, says so. `over` names the tests that were corrected for together."""
    tested = [found for found in findings if found.test.p_holm is not None]
    if not tested:
        return Told()
    sure = [found for found in tested if (found.test.p_holm or 0) < LEVEL]
    counted = f"{len(sure):,} of {len(tested):,} {what} stand at 5% after Holm's correction over {over}"
    if not sure:
        return Told((f"None of {len(tested):,} {what} stands at 5% after Holm's correction over {over}.",))
    ranked = sorted(sure, key=_size, reverse=True)
    telling = [found for found in ranked if not why_untold(found, facts)]
    untold = _untold([found for found in ranked if why_untold(found, facts)], facts)
    ending = "; the largest:" if len(telling) > MOST else ":" if telling else "."
    sentences = (f"{counted}{ending}", *(found.sentence for found in telling[:MOST]), *untold)
    return Told(sentences, headline_of(telling, facts))


def _untold(found: Sequence[Finding], facts: ReportFacts) -> tuple[str, ...]:
    if not found:
        return ()
    names = {code.id: code.name for code in facts.codebook.codes}
    codes = dict.fromkeys(
        code for each in found for code in (each.code, each.other) if code and facts.why_unproven(code)
    )
    reasons = [f"“{names.get(code, code)}” ({facts.why_unproven(code)})" for code in codes]
    return (
        f"{len(found):,} of them {'is' if len(found) == 1 else 'are'} not told: the model is not shown to find"
        f" {some_of(reasons, MOST)}.",
    )


def in_each_part(over: str, n_parts: int) -> str:
    """
    >>> in_each_part("the codes", 1), in_each_part("the codes", 2)
    ('the codes', 'the codes, posts and replies apart')
    """
    return f"{over}, posts and replies apart" if n_parts > 1 else over


def _size(found: Finding) -> float:
    return abs(found.effect.value or 0)
