"""What pulling relies on, asked of the Label Studio in memory and of a running one alike."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from tests.integration import label_studio_contract as contract
from tests.integration.label_studio_contract import Work, ticked
from tests.label_studio_rows import Result

# pytest looks for fixtures here
studio, work = contract.studio, contract.work


def test_a_submit_is_read_with_who_made_it_and_how_long_it_took(work: Work) -> None:
    before = work.newest()
    number = work.studio.people.submit(
        work.tasks["item-b"], work.amal.id, ticked("thanks"), lead_seconds=3.25
    )
    assert list(work.read(after=before)) == ["item-b"]
    (seen,) = work.read(after=before)["item-b"].annotations
    assert (seen.id, seen.task_id, seen.account_id) == (number, work.tasks["item-b"], work.amal.id)
    assert (seen.skipped, seen.from_prediction, seen.lead_seconds) == (False, False, 3.25)
    assert before < seen.created_at <= seen.updated_at <= work.newest()
    assert work.index()["item-b"].annotations == 1


def test_the_body_is_canonical_and_the_same_whenever_it_is_read(work: Work) -> None:
    work.studio.people.submit(work.tasks["item-a"], work.amal.id, ticked("merci 🙂"))
    first, again = (work.read()["item-a"].annotations[0].body for _ in range(2))
    body = json.loads(first)
    assert first == again
    assert first == json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert body["result"] == ticked("merci 🙂")
    assert {"created_ago", "created_username"}.isdisjoint(body)
    assert {"id", "completed_by", "was_cancelled", "lead_time", "created_at", "draft_created_at"} <= set(body)


def test_renaming_an_account_changes_no_body(work: Work) -> None:
    work.studio.people.submit(work.tasks["item-a"], work.amal.id, ticked("thanks"))
    before = work.read()["item-a"].annotations
    work.studio.server.ensure_account(key="annotator-1", name="Amal B.")
    assert work.read()["item-a"].annotations == before


def test_an_edit_moves_the_task_even_if_nothing_is_different(work: Work) -> None:
    number = work.studio.people.submit(work.tasks["item-a"], work.amal.id, ticked("thanks"))
    for result in (ticked("praise"), ticked("praise"), []):
        before = work.newest()
        work.studio.people.change(number, result, lead_seconds=9.5)
        (seen,) = work.read(after=before)["item-a"].annotations
        assert (seen.id, json.loads(seen.body)["result"], seen.lead_seconds) == (number, result, 9.5)
        assert seen.updated_at > before


def test_names_and_offsets_that_make_no_sense_come_through_as_they_are(work: Work) -> None:
    nonsense: Result = [
        {"id": "x", "type": "labels", "from_name": "nobody", "to_name": "nothing", "value": {"end": 9999}}
    ]
    work.studio.people.submit(work.tasks["item-a"], work.amal.id, nonsense)
    assert json.loads(work.read()["item-a"].annotations[0].body)["result"] == nonsense


def test_a_skip_is_an_annotation_that_says_so(work: Work) -> None:
    before = work.newest()
    number = work.studio.people.skip(work.tasks["item-c"], work.amal.id)
    (seen,) = work.read(after=before)["item-c"].annotations
    assert (seen.id, seen.skipped) == (number, True)
    indexed = work.index()["item-c"]
    assert (indexed.annotations, indexed.skipped) == (0, 1)


def test_skipping_after_a_submit_and_taking_it_back_move_the_task(work: Work) -> None:
    number = work.studio.people.submit(work.tasks["item-a"], work.amal.id, ticked("thanks"))
    for skipped in (True, False):
        before = work.newest()
        work.studio.people.change(number, ticked("thanks"), skipped=skipped)
        assert [one.skipped for one in work.read(after=before)["item-a"].annotations] == [skipped]
        assert work.index()["item-a"].skipped == skipped


def test_a_deleted_annotation_moves_its_task_and_is_not_there_any_more(work: Work) -> None:
    number = work.studio.people.submit(work.tasks["item-a"], work.amal.id, ticked("thanks"))
    assert work.studio.server.annotation_exists(number)
    before = work.newest()
    work.studio.people.delete_annotation(number)
    assert work.read(after=before)["item-a"].annotations == ()
    assert not work.studio.server.annotation_exists(number)
    assert work.index()["item-a"].annotations == 0


def test_the_number_of_a_deleted_annotation_is_not_used_again(work: Work) -> None:
    number = work.studio.people.submit(work.tasks["item-a"], work.amal.id, ticked("thanks"))
    work.studio.people.delete_annotation(number)
    assert work.studio.people.submit(work.tasks["item-a"], work.amal.id, ticked("thanks")) > number


def test_the_number_of_a_deleted_task_comes_again(work: Work) -> None:
    """On SQLite it does, even for another item: what happened to a task must not be looked up by its number alone."""
    work.studio.people.submit(work.tasks["item-c"], work.amal.id, ticked("thanks"))
    work.studio.people.delete_task(work.tasks["item-c"])
    work.studio.server.import_tasks(work.project, [{"item": "item-d", "post": "another"}])
    assert work.index()["item-d"].id == work.tasks["item-c"]
    assert work.read()["item-d"].annotations == ()


def test_a_second_annotation_and_one_by_somebody_else_are_all_there(work: Work) -> None:
    task = work.tasks["item-a"]
    made = [
        work.studio.people.submit(task, who.id, ticked("thanks")) for who in (work.amal, work.amal, work.bea)
    ]
    seen = work.read()["item-a"].annotations
    assert [one.id for one in seen] == made == sorted(made)
    assert [one.account_id for one in seen] == [work.amal.id, work.amal.id, work.bea.id]
    assert work.index()["item-a"].annotations == 3


def test_drafts_are_counted_and_move_nothing(work: Work) -> None:
    before = work.newest()
    draft = work.studio.people.save_draft(work.tasks["item-a"], ticked("thanks"))
    assert work.read(after=before) == {}
    assert (work.index()["item-a"].drafts, work.read()["item-a"].annotations) == (1, ())
    work.studio.people.delete_draft(draft)
    assert work.index()["item-a"].drafts == 0
    assert work.read(after=before) == {}


def test_submitting_a_draft_ends_it_and_keeps_when_it_was_begun(work: Work) -> None:
    draft = work.studio.people.save_draft(work.tasks["item-a"], ticked("thanks"))
    work.studio.people.submit(work.tasks["item-a"], work.amal.id, ticked("thanks"), draft_id=draft)
    (seen,) = work.read()["item-a"].annotations
    begun = datetime.fromisoformat(json.loads(seen.body)["draft_created_at"])
    assert begun < seen.created_at
    assert work.index()["item-a"].drafts == 0


def test_a_submit_turned_back_into_a_draft_is_gone_and_moves_its_task(work: Work) -> None:
    number = work.studio.people.submit(work.tasks["item-a"], work.amal.id, ticked("thanks"))
    before = work.newest()
    work.studio.people.convert_to_draft(number)
    assert work.read(after=before)["item-a"].annotations == ()
    assert not work.studio.server.annotation_exists(number)
    assert (work.index()["item-a"].annotations, work.index()["item-a"].drafts) == (0, 1)


def test_a_draft_of_an_edit_ends_with_the_edit(work: Work) -> None:
    number = work.studio.people.submit(work.tasks["item-a"], work.amal.id, ticked("thanks"))
    before = work.newest()
    work.studio.people.save_draft(work.tasks["item-a"], ticked("praise"), annotation_id=number)
    assert work.index()["item-a"].drafts == 1
    assert work.read(after=before) == {}
    work.studio.people.change(number, ticked("praise"))
    assert work.index()["item-a"].drafts == 0


def test_predictions_are_no_annotations_and_an_answer_made_from_one_says_so(work: Work) -> None:
    before = work.newest()
    guess = work.studio.people.import_prediction(work.tasks["item-a"], ticked("thanks"))
    assert work.read(after=before) == {}
    assert work.read()["item-a"].annotations == ()
    work.studio.people.submit(work.tasks["item-a"], work.amal.id, ticked("thanks"), prediction_id=guess)
    assert [one.from_prediction for one in work.read()["item-a"].annotations] == [True]


def test_rows_that_came_from_a_prediction_say_so_too(work: Work) -> None:
    rows = [{**row, "origin": "prediction-changed"} for row in ticked("thanks")]
    work.studio.people.submit(work.tasks["item-a"], work.amal.id, rows)
    assert work.read()["item-a"].annotations[0].from_prediction


def test_changes_are_those_strictly_after_the_given_moment(work: Work) -> None:
    work.studio.people.submit(work.tasks["item-b"], work.amal.id, ticked("thanks"))
    newest = work.newest()
    assert newest == work.index()["item-b"].updated_at == work.read()["item-b"].updated_at
    assert work.read(after=newest) == {}
    just_before = newest - timedelta(microseconds=1)
    assert list(work.read(after=just_before)) == ["item-b"]


def test_the_zone_of_the_given_moment_does_not_matter(work: Work) -> None:
    newest = work.newest().astimezone(ZoneInfo("Asia/Kolkata"))
    assert work.read(after=newest) == {}
    assert work.read(after=newest - timedelta(microseconds=1)) != {}


def test_a_task_that_vanishes_while_pages_are_read_hides_no_other(work: Work) -> None:
    tasks = work.studio.server.changed_tasks(work.project, after=None)
    assert next(tasks).item == "item-a"
    work.studio.people.delete_task(work.tasks["item-a"])
    assert [task.item for task in tasks] == ["item-b", "item-c"]
