"""What a notice says of a model that does not meet the promotion rule."""

from __future__ import annotations

import msgspec

from backend.learn.models.models import PromotionReport
from backend.learn.retraining.words import refusal_words
from learning.promotion.findings import Findings, LeftOut, Reproduced
from learning.promotion.rule import PromotionRule
from learning.promotion.verdict import judge_promotion

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


def test_a_broken_model_is_said_to_be_broken() -> None:
    assert said(BROKEN) == (
        "the new model does not meet the promotion rule. It loads from disk? No: It does not load: no."
    )
