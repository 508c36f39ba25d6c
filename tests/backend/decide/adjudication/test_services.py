"""Decisions are added and never changed, nobody overwrites anybody, and annotators' judgments stay as they were."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, transaction

from annotation.answers import Answers
from annotation.stored_answers import read_answers
from backend.annotate.discussions.models import Discussion, DiscussionState
from backend.annotate.discussions.services import reopen, settle
from backend.annotate.judgments.models import AnnotationVersion, Judgment, Submission
from backend.annotate.judgments.models import Span as SpanRow
from backend.core.accounts.models import User
from backend.decide.adjudication.errors import (
    DecidedMeanwhile,
    DecisionRefused,
    NothingDecidedYet,
    NothingToUndo,
    ReasonNeeded,
)
from backend.decide.adjudication.models import Decision, DecisionRound, Way
from backend.decide.adjudication.selectors import decided_answers, final_decisions
from backend.decide.adjudication.services import Draft, decide, restore, undo
from backend.design.samples.models import Item
from backend.operate.erasure.services import erase_study
from tests.backend.decide.adjudication.fixtures import ADVICE, EMOTIONS, Bench, later
from tests.batch_fixtures import CastAtWork


def rows_of_annotators() -> list[object]:
    """Everything that an annotator said, byte for byte as it is stored."""
    tables = (AnnotationVersion, Submission, Judgment, SpanRow)
    with connection.cursor() as cursor:
        found = []
        for table in tables:
            cursor.execute(f'SELECT * FROM "{table._meta.db_table}" ORDER BY 1')
            found.append(cursor.fetchall())
    return found


def test_accepting_a_side_says_whose(bench: Bench) -> None:
    item = bench.items[0]
    bench.disagree(item)
    decision = bench.decide(item, bench.cast.rosa, EMOTIONS, way=Way.ACCEPTED, accepted_from=bench.cast.amal)
    assert (decision.way, decision.accepted_from, decision.number) == (Way.ACCEPTED, bench.cast.amal, 1)
    assert decided_answers(decision).judgments == bench.answer(item, EMOTIONS).judgments
    assert final_decisions(bench.study) == {item.pk: decision}


def test_an_accepted_answer_that_was_changed_is_a_written_one(bench: Bench) -> None:
    item = bench.items[0]
    bench.disagree(item)
    decision = bench.decide(
        item, bench.cast.rosa, EMOTIONS, ADVICE, way=Way.ACCEPTED, accepted_from=bench.cast.amal
    )
    assert (decision.way, decision.accepted_from) == (Way.WRITTEN, None)


def test_the_majority_decides_what_it_can(bench: Bench) -> None:
    item = bench.items[0]
    bench.disagree(item)
    draft = Draft(bench.majority(item), way=Way.MAJORITY)
    decision = _first(item, draft, bench.cast.rosa)
    assert decision.way == Way.MAJORITY
    values = {one.code_id: one.value for one in decided_answers(decision).judgments}
    assert values[EMOTIONS] == 1
    assert sum(values.values()) == 1


def test_a_tie_stays_open_until_somebody_decides(bench: Bench) -> None:
    item = bench.items[0]
    bench.all_say(item, [EMOTIONS], [])
    with pytest.raises(DecisionRefused) as refusal:
        _first(item, Draft(bench.majority(item), way=Way.MAJORITY), bench.cast.rosa)
    assert [problem.subject for problem in refusal.value.problems] == [EMOTIONS]
    assert not Decision.objects.exists()


def test_an_unsound_answer_is_refused_with_every_problem(bench: Bench) -> None:
    item = bench.items[0]
    bench.disagree(item)
    answers = bench.answer(item, EMOTIONS, ADVICE)
    with pytest.raises(DecisionRefused) as refusal:
        _first(item, Draft(Answers(answers.judgments, (), None)), bench.cast.rosa)
    assert {problem.subject for problem in refusal.value.problems} == {EMOTIONS, ADVICE}


def test_adjudication_never_changes_what_annotators_said(bench: Bench) -> None:
    item = bench.items[0]
    bench.disagree(item)
    before = rows_of_annotators()
    decision = bench.decide(item, bench.cast.rosa, ADVICE)
    undo(decision=decision, actor=bench.cast.rosa, now=later(1))
    restore(decision=decision, actor=bench.cast.ravi, expected_number=2, now=later(2))
    assert rows_of_annotators() == before


def test_undo_leaves_nothing_decided_and_restore_brings_it_back(bench: Bench) -> None:
    item = bench.items[0]
    bench.disagree(item)
    decision = bench.decide(item, bench.cast.rosa, EMOTIONS, reason="They say so.")
    undone = undo(decision=decision, actor=bench.cast.ravi, now=later(1))
    assert (undone.way, undone.number, undone.author) == (Way.UNDONE, 2, bench.cast.ravi)
    assert final_decisions(bench.study) == {}
    with pytest.raises(NothingToUndo):
        undo(decision=decision, actor=bench.cast.rosa, now=later(2))
    restored = restore(decision=decision, actor=bench.cast.ravi, expected_number=2, now=later(3))
    assert (restored.number, restored.reason) == (3, "They say so.")
    assert read_answers(restored.answers) == read_answers(decision.answers)
    assert Decision.objects.filter(item=item).count() == 3


def test_a_decision_cannot_be_rewritten_even_by_sql(bench: Bench) -> None:
    bench.disagree(bench.items[0])
    decision = bench.decide(bench.items[0], bench.cast.rosa, EMOTIONS)
    with pytest.raises(IntegrityError), transaction.atomic():
        Decision.objects.filter(pk=decision.pk).update(reason="Better")


def test_who_comes_second_is_told_who_decided_what(bench: Bench) -> None:
    item = bench.items[0]
    bench.disagree(item)
    bench.decide(item, bench.cast.rosa, EMOTIONS, reason="Lost is a feeling.")
    with pytest.raises(DecidedMeanwhile, match=r"Rosa decided this item .* Lost is a feeling") as conflict:
        _first(item, Draft(bench.answer(item)), bench.cast.ravi)
    assert conflict.value.theirs.reason == "Lost is a feeling."
    over = decide(
        item=item,
        draft=Draft(bench.answer(item)),
        actor=bench.cast.ravi,
        decision_round=DecisionRound.FIRST,
        expected_number=conflict.value.theirs.number,
        now=later(2),
    )
    assert final_decisions(bench.study)[item.pk] == over


def test_a_number_from_nowhere_is_refused(bench: Bench) -> None:
    bench.disagree(bench.items[0])
    with pytest.raises(NothingDecidedYet):
        decide(
            item=bench.items[0],
            draft=Draft(bench.answer(bench.items[0])),
            actor=bench.cast.rosa,
            decision_round=DecisionRound.FIRST,
            expected_number=3,
            now=later(0),
        )


def test_settling_the_discussion_goes_with_the_decision_and_with_its_undoing(bench: Bench) -> None:
    item = bench.items[0]
    bench.all_say(item, [EMOTIONS], [], [], flag="Is it?")
    with pytest.raises(ReasonNeeded):
        bench.decide(item, bench.cast.rosa, EMOTIONS, settles=True)
    assert not Decision.objects.exists()
    decision = bench.decide(item, bench.cast.rosa, EMOTIONS, reason="It is.", settles=True)
    discussion = Discussion.objects.get()
    assert (discussion.state, discussion.reason) == (DiscussionState.SETTLED, "It is.")
    undo(decision=decision, actor=bench.cast.rosa, now=later(1))
    discussion.refresh_from_db()
    assert discussion.state == DiscussionState.OPEN


def test_undoing_opens_what_any_step_of_the_round_settled_and_restoring_settles_it_again(
    bench: Bench,
) -> None:
    item = bench.items[0]
    bench.all_say(item, [EMOTIONS], [], [], flag="Is it?")
    decision = bench.decide(item, bench.cast.rosa, EMOTIONS, reason="It is.", settles=True)
    over = bench.decide(item, bench.cast.ravi, reason="It is not.", minutes=1)
    undo(decision=over, actor=bench.cast.ravi, now=later(2))
    discussion = Discussion.objects.get()
    assert discussion.state == DiscussionState.OPEN
    restored = restore(decision=decision, actor=bench.cast.ravi, expected_number=3, now=later(3))
    discussion.refresh_from_db()
    assert (discussion.state, discussion.settled_by) == (DiscussionState.SETTLED, bench.cast.ravi)
    undo(decision=restored, actor=bench.cast.rosa, now=later(4))
    discussion.refresh_from_db()
    assert discussion.state == DiscussionState.OPEN


def test_undoing_leaves_what_somebody_settled_otherwise_since(bench: Bench) -> None:
    item = bench.items[0]
    bench.all_say(item, [EMOTIONS], [], [], flag="Is it?")
    decision = bench.decide(item, bench.cast.rosa, EMOTIONS, reason="It is.", settles=True)
    discussion = Discussion.objects.get()
    reopen(discussion=discussion, actor=bench.cast.ravi, now=later(1))
    settle(discussion=discussion, actor=bench.cast.ravi, reason="Talked it over.", now=later(2))
    undo(decision=decision, actor=bench.cast.rosa, now=later(3))
    discussion.refresh_from_db()
    assert (discussion.state, discussion.reason) == (DiscussionState.SETTLED, "Talked it over.")


def test_a_study_goes_with_all_its_decisions(bench: Bench) -> None:
    bench.plan(second_share=0.5)
    bench.disagree(bench.items[0])
    bench.decide(bench.items[0], bench.cast.rosa, EMOTIONS, way=Way.ACCEPTED, accepted_from=bench.cast.amal)
    erase_study(study=bench.study)
    assert not Decision.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_researchers_at_once_cannot_overwrite_each_other(work: CastAtWork) -> None:
    """Two connections to the real database, let loose together: one decides, the other learns of it."""
    bench = Bench(work, n_items=8)
    for item in bench.items:
        bench.disagree(item)
    outcomes: list[str] = []
    for item in bench.items:
        gate = threading.Barrier(2)
        people = (bench.cast.rosa, bench.cast.ravi)
        threads = [
            threading.Thread(target=_decide_at(gate, item, bench.answer(item), who, outcomes))
            for who in people
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(outcomes) == ["conflict"] * 8 + ["decided"] * 8
    assert list(Decision.objects.values_list("number", flat=True)) == [1] * 8


def _decide_at(
    gate: threading.Barrier, item: Item, answers: Answers, who: User, outcomes: list[str]
) -> Callable[[], None]:
    def run() -> None:
        try:
            gate.wait()
            _first(item, Draft(answers), who)
            outcomes.append("decided")
        except DecidedMeanwhile as conflict:
            outcomes.append("conflict" if conflict.theirs.author != who else "own")
        finally:
            connection.close()

    return run


@pytest.mark.django_db(transaction=True)
def test_the_database_itself_takes_a_number_once(work: CastAtWork) -> None:
    """Were both to pass the check at once, the constraint would refuse the second."""
    bench = Bench(work, n_items=1)
    bench.disagree(bench.items[0])
    decision = bench.decide(bench.items[0], bench.cast.rosa, EMOTIONS)
    decision.pk = None
    with pytest.raises(IntegrityError, match=r"(?i)unique"):
        decision.save(force_insert=True)


def _first(item: Item, draft: Draft, actor: User) -> Decision:
    return decide(
        item=item,
        draft=draft,
        actor=actor,
        decision_round=DecisionRound.FIRST,
        expected_number=0,
        now=later(0),
    )
