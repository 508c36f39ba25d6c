"""A plan is hashed by what it says, and everything planned or done is held against the other."""

import pytest

from analysis.preregistration import (
    Comparison,
    Done,
    Outcome,
    Plan,
    PlanFacts,
    PlannedContrast,
    PlannedEdition,
    PlannedRule,
    PlannedSample,
    canonical,
    compare,
    plan_hash,
    plan_in_words,
    read_plan,
)

FIRST, SECOND = PlannedEdition(1, "1" * 64), PlannedEdition(2, "2" * 64)
RULE = PlannedRule("fleiss_kappa", "low", 0.61)
DRAWN = PlannedSample("Advice", "pps_posts", 400)
PLAN = Plan(
    edition=FIRST,
    samples=(DRAWN,),
    agreement_rule=RULE,
    learners=("tfidf", "encoder"),
    contrasts=(PlannedContrast("overall"), PlannedContrast("communities", ("comfort", "advice"))),
    epsilon=0.15,
    note="More comfort in small communities.",
)
AS_PLANNED = Done(
    editions=(FIRST,),
    samples=(DRAWN,),
    agreement_rule=RULE,
    learners=("encoder", "tfidf"),
    contrasts=(
        PlannedContrast("overall", ("advice", "comfort")),
        PlannedContrast("communities", ("advice", "comfort")),
    ),
    epsilons=(0.15,),
)


def changed(**fields: object) -> tuple[Comparison, ...]:
    """What deviates where this was done otherwise."""
    values = {name: getattr(AS_PLANNED, name) for name in AS_PLANNED.__struct_fields__}
    found = compare(PLAN, Done(**{**values, **fields}))
    return tuple(each for each in found if each.outcome is not Outcome.AS_PLANNED)


def test_the_order_in_which_a_plan_was_put_together_does_not_change_its_hash() -> None:
    turned = Plan(
        edition=FIRST,
        samples=(DRAWN, DRAWN),
        agreement_rule=RULE,
        learners=("encoder", "tfidf"),
        contrasts=(PlannedContrast("communities", ("advice", "comfort")), PlannedContrast("overall")),
        epsilon=0.15,
        note="More comfort in small communities.",
    )
    assert plan_hash(turned) == plan_hash(PLAN)
    assert plan_hash(read_plan(canonical(PLAN))) == plan_hash(PLAN)
    assert len(plan_hash(PLAN)) == 64


def test_what_was_done_as_planned_is_no_deviation() -> None:
    assert changed() == ()
    assert len(compare(PLAN, AS_PLANNED)) == 8


@pytest.mark.parametrize(
    ("fields", "what", "planned", "done", "outcome"),
    [
        ({"editions": (SECOND,)}, "codebook", str(FIRST), str(SECOND), Outcome.DEVIATION),
        ({"editions": (FIRST, SECOND)}, "codebook", str(FIRST), f"{FIRST}, {SECOND}", Outcome.DEVIATION),
        ({"editions": ()}, "codebook", str(FIRST), "", Outcome.NOT_DONE),
        (
            {"agreement_rule": PlannedRule("gwet_ac1", "low", 0.61)},
            "agreement rule",
            str(RULE),
            "lower bound of gwet_ac1 at least 0.61",
            Outcome.DEVIATION,
        ),
        ({"learners": ("encoder",)}, "model", "tfidf", "", Outcome.NOT_DONE),
        (
            {"learners": ("encoder", "tfidf", "majority")},
            "model",
            "",
            "majority",
            Outcome.NOT_PLANNED,
        ),
        (
            {"epsilons": (0.2, 0.15)},
            "ε of the alternative-annotator test",
            "0.15",
            "0.15, 0.2",
            Outcome.DEVIATION,
        ),
        ({"epsilons": ()}, "ε of the alternative-annotator test", "0.15", "", Outcome.NOT_DONE),
    ],
)
def test_what_was_done_otherwise_is_told(
    fields: dict[str, object], what: str, planned: str, done: str, outcome: Outcome
) -> None:
    assert changed(**fields) == (Comparison(what, planned, done, outcome),)


def test_a_sample_of_another_size_deviates_and_another_one_was_not_planned() -> None:
    smaller, other = PlannedSample("Advice", "pps_posts", 380), PlannedSample("Advice", "whole_posts", 50)
    assert changed(samples=(smaller, other)) == (
        Comparison("sample", str(DRAWN), str(smaller), Outcome.DEVIATION),
        Comparison("sample", "", str(other), Outcome.NOT_PLANNED),
    )
    assert changed(samples=()) == (Comparison("sample", str(DRAWN), "", Outcome.NOT_DONE),)


def test_a_contrast_lacks_a_theme_is_not_made_or_was_not_planned() -> None:
    made = (
        PlannedContrast("communities", ("comfort",)),
        PlannedContrast("change_over_time", ("comfort",)),
    )
    assert changed(contrasts=made) == (
        Comparison("contrast", "overall of all codes", "", Outcome.NOT_DONE),
        Comparison(
            "contrast", "communities of comfort, advice", "communities without advice", Outcome.DEVIATION
        ),
        Comparison("contrast", "", "change_over_time", Outcome.NOT_PLANNED),
    )


def test_a_report_says_it_in_sentences() -> None:
    facts = PlanFacts(number=1, hash="a" * 64, frozen_on="2026-03-01 12:00 UTC", plan=PLAN, done=AS_PLANNED)
    said = " ".join(plan_in_words(facts, AS_PLANNED.contrasts))
    assert said.startswith(f"Plan 1 of the study was frozen on 2026-03-01 12:00 UTC (sha256 {'a' * 64}).")
    assert said.endswith("There was no deviation from the plan.")
    other = " ".join(plan_in_words(facts, (PlannedContrast("outcomes", ("advice",)),)))
    assert "Not planned, and so exploratory: contrast (outcomes)." in other
    assert "Planned and not part of this report: contrast (overall of all codes)" in other
    assert "no deviation" not in other
