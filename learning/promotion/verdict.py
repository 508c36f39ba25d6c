"""Whether an adapter may enter service, and why, in words: from what was found and the study's rule alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from annotation.agreement.trust_rule import Bound
from codebook.schema import AnswerKind
from learning.alpha_spending import fine_percent
from learning.promotion.findings import Findings, LeftOut, Reproduced
from learning.promotion.ledger import Look
from learning.promotion.rule import PromotionRule
from learning.scoring.compare import CodeComparison, Comparison
from learning.scoring.values import HEADLINE, Difference, Metric

# Sums in another order differ in the last digits; a score that differs by more is another score.
SAME_WITHIN = 1e-6
# A model that is no better is better on each of five posts in 1 of 32 cases, on either side in 1 of 16: above 5%.
LEAST_POSTS = 6
NO_LOOK = "It was not counted as a look at its test set: examine it again."


class CheckName(StrEnum):
    LOADS = "It loads from disk"
    REPRODUCES = "It reproduces its scores"
    BETTER = "It is better"
    NO_COLLAPSE = "No theme collapses"


@dataclass(frozen=True, slots=True)
class Check:
    """`passed` is None where it could not be asked, because an earlier one failed or there was nothing to compare."""

    name: CheckName
    passed: bool | None
    words: str


@dataclass(frozen=True, slots=True)
class ThemeChange:
    """By the measure that stands for the theme; `collapses` says why, and is empty if it does not."""

    code_id: str
    metric: Metric
    n_items: int
    difference: Difference
    collapses: str


@dataclass(frozen=True, slots=True)
class PromotionVerdict:
    """`gain` is that of the mean over themes, by the measure of most of them. `why_chance` says that chance alone makes
    such a gain too often for this look, where its interval alone would have let it pass."""

    passed: bool
    checks: tuple[Check, ...]
    themes: tuple[ThemeChange, ...]
    gain: Difference | None
    metric: Metric | None
    why_chance: str = ""


Kinds = Mapping[str, AnswerKind]


def judge_promotion(
    findings: Findings,
    rule: PromotionRule,
    kinds: Kinds,
    names: Mapping[str, str] = MappingProxyType({}),
    look: Look | None = None,
) -> PromotionVerdict:
    """`kinds` are the answers of the release's codes, `names` what people call the codes. Without the `look` that it
    was, nothing is clearly better."""
    comparison = findings.comparison
    themes = tuple(_themes(comparison, rule, kinds)) if comparison else ()
    metric = deciding_metric(comparison, kinds) if comparison else None
    mean = comparison.mean() if comparison and metric else None
    gain = mean.differences.get(metric) if mean and metric else None
    if gain and comparison and comparison.n_posts < LEAST_POSTS:
        gain = _without_interval(gain, comparison.n_posts)
    checks = (
        _loads(findings),
        _reproduces(findings.reproduced),
        _not_compared(findings) or _better(gain, rule, look, _mean_without(comparison, metric, names)),
        _no_collapse(themes, rule, names),
    )
    passed = all(check.passed for check in checks)
    return PromotionVerdict(passed, checks, themes, gain, metric, _why_chance(gain, rule, look))


def _why_chance(gain: Difference | None, rule: PromotionRule, look: Look | None) -> str:
    is_above = gain is not None and gain.low is not None and gain.low > rule.least_gain
    return look_words(look) if is_above and look and not look.passed and rule.bound is Bound.LOW else ""


def _without_interval(gain: Difference, n_posts: int) -> Difference:
    posts = "1 post" if n_posts == 1 else f"{n_posts} posts"
    note = f"On {posts} chance alone can do this: at least {LEAST_POSTS} are needed. Collect more judgments."
    return replace(gain, low=None, high=None, p=None, p_holm=None, note=note)


def left_out_words(left_out: LeftOut) -> str:
    """
    >>> left_out_words(LeftOut(seen_by_opponent=3))
    'Left out: 3 that the one in service learned from.'
    """
    reasons = [
        (left_out.seen_by_candidate, "that the candidate learned from"),
        (left_out.seen_by_opponent, "that the one in service learned from"),
        (left_out.seen_post, "on posts that one of the two learned from"),
        (left_out.suggested, "that were judged with a model's suggestion in sight"),
        (left_out.chosen, "that active learning chose"),
    ]
    said = [f"{n:,} {words}" for n, words in reasons if n]
    return f"Left out: {', '.join(said)}." if said else ""


def _themes(comparison: Comparison, rule: PromotionRule, kinds: Kinds) -> Iterator[ThemeChange]:
    for code in comparison.codes:
        metric = HEADLINE[kinds[code.code_id]]
        found = code.differences.get(metric)
        if found is not None:
            yield ThemeChange(
                code.code_id, metric, code.n_items, found, _collapse(code, found, rule.largest_drop)
            )


def _collapse(code: CodeComparison, headline: Difference, largest_drop: float) -> str:
    """A theme that was found and is not any more, or a fall beyond the rule that chance alone would hardly make."""
    f1 = code.differences.get(Metric.F1)
    if f1 is not None and f1.first == 0 and f1.second:
        return "it is not found once any more"
    fall = _fall(headline, largest_drop)
    return "" if headline.high is not None and headline.high >= 0 else fall


def _fall(headline: Difference, largest_drop: float) -> str:
    """How far it falls where that is further than the rule allows, however clear; else nothing."""
    if headline.value is None or headline.value >= -largest_drop:
        return ""
    return f"it falls by {-100 * headline.value:.1f} points"


def deciding_metric(comparison: Comparison, kinds: Kinds) -> Metric | None:
    """Measures are never averaged with each other: the one of most themes decides."""
    metrics = ((HEADLINE[kinds[code.code_id]], code.differences) for code in comparison.codes)
    counted = Counter(metric for metric, differences in metrics if metric in differences)
    return counted.most_common(1)[0][0] if counted else None


def _loads(findings: Findings) -> Check:
    if findings.why_not_loaded:
        return Check(CheckName.LOADS, False, findings.why_not_loaded)
    return Check(CheckName.LOADS, True, "Every file is what its card says, and the model predicts.")


def _reproduces(found: Reproduced | None) -> Check:
    if found is None:
        return Check(CheckName.REPRODUCES, None, "This could not be asked.")
    if found.largest is None:
        words = "Other scores are defined than on its card, or the labels are not those it was measured on."
        return Check(CheckName.REPRODUCES, False, words)
    if found.largest > SAME_WITHIN:
        words = f"A score differs from its card by {100 * found.largest:.2g} points: the files or libraries changed."
        return Check(CheckName.REPRODUCES, False, words)
    return Check(CheckName.REPRODUCES, True, f"All {found.n_scores:,} scores on its card were reached again.")


def _not_compared(findings: Findings) -> Check | None:
    why = findings.why_not_compared
    return Check(CheckName.BETTER, None, why) if why else None


def _mean_without(comparison: Comparison | None, metric: Metric | None, names: Mapping[str, str]) -> str:
    """Which themes the mean is not about, and why."""
    mean = comparison.mean() if comparison else None
    if comparison is None or mean is None or metric is None:
        return ""
    compared = {code.code_id for code in comparison.codes if code.n_items}
    said = ""
    for both, why in ((True, "which these items cannot measure"), (False, "which not both models say")):
        codes = [code for code in mean.left_out.get(metric, ()) if (code in compared) is both]
        if codes:
            said += f" The mean is without {', '.join(names.get(code, code) for code in codes)}, {why}."
    return said


def _better(gain: Difference | None, rule: PromotionRule, look: Look | None, mean_without: str) -> Check:
    if gain is None:
        return Check(CheckName.BETTER, None, "This could not be asked.")
    found = _above(gain, rule, mean_without)
    if rule.bound is not Bound.LOW or gain.low is None:
        return found
    if look is None:
        return Check(CheckName.BETTER, None, f"{found.words} {NO_LOOK}")
    passed = found.passed and look.passed
    return Check(CheckName.BETTER, passed, f"{found.words} {look_words(look)}")


def look_words(look: Look) -> str:
    """
    >>> look_words(Look(test_set=2, number=10, p=0.0004))
    'Chance alone makes such a gain in 0.04% of cases; look 10 at test set 2 allows 0.12%.'
    """
    allows = "allows" if look.passed else "allows only"
    return (
        f"Chance alone makes such a gain in {fine_percent(look.p)} of cases; look {look.number} at test set "
        f"{look.test_set} {allows} {fine_percent(look.level)}."
    )


def _above(gain: Difference, rule: PromotionRule, mean_without: str) -> Check:
    number = gain.low if rule.bound is Bound.LOW else gain.value
    looked_at = "the lower end of the interval" if rule.bound is Bound.LOW else "the gain"
    if number is None:
        return Check(CheckName.BETTER, False, gain.note or f"There is no {looked_at}: too few posts.")
    passed = number > rule.least_gain
    words = (
        f"The mean over themes changes by {format_signed(gain.value)} points; {looked_at} is {format_signed(number)}, "
        f"{'above' if passed else 'not above'} {100 * rule.least_gain:.1f}."
    )
    return Check(CheckName.BETTER, passed, words + mean_without)


def _no_collapse(themes: tuple[ThemeChange, ...], rule: PromotionRule, names: Mapping[str, str]) -> Check:
    if not themes:
        return Check(CheckName.NO_COLLAPSE, None, "This could not be asked.")
    fallen = [(theme, theme.collapses) for theme in themes if theme.collapses]
    falls = [(theme, _fall(theme.difference, rule.largest_drop)) for theme in themes if not theme.collapses]
    unclear = [(theme, fall) for theme, fall in falls if fall]
    largest = f"{100 * rule.largest_drop:.1f} points"
    if fallen:
        words = f"{_each(fallen, names)}."
    else:
        words = f"No theme {'clearly ' if unclear else ''}falls by more than {largest}."
    if unclear:
        words += f" With an interval that reaches zero, so that it may be chance: {_each(unclear, names)}."
    return Check(CheckName.NO_COLLAPSE, not fallen, words)


def _each(found: Sequence[tuple[ThemeChange, str]], names: Mapping[str, str]) -> str:
    return "; ".join(f"{names.get(theme.code_id, theme.code_id)}: {words}" for theme, words in found)


def format_signed(value: float | None) -> str:
    """In hundredths, with its sign.

    >>> format_signed(0.0712), format_signed(-0.003), format_signed(None)
    ('+7.1', '-0.3', '–')
    """
    return "–" if value is None else f"{100 * value:+.1f}"
