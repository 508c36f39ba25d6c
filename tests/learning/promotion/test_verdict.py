"""The verdict follows from what was found and the rule, and says why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import msgspec
import pytest

from annotation.agreement.trust_rule import Bound
from annotation.release.rows import SplitPart
from codebook.schema import AnswerKind, Part
from learning.predictions.rows import ItemPrediction
from learning.promotion.findings import (
    Findings,
    FindingsUnreadable,
    LeftOut,
    Reproduced,
    decode_findings,
    encode_findings,
)
from learning.promotion.ledger import Look
from learning.promotion.rule import PromotionRule
from learning.promotion.verdict import (
    LEAST_POSTS,
    CheckName,
    Kinds,
    PromotionVerdict,
    judge_promotion,
    left_out_words,
)
from learning.scoring.compare import CodeComparison, Comparison, MeanComparison, compare
from learning.scoring.values import Difference, Metric
from tests.learning.scoring.gold_fixtures import PRACTICES, gold_row, predicted

KINDS = {"grief": AnswerKind.TICK, "worry": AnswerKind.TICK}


def apart(value: float, *, first: float = 0.5, width: float = 0.02) -> Difference:
    return Difference(first, first - value, value, value - width, value + width, 0.01, 0.01, "")


def code(code_id: str, value: float, *, f1: Difference | None = None, width: float = 0.02) -> CodeComparison:
    differences = {Metric.MACRO_F1: apart(value, width=width), Metric.F1: f1 or apart(value)}
    return CodeComparison(code_id, Part.REPLY, 40, differences)


def found(mean: Difference, *codes: CodeComparison, problem: str = "") -> Findings:
    comparison = Comparison(
        split=SplitPart.TEST,
        gold_hash="g",
        n_items=40,
        n_posts=30,
        n_one_sided=0,
        codes=codes or (code("grief", 0.05), code("worry", 0.05)),
        means=(MeanComparison(None, {Metric.MACRO_F1: mean}, {Metric.MACRO_F1: ()}),),
        resamples=1000,
        seed=1,
    )
    return Findings(
        candidate="c",
        opponent=None,
        release_hash="h",
        problem=problem,
        reproduced=Reproduced(n_scores=20, largest=0.0),
        left_out=LeftOut(),
        comparison=comparison,
    )


CLEAR, UNCLEAR = Look(test_set=1, number=1, p=0.0001), Look(test_set=2, number=30, p=0.004)


def judged(
    findings: Findings,
    rule: PromotionRule,
    kinds: Kinds,
    names: Mapping[str, str] = MappingProxyType({}),
    look: Look | None = CLEAR,
) -> PromotionVerdict:
    """At a look by which chance alone hardly makes such a gain, unless another one is given."""
    return judge_promotion(findings, rule, kinds, names, look)


def failed(given: PromotionVerdict) -> list[CheckName]:
    return [check.name for check in given.checks if not check.passed]


def test_an_adapter_that_is_better_passes() -> None:
    given = judged(found(apart(0.05)), PromotionRule(), KINDS)
    assert given.passed and failed(given) == []
    assert given.gain == apart(0.05)
    better = given.checks[2].words
    assert better == (
        "The mean over themes changes by +5.0 points; the lower end of the interval is +3.0, above 0.0. "
        "Chance alone makes such a gain in 0.01% of cases; look 1 at test set 1 allows 0.83%."
    )


def test_what_chance_makes_too_often_for_this_look_does_not_pass_and_says_so() -> None:
    given = judged(found(apart(0.05)), PromotionRule(), KINDS, look=UNCLEAR)
    assert failed(given) == [CheckName.BETTER]
    why = "Chance alone makes such a gain in 0.4% of cases; look 30 at test set 2 allows only 0.021%."
    assert given.checks[2].words.endswith(why) and given.why_chance == why
    early = Look(test_set=2, number=2, p=UNCLEAR.p)
    assert judged(found(apart(0.05)), PromotionRule(), KINDS, look=early).passed


def test_a_clear_look_helps_nobody_whose_interval_reaches_down() -> None:
    given = judged(found(apart(0.01)), PromotionRule(), KINDS)
    assert failed(given) == [CheckName.BETTER] and given.why_chance == ""


def test_without_a_look_nothing_is_clearly_better_and_the_gain_itself_asks_for_none() -> None:
    given = judged(found(apart(0.05)), PromotionRule(), KINDS, look=None)
    assert (given.passed, given.checks[2].passed) == (False, None)
    assert "examine it again" in given.checks[2].words
    by_value = PromotionRule(bound=Bound.VALUE)
    assert judged(found(apart(0.05)), by_value, KINDS, look=None).passed
    assert judged(found(apart(0.05)), by_value, KINDS, look=UNCLEAR).passed
    assert "by chance" not in str(by_value) and "5% of test sets" in str(PromotionRule())


def test_a_handful_of_posts_has_no_interval_and_lets_nobody_pass() -> None:
    findings = found(apart(0.3))
    assert findings.comparison is not None
    few = msgspec.structs.replace(findings, comparison=replace(findings.comparison, n_posts=LEAST_POSTS - 1))
    given = judged(few, PromotionRule(), KINDS)
    assert failed(given) == [CheckName.BETTER]
    assert given.checks[2].words.startswith("On 5 posts chance alone can do this")
    assert given.gain is not None
    assert (given.gain.value, given.gain.low) == (0.3, None)
    enough = msgspec.structs.replace(findings, comparison=replace(findings.comparison, n_posts=LEAST_POSTS))
    assert judged(enough, PromotionRule(), KINDS).passed


def test_what_chance_may_have_done_does_not_pass_unless_the_rule_looks_at_the_value_alone() -> None:
    findings = found(apart(0.01))
    assert failed(judged(findings, PromotionRule(), KINDS)) == [CheckName.BETTER]
    assert judged(findings, PromotionRule(bound=Bound.VALUE), KINDS).passed
    assert failed(judged(findings, PromotionRule(bound=Bound.VALUE, least_gain=0.01), KINDS)) == [
        CheckName.BETTER
    ]


def test_an_equal_adapter_is_not_better() -> None:
    assert not judged(found(apart(0.0, width=0.0)), PromotionRule(bound=Bound.VALUE), KINDS).passed


@pytest.mark.parametrize(
    ("worry", "collapses"),
    [
        (code("worry", -0.2), "it falls by 20.0 points"),
        (code("worry", -0.2, width=0.3), ""),
        (code("worry", -0.05), ""),
        (
            code("worry", 0.0, f1=Difference(0.0, 0.3, -0.3, -0.5, 0.1, 0.1, 0.1, "")),
            "it is not found once any more",
        ),
        (code("worry", 0.0, f1=Difference(0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, "")), ""),
    ],
)
def test_a_theme_collapses_if_it_falls_clearly_or_is_not_found_any_more(
    worry: CodeComparison, collapses: str
) -> None:
    given = judged(found(apart(0.05), code("grief", 0.3), worry), PromotionRule(), KINDS)
    assert given.themes[1].collapses == collapses
    assert given.passed == (not collapses)
    if collapses:
        assert given.checks[3].words == f"worry: {collapses}."


def test_a_fall_that_chance_may_have_made_is_named() -> None:
    grief, worry = code("grief", 0.3), code("worry", -0.4, width=0.5)
    given = judged(found(apart(0.05), grief, worry), PromotionRule(), KINDS, {"worry": "Worry"})
    assert given.passed
    assert given.checks[3].words == (
        "No theme clearly falls by more than 10.0 points. "
        "With an interval that reaches zero, so that it may be chance: Worry: it falls by 40.0 points."
    )
    both = judged(found(apart(0.05), code("grief", -0.2), worry), PromotionRule(), KINDS).checks[3]
    assert both.words.startswith("grief: it falls by 20.0 points. With an interval that reaches zero")
    neither = judged(found(apart(0.05), grief, code("worry", -0.05)), PromotionRule(), KINDS).checks[3]
    assert neither.words == "No theme falls by more than 10.0 points."
    assert "no theme clearly falls by more than 10.0 points, with an interval below zero" in str(
        PromotionRule()
    )


def test_a_theme_that_the_items_never_have_decides_nothing() -> None:
    """False alarms there are no collapse, and the baseline that never says it is not perfect."""
    worry, grief = (code.id for _, code in list(PRACTICES.coded_questions())[:2])
    gold = [gold_row(f"{at:03d}", {worry: at % 2, grief: 0}, PRACTICES) for at in range(80)]
    candidate = [predicted(f"{at:03d}", {worry: at % 2, grief: int(at < 5)}, PRACTICES) for at in range(80)]
    majority = [predicted(f"{at:03d}", {worry: 0, grief: 0}, PRACTICES) for at in range(80)]
    comparison = compare(gold, candidate, majority, PRACTICES, part_of_split=None, resamples=200, seed=1)
    kinds = {code.id: question.answer for question, code in PRACTICES.coded_questions()}
    findings = msgspec.structs.replace(found(apart(0.0)), comparison=comparison)
    given = judged(findings, PromotionRule(), kinds, {grief: "Grief"})
    assert given.passed
    assert given.gain is not None and given.gain.first == 1.0
    change = next(theme for theme in given.themes if theme.code_id == grief)
    assert (change.difference.value, change.collapses) == (None, "")
    assert "The mean is without Grief, which these items cannot measure." in given.checks[2].words
    assert ", which not both models say. Chance alone" in given.checks[2].words


@pytest.mark.parametrize("n_rare", [1, 2, 3])
def test_what_single_posts_make_is_neither_a_gain_nor_a_fall(n_rare: int) -> None:
    """Without its one post a theme tells no models apart, and most of the resamples that lack it say so."""
    codes = [code.id for _, code in list(PRACTICES.coded_questions())[:n_rare]]
    gold = [
        gold_row(f"{at:03d}", {code: int(at == own) for own, code in enumerate(codes)}, PRACTICES)
        for at in range(60)
    ]
    finds = [
        predicted(f"{at:03d}", {code: int(at == own) for own, code in enumerate(codes)}, PRACTICES)
        for at in range(60)
    ]
    never = [predicted(f"{at:03d}", dict.fromkeys(codes, 0), PRACTICES) for at in range(60)]
    kinds = {code.id: question.answer for question, code in PRACTICES.coded_questions()}

    def given(first: list[ItemPrediction], second: list[ItemPrediction]) -> PromotionVerdict:
        comparison = compare(gold, first, second, PRACTICES, part_of_split=None, resamples=400, seed=1)
        return judged(
            msgspec.structs.replace(found(apart(0.0)), comparison=comparison), PromotionRule(), kinds
        )

    better, worse = given(finds, never), given(never, finds)
    assert better.gain is not None and (better.gain.value or 0) > 0.45
    assert better.gain.low == 0.0 and failed(better) == [CheckName.BETTER]
    fallen = [theme.difference.high for theme in worse.themes if theme.difference.value is not None]
    assert fallen == [0.0] * n_rare


def test_scores_that_are_not_reached_again_do_not_pass() -> None:
    findings = found(apart(0.05))
    other = msgspec.structs.replace(findings, reproduced=Reproduced(n_scores=20, largest=0.01))
    assert failed(judged(other, PromotionRule(), KINDS)) == [CheckName.REPRODUCES]
    gone = msgspec.structs.replace(findings, reproduced=Reproduced(n_scores=20, largest=None))
    assert failed(judged(gone, PromotionRule(), KINDS)) == [CheckName.REPRODUCES]
    last_digit = msgspec.structs.replace(findings, reproduced=Reproduced(n_scores=20, largest=1e-9))
    assert judged(last_digit, PromotionRule(), KINDS).passed


def test_one_that_does_not_load_is_asked_nothing_else() -> None:
    findings = msgspec.structs.replace(
        found(apart(0.05)), problem="It does not load: no.", reproduced=None, comparison=None
    )
    given = judged(findings, PromotionRule(), KINDS)
    assert not given.passed
    assert [check.passed for check in given.checks] == [False, None, None, None]
    assert given.checks[0].words == "It does not load: no."


@pytest.mark.parametrize("field", ["not_compared", "problem"])
def test_one_that_loads_and_has_nothing_to_be_compared_with_is_said_to_load(field: str) -> None:
    """Older findings have it in `problem`."""
    why = "The one in service does not load: no. Retire it, then examine it again."
    findings = msgspec.structs.replace(found(apart(0.05)), comparison=None, **{field: why})
    given = judged(findings, PromotionRule(), KINDS)
    assert not given.passed
    assert [check.passed for check in given.checks] == [True, True, None, None]
    assert given.checks[2].words == why


def test_too_few_posts_prove_nothing() -> None:
    gain = replace(apart(0.4), low=None, high=None, note="Fewer than two posts.")
    given = judged(found(gain), PromotionRule(), KINDS)
    assert (given.passed, given.checks[2].words) == (False, "Fewer than two posts.")


def test_what_was_left_out_is_said() -> None:
    words = left_out_words(LeftOut(seen_by_candidate=1, suggested=2, chosen=4, seen_post=3))
    assert words == (
        "Left out: 1 that the candidate learned from, 3 on posts that one of the two learned from, "
        "2 that were judged with a model's suggestion in sight, 4 that active learning chose."
    )
    assert left_out_words(LeftOut()) == ""


def test_findings_come_back_as_they_were() -> None:
    findings = found(apart(0.05))
    assert decode_findings(encode_findings(findings)) == findings
    with pytest.raises(FindingsUnreadable, match="examine it again"):
        decode_findings(b"{}")


def test_older_findings_can_be_read() -> None:
    findings = found(apart(0.05))
    content = msgspec.json.decode(encode_findings(findings))
    del (
        content["chance"],
        content["not_compared"],
        content["left_out"]["chosen"],
        content["left_out"]["seen_post"],
    )
    assert decode_findings(msgspec.json.encode(content)) == findings
