"""The comparison finds anchoring of a known size, finds none where there is none, and says when it cannot tell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from learning.prelabel_experiment.compare import compare_conditions
from learning.prelabel_experiment.values import Condition
from learning.prelabel_experiment.words import Verdict, conclusions, verdict
from tests.learning.prelabel_experiment.simulated import CODES, expected_pull, simulated_answers

NAMES = {code.code_id: code.code_id.title() for code in CODES}


@pytest.mark.parametrize("pull", [0.0, 0.6])
def test_the_interval_holds_the_true_pull_about_as_often_as_it_says(pull: float) -> None:
    truth, runs = expected_pull(pull), 120
    held, verdicts = 0, []
    for seed in range(runs):
        report = compare_conditions(
            simulated_answers(seed=seed, pull=pull, posts=60), CODES, resamples=300, seed=seed
        )
        found = report.with_model
        assert found.low is not None and found.high is not None
        held += found.low <= truth <= found.high
        verdicts.append(verdict(report))
    # 95% of 120 is 114; fewer than 104 happen by chance once in ten thousand times.
    assert held >= 104
    anchored = verdicts.count(Verdict.ANCHORED)
    assert anchored <= 10 if pull == 0 else anchored >= 100


def test_numbers_are_those_of_a_hand_count() -> None:
    answers = [
        answer
        for answer in simulated_answers(seed=3, pull=0.5, posts=40)
        if answer.post not in {"post-000", "post-001"}
    ]
    report = compare_conditions(answers, CODES, resamples=200, seed=1)
    for condition, counts, estimates in (
        (
            Condition.BLIND,
            report.blind,
            [each.blind for each in (report.with_model, report.kept, report.added)],
        ),
        (
            Condition.SUGGESTED,
            report.suggested,
            [each.suggested for each in (report.with_model, report.kept, report.added)],
        ),
    ):
        own = [answer for answer in answers if answer.condition is condition]
        pairs = [(answer.values[c.code_id], answer.model[c.code_id]) for answer in own for c in CODES]
        assert counts.answers == len(own) == len({answer.item_id for answer in own})
        same = np.mean([said == model for said, model in pairs])
        kept = np.mean([said for said, model in pairs if model])
        added = np.mean([not model for said, model in pairs if said])
        assert [each.value for each in estimates] == pytest.approx([same, kept, added])
        assert estimates[1].n == sum(model for _, model in pairs)
    medians = [
        float(
            np.median(
                [answer.seconds for answer in answers if answer.condition is condition and answer.seconds]
            )
        )
        for condition in (Condition.BLIND, Condition.SUGGESTED)
    ]
    assert [report.seconds.blind.value, report.seconds.suggested.value] == pytest.approx(medians)
    assert report.seconds.apart == pytest.approx(medians[1] - medians[0])


def test_time_that_is_saved_is_found_and_said() -> None:
    answers = simulated_answers(seed=5, pull=0.0, posts=400, saved_seconds=20)
    report = compare_conditions(answers, CODES, resamples=400, seed=1)
    assert report.seconds.low is not None and report.seconds.high is not None
    assert report.seconds.low <= -20 <= report.seconds.high
    assert any("less with suggestions" in line for line in conclusions(report, NAMES))


def test_agreement_between_annotators_rises_when_they_read_the_same_suggestion() -> None:
    answers = simulated_answers(seed=9, pull=0.9, error=0.25, posts=150, raters=3)
    report = compare_conditions(answers, CODES, resamples=300, seed=1)
    assert report.between.low is not None and report.between.low > 0
    first = report.codes[0]
    assert first.alpha_blind is not None and first.alpha_suggested is not None
    assert (first.alpha_suggested.value or 0) > (first.alpha_blind.value or 0)
    assert any("Do not take this for reliability" in line for line in conclusions(report, NAMES))


def test_items_judged_once_have_no_agreement_between_annotators() -> None:
    report = compare_conditions(simulated_answers(seed=2, pull=0.3), CODES, resamples=100, seed=1)
    assert (report.between.blind.value, report.between.apart) == (None, None)
    assert report.codes[0].alpha_blind is None


def test_a_theme_that_suggestions_make_common_is_named_and_the_others_are_not() -> None:
    """The model claims the first code everywhere, and people follow it in half of the cases."""
    rng = np.random.default_rng(1)
    answers = []
    for answer in simulated_answers(seed=4, pull=0.0, posts=300):
        model = {**answer.model, "code-0": 1}
        follows = answer.condition is Condition.SUGGESTED and rng.random() < 0.5
        values = {**answer.values, "code-0": 1} if follows else answer.values
        answers.append(replace(answer, model=model, values=values))
    report = compare_conditions(answers, CODES, resamples=1000, seed=1)
    assert [code.prevalence.is_clear for code in report.codes] == [True, False, False, False]
    (line,) = (line for line in conclusions(report, NAMES) if line.startswith("With suggestions people find"))
    assert line == "With suggestions people find more often Code-0 (corrected for looking at all themes)."


@pytest.mark.parametrize("posts", [0, 1, 12])
def test_too_little_is_said_and_nothing_else(posts: int) -> None:
    report = compare_conditions(simulated_answers(seed=1, pull=0.9, posts=posts), CODES, resamples=50, seed=1)
    assert verdict(report) is Verdict.TOO_FEW
    (line,) = conclusions(report, NAMES)
    assert line.startswith("Too little to tell.")
    assert report.with_model.low is None and report.with_model.p is None


def test_the_same_seed_gives_the_same_report() -> None:
    answers = simulated_answers(seed=1, pull=0.3, posts=50)
    first, again = (compare_conditions(answers, CODES, resamples=100, seed=7) for _ in range(2))
    assert first == again != compare_conditions(answers, CODES, resamples=100, seed=8)


def test_a_code_that_one_of_both_did_not_answer_counts_nowhere() -> None:
    answers = [
        replace(answer, model={}) if answer.post < "post-020" else answer
        for answer in simulated_answers(seed=6, pull=0.0, posts=40)
    ]
    report = compare_conditions(answers, CODES, resamples=50, seed=1)
    n = report.with_model.blind.n + report.with_model.suggested.n
    assert n == 20 * 2 * len(CODES)
    assert report.blind.answers + report.suggested.answers == 80


def test_answers_with_something_missing_count_and_are_told() -> None:
    answers = simulated_answers(seed=4, pull=0.0, posts=40)
    given = [answer.condition for answer in answers]
    first = given.index(Condition.SUGGESTED)
    answers[first] = replace(answers[first], is_sound=False, values={})
    report = compare_conditions(answers, CODES, resamples=50, seed=1)
    assert (report.suggested.answers, report.suggested.unsound) == (given.count(Condition.SUGGESTED), 1)
    assert conclusions(report, NAMES)[-1].startswith(
        f"1 of {given.count(Condition.SUGGESTED)} answers with suggestions "
        f"and 0 of {given.count(Condition.BLIND)} blind ones"
    )
    few = compare_conditions([answers[first]], CODES, resamples=50, seed=1)
    assert [line[:7] for line in conclusions(few, NAMES)] == ["Too lit", "1 of 1 "]
