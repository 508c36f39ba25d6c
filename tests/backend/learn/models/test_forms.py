"""What is chosen on the page is what is asked for, and what is left alone keeps the learner's own default."""

from __future__ import annotations

import pytest

from backend.decide.releases.models import Release
from backend.learn.models.forms import TrainForm
from learning.learners.registry import learner_spec


@pytest.mark.parametrize(
    ("learner", "chosen", "options"),
    [
        ("few-shot", {"evidence": "on"}, {}),
        ("few-shot", {}, {"evidence": False}),
        (
            "few-shot",
            {"evidence": "on", "demonstrations": "4", "four_bit": "no"},
            {"demonstrations": 4, "four_bit": "no"},
        ),
        ("encoder-lora", {}, {}),
        ("encoder-lora", {"full": "on", "evidence_weight": "0"}, {"full": True, "evidence_weight": 0.0}),
    ],
)
def test_options_that_are_not_as_they_were_are_asked_for(
    learner: str, chosen: dict[str, str], options: dict[str, object]
) -> None:
    form = TrainForm(
        {"release": "1", "seeds": "1", **chosen},
        learner=learner_spec(learner),
        releases=[Release(number=1, name="One")],
    )
    assert form.is_valid(), form.errors
    assert form.train_request().options == options


def test_a_box_that_is_on_by_itself_is_shown_so() -> None:
    form = TrainForm(learner=learner_spec("few-shot"), releases=[])
    assert "checked" in str(form["evidence"])
    assert "checked" not in str(TrainForm(learner=learner_spec("encoder-lora"), releases=[])["full"])
