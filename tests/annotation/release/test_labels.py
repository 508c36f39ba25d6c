"""Final labels: which answer counts, how a disagreement is settled, and what a changed definition does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.answers import Answers, Span
from annotation.consensus.values import Method, SpanRule, Ties
from annotation.release.judged_items import JudgedItem
from annotation.release.labels import final_labels
from annotation.release.rows import FinalLabel, LabelSource, SpanSource
from annotation.release.superseded import Definitions, InvalidWeight, Superseded, meanings
from annotation.sentences import sentences
from codebook.diff import compare_codebooks
from codebook.schema import Codebook, ContrastPair, Part
from tests.annotation.release.fixtures import (
    CAUSES,
    EPITOME,
    POST,
    PRACTICES,
    RATINGS,
    REPLY,
    RULES,
    editions,
    judged,
    reworded,
    said,
)

ADVICE = "asking-advice"
VALIDATION = "expressing-validation"
REACTIONS = "emotional-reactions"


def label_of(
    items: Sequence[JudgedItem],
    code: str,
    *,
    codebook: Codebook = PRACTICES,
    others: Sequence[Codebook] = (),
    rules: object = RULES,
    item: str = "i",
) -> FinalLabel:
    labels = final_labels(items, codebook, editions(codebook, *others), rules)  # type: ignore[arg-type]
    return next(label for label in labels.by_item[item] if label.code == code)


def ticks(*values: int) -> dict[str, Answers]:
    return {f"annotator-{number}": said({ADVICE: value}) for number, value in enumerate(values)}


def test_a_decision_goes_before_what_everybody_says() -> None:
    label = label_of([judged("i", ticks(1, 1, 1), decision=said({ADVICE: 0}))], ADVICE)
    assert (label.value, label.source, label.confidence) == (0, LabelSource.ADJUDICATED, 1.0)
    assert [vote.value for vote in label.votes] == [1, 1, 1]
    assert label.decision is not None
    assert label.decision.adjudicator == "researcher-1"


@pytest.mark.parametrize(
    ("values", "value", "source", "confidence"),
    [
        ((1, 1), 1, LabelSource.AGREED, 1.0),
        ((0,), 0, LabelSource.SINGLE, 1.0),
        ((1, 1, 0), 1, LabelSource.MAJORITY, 2 / 3),
    ],
)
def test_agreed_single_and_majority(
    values: tuple[int, ...], value: int, source: LabelSource, confidence: float
) -> None:
    label = label_of([judged("i", ticks(*values))], ADVICE)
    assert (label.value, label.source, label.n_annotators) == (value, source, len(values))
    assert label.confidence == pytest.approx(confidence)
    assert label.decision is None


def test_a_tie_is_called_a_tie() -> None:
    """Nobody's majority: chance decides by the seed, or the study leaves it without a label."""
    items = [judged("i", ticks(1, 0)), judged("other", ticks(0, 0))]
    ties = [label_of(items, ADVICE, rules=replace(RULES, seed=seed)) for seed in range(12)]
    assert {tie.value for tie in ties} == {0, 1}
    assert {(tie.source, tie.confidence) for tie in ties} == {(LabelSource.TIE, 0.5)}
    open_tie = label_of(items, ADVICE, rules=replace(RULES, ties=Ties.NONE))
    assert (open_tie.value, open_tie.source, open_tie.weight) == (None, LabelSource.OPEN_TIE, 0)
    common = label_of(items, ADVICE, rules=replace(RULES, ties=Ties.FREQUENT))
    assert (common.value, common.source, common.confidence) == (0, LabelSource.TIE, 0.5)
    weighed = label_of(items, ADVICE, rules=replace(RULES, method=Method.DAWID_SKENE))
    assert weighed.source is LabelSource.DAWID_SKENE
    levels = {f"annotator-{value}": said({REACTIONS: value}) for value in (0, 1, 2)}
    label = label_of([judged("i", levels, codebook=EPITOME)], REACTIONS, codebook=EPITOME)
    assert label.source is LabelSource.TIE


def test_the_method_says_how_far_to_trust_it() -> None:
    items = [judged("i", ticks(1, 0)), judged("other", ticks(0, 0))]

    def notes(method: Method) -> dict[str, str]:
        return final_labels(items, PRACTICES, editions(PRACTICES), replace(RULES, method=method)).notes

    assert notes(Method.MAJORITY)[ADVICE].startswith("1 of 2 items tied")
    assert "fewer than three annotators" in notes(Method.DAWID_SKENE)[ADVICE]
    assert final_labels(items[1:], PRACTICES, editions(PRACTICES), RULES).notes == {}


def test_one_annotator_is_not_enough_where_singles_are_not_wanted() -> None:
    """Label by label: the item has two answers, of which only one is under the definition of today."""
    old = reworded(PRACTICES, ADVICE, "Another definition.")
    both = {name: said({ADVICE: 1, VALIDATION: 1}) for name in ("a", "b")}
    item = judged("i", both, under={"a": old})
    rules = replace(RULES, singles=False)
    label = label_of([item], ADVICE, others=[old], rules=rules)
    assert (label.value, label.source, label.weight) == (None, LabelSource.TOO_FEW, 0)
    assert label_of([item], VALIDATION, others=[old], rules=rules).source is LabelSource.AGREED
    assert label_of([item], ADVICE, others=[old]).source is LabelSource.SINGLE
    decided = judged("i", ticks(1), decision=said({ADVICE: 0}))
    assert label_of([decided], ADVICE, rules=rules).source is LabelSource.ADJUDICATED


def test_marks_that_have_nothing_in_common_are_all_kept() -> None:
    answers = {
        "a": said({ADVICE: 1}, Span(ADVICE, Part.POST, 2, 8)),
        "b": said({ADVICE: 1}, Span(ADVICE, Part.POST, 9, 13)),
    }
    label = label_of([judged("i", answers)], ADVICE)
    assert (label.value, label.source, label.evidence.source) == (1, LabelSource.AGREED, SpanSource.UNION)
    assert {place.confidence for place in label.evidence.snippets} == {0.5}
    assert POST[label.evidence.snippets[0].start : label.evidence.snippets[-1].end] == "I feel lost"
    asked_all = label_of([judged("i", answers)], ADVICE, rules=replace(RULES, spans=SpanRule.INTERSECTION))
    assert asked_all.evidence.snippets == ()


def test_a_code_that_nobody_was_asked_has_no_label() -> None:
    label = label_of([judged("i", ticks(1, 1))], VALIDATION)
    assert (label.value, label.source, label.weight) == (None, LabelSource.NOT_ASKED, 0)


def test_a_method_learns_from_all_items_of_the_release() -> None:
    """Two careless annotators outvote a careful one by majority, and not once their errors are known."""
    items = []
    for number in range(40):
        truth = number % 2
        # c1 and c2 say the same, and are right with each other by chance only.
        careless = number % 3 % 2
        values = {"careful": truth, "also": truth, "c1": careless}
        items.append(judged(f"n{number}", {who: said({ADVICE: value}) for who, value in values.items()}))
    items.append(judged("i", {"careful": said({ADVICE: 1}), "c1": said({ADVICE: 0})}))
    for method, source in ((Method.DAWID_SKENE, LabelSource.DAWID_SKENE), (Method.MACE, LabelSource.MACE)):
        label = label_of(items, ADVICE, rules=replace(RULES, method=method))
        assert (label.value, label.source) == (1, source)
        assert label.confidence is not None
        assert label.confidence > 0.5


def test_ratings_become_their_lower_median() -> None:
    code = next(code.id for _, code in RATINGS.coded_questions())
    answers = {f"annotator-{value}": said({code: value}) for value in (1, 2, 4, 5)}
    label = label_of([judged("i", answers, codebook=RATINGS)], code, codebook=RATINGS)
    assert (label.value, label.source, label.confidence) == (2, LabelSource.MEDIAN, 0.25)


def test_sentences_are_kept_if_most_marked_them() -> None:
    question, code = next(iter(CAUSES.coded_questions()))
    text = POST if question.part is Part.POST else REPLY
    first, second = (Span(code.id, question.part, *place) for place in sentences(text)[:2])
    answers = {
        "a": said({code.id: 1}, first),
        "b": said({code.id: 1}, first, second),
        "c": said({code.id: 0}),
    }
    label = label_of([judged("i", answers, codebook=CAUSES)], code.id, codebook=CAUSES)
    assert (label.value, label.source) == (1, LabelSource.MAJORITY)
    assert [place.start for place in label.evidence.snippets] == [first.start]
    assert label.evidence.snippets[0].confidence == pytest.approx(2 / 3)
    assert label.confidence == pytest.approx(2 / 3)
    halved = {"a": said({code.id: 1}, first), "b": said({code.id: 1}, second)}

    def tied(**rules: object) -> FinalLabel:
        items = [judged("i", halved, codebook=CAUSES)]
        return label_of(items, code.id, codebook=CAUSES, rules=replace(RULES, **rules))  # type: ignore[arg-type]

    common = tied(ties=Ties.FREQUENT)
    assert (common.value, common.source) == (0, LabelSource.TIE)
    left_open = tied(ties=Ties.NONE)
    assert (left_open.value, left_open.source, left_open.weight) == (None, LabelSource.OPEN_TIE, 0)
    drawn = [tied(seed=seed) for seed in range(20)]
    assert {label.source for label in drawn} == {LabelSource.TIE}
    assert {len(label.evidence.snippets) for label in drawn} == {0, 1, 2}
    assert all(label.value == bool(label.evidence.snippets) for label in drawn)
    assert tied(seed=3) == tied(seed=3)
    same = {"a": said({code.id: 1}, first), "b": said({code.id: 1}, first)}
    agreed = label_of([judged("i", same, codebook=CAUSES)], code.id, codebook=CAUSES)
    assert (agreed.source, len(agreed.evidence.snippets)) == (LabelSource.AGREED, 1)


def test_evidence_is_of_those_who_gave_the_final_answer() -> None:
    part = Part.POST
    answers = {
        "a": said({ADVICE: 1}, Span(ADVICE, part, 2, 8)),
        "b": said({ADVICE: 1}, Span(ADVICE, part, 4, 13)),
        "c": said({ADVICE: 0}),
    }
    found = {}
    for rule in SpanRule:
        label = label_of([judged("i", answers)], ADVICE, rules=replace(RULES, spans=rule))
        assert label.evidence.source == rule.value
        found[rule] = [POST[place.start : place.end] for place in label.evidence.snippets]
    assert found == {
        SpanRule.UNION: ["I feel lost"],
        SpanRule.INTERSECTION: ["feel"],
        SpanRule.MAJORITY: ["feel"],
    }
    own = label_of([judged("i", answers, decision=said({ADVICE: 1}, Span(ADVICE, part, 3, 7)))], ADVICE)
    assert own.evidence.source is SpanSource.ADJUDICATED
    assert [(place.start, place.end) for place in own.evidence.snippets] == [(3, 7)]
    single = label_of([judged("i", {"a": answers["a"]})], ADVICE)
    assert single.evidence.source is SpanSource.SINGLE


def test_what_was_judged_under_the_definition_of_today_counts_alone() -> None:
    old = reworded(PRACTICES, ADVICE, "Another definition.")
    answers = ticks(1, 1, 0)
    mixed = judged("i", answers, under={"annotator-0": old, "annotator-1": old})
    label = label_of([mixed], ADVICE, others=[old])
    assert (label.value, label.source, label.is_superseded) == (0, LabelSource.SINGLE, False)
    decided = judged("i", ticks(1), decision=said({ADVICE: 0}), decided_under=old)
    assert label_of([decided], ADVICE, others=[old]).value == 1


def test_a_changed_definition_touches_only_its_own_code() -> None:
    old = reworded(PRACTICES, ADVICE, "Another definition.")
    both = {name: said({ADVICE: 1, VALIDATION: 1}) for name in ("a", "b")}
    item = judged("i", both, codebook=old)
    assert label_of([item], ADVICE, others=[old]).is_superseded
    assert not label_of([item], VALIDATION, others=[old]).is_superseded


def test_superseded_labels_are_kept_weighed_or_left_out() -> None:
    old = reworded(PRACTICES, ADVICE, "Another definition.")
    item = judged("i", ticks(1, 1), codebook=old)

    def label(superseded: Superseded) -> FinalLabel:
        return label_of([item], ADVICE, others=[old], rules=replace(RULES, superseded=superseded))

    assert (label(Superseded()).value, label(Superseded()).weight) == (1, 1.0)
    assert (label(Superseded("weight", 0.5)).value, label(Superseded("weight", 0.5)).weight) == (1, 0.5)
    left = label(Superseded("leave-out"))
    assert (left.value, left.source, left.weight, left.is_superseded) == (
        None,
        LabelSource.SUPERSEDED,
        0,
        True,
    )
    with pytest.raises(InvalidWeight):
        Superseded("weight", 1.0)


def test_a_level_that_is_gone_is_no_label() -> None:
    higher = replace(
        EPITOME,
        questions=tuple(
            replace(question, levels=(*question.levels, replace(question.levels[-1], value=3, label="More")))
            for question in EPITOME.questions
        ),
    )
    item = judged("i", {"a": said({REACTIONS: 3})}, codebook=higher)
    label = label_of([item], REACTIONS, codebook=EPITOME, others=[higher])
    assert label.source is LabelSource.NOT_ASKED


CHANGES = {
    "definition": lambda code: replace(code, definition="Another."),
    "name": lambda code: replace(code, name="Another"),
    "applies": lambda code: replace(code, applies=(*code.applies, "more")),
    "not_applies": lambda code: replace(code, not_applies=()),
    "examples": lambda code: replace(code, examples_for=code.examples_for[:1]),
    "hotkey": lambda code: replace(code, hotkey="z"),
    "colour": lambda code: replace(code, colour="#000000"),
    "answered_by": lambda code: replace(code, answered_by=("offering-advice",)),
    "contrast_pairs": lambda code: replace(
        code, contrast_pairs=(ContrastPair("I won", "I lost", "Well done"),)
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_supersedes_is_what_the_difference_of_editions_says(name: str) -> None:
    question, *rest = PRACTICES.questions
    code, *codes = question.codes
    changed = replace(PRACTICES, questions=(replace(question, codes=(CHANGES[name](code), *codes)), *rest))
    affects = any(change.affects_labels for change in compare_codebooks(PRACTICES, changed))
    assert (meanings(PRACTICES)[code.id] != meanings(changed)[code.id]) == affects
    definitions = Definitions(PRACTICES, editions(changed))
    assert definitions.is_current(code.id, next(iter(editions(changed)))) == (not affects)


@given(
    st.lists(st.lists(st.integers(0, 1), min_size=1, max_size=4), min_size=1, max_size=8),
    st.sampled_from(Method),
    st.randoms(use_true_random=False),
)
def test_the_order_of_items_and_annotators_changes_no_label(
    table: list[list[int]], method: Method, random: object
) -> None:
    items = [judged(f"i{number}", ticks(*values)) for number, values in enumerate(table)]
    rules = replace(RULES, method=method)
    first = final_labels(items, PRACTICES, editions(PRACTICES), rules).by_item
    shuffled = [replace(item, answers=tuple(reversed(item.answers))) for item in items]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    again = final_labels(shuffled, PRACTICES, editions(PRACTICES), rules).by_item
    assert {item: [(label.value, label.source) for label in labels] for item, labels in again.items()} == {
        item: [(label.value, label.source) for label in labels] for item, labels in first.items()
    }
