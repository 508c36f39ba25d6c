"""What a notice says of a model that does not meet the promotion rule."""

from __future__ import annotations

import msgspec

from backend.learn.models.models import PromotionReport
from backend.learn.retraining.words import refusal_words
from learning.promotion.findings import Findings, LeftOut, Reproduced
from learning.promotion.rule import PromotionRule
from learning.promotion.verdict import judge_promotion
from tests.learning.promotion.test_verdict import KINDS, UNCLEAR, apart, found

LOADED = Findings(
    candidate="c",
    opponent="o",
    release_hash="h",
    problem="",
    reproduced=Reproduced(n_scores=20, largest=0.0),
    left_out=LeftOut(),
    comparison=None,
    not_compared="The one in service does not load.",
)
BROKEN = msgspec.structs.replace(LOADED, problem="It does not load: no.", reproduced=None, not_compared="")


def said(findings: Findings) -> str:
    return refusal_words(PromotionReport(incumbent_id=1), judge_promotion(findings, PromotionRule(), {}))


def test_a_model_that_loads_is_not_said_to_be_broken_because_the_other_one_is() -> None:
    assert said(LOADED) == "the new model could not be compared. The one in service does not load."


def test_a_gain_that_chance_makes_too_often_for_this_look_is_said_to_be_that() -> None:
    verdict = judge_promotion(found(apart(0.05)), PromotionRule(), KINDS, look=UNCLEAR)
    assert refusal_words(PromotionReport(incumbent_id=1), verdict) == (
        "the new model is not clearly better: 5.0 points [3.0, 7.0]. "
        "Chance alone makes such a gain in 0.4% of cases; look 30 at test set 2 allows only 0.021%."
    )


def test_a_broken_model_is_said_to_be_broken() -> None:
    assert said(BROKEN) == (
        "the new model does not meet the promotion rule. It loads from disk? No: It does not load: no."
    )
