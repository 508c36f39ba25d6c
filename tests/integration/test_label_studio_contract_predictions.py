"""What pushing suggestions relies on, asked of the Label Studio in memory and of a running one alike."""

from __future__ import annotations

import pytest

from backend.annotate.label_studio.errors import ProjectGone
from backend.annotate.label_studio.values import PredictionsSeen, TaskPrediction
from tests.integration import label_studio_contract as contract
from tests.integration.label_studio_contract import NO_PROJECT, LabelStudio, Work, ticked

# pytest looks for fixtures here
studio, work = contract.studio, contract.work


def _set(
    work: Work, version: str, given: dict[str, str], without: tuple[str, ...] = ()
) -> dict[str, PredictionsSeen]:
    predictions = [TaskPrediction(work.tasks[item], tuple(ticked(code)), 0.5) for item, code in given.items()]
    bare = [work.tasks[item] for item in without]
    seen = work.studio.server.set_predictions(
        work.project, version=version, predictions=predictions, without=bare
    )
    names = {number: item for item, number in work.tasks.items()}
    return {names[each.task_id]: each for each in seen}


def _shown(work: Work) -> dict[str, list[object]]:
    return {
        item: [row["value"] for row in work.studio.people.suggested(task)]
        for item, task in work.tasks.items()
        if work.studio.people.suggested(task)
    }


def test_each_task_has_one_prediction_however_often_it_is_set(work: Work) -> None:
    for before in ((), ("m1",)):
        seen = _set(work, "m1", {"item-a": "thanks", "item-b": "praise"}, without=("item-c",))
        assert {(item, each.before, each.now) for item, each in seen.items()} == {
            ("item-a", before, ("m1",)),
            ("item-b", before, ("m1",)),
            ("item-c", (), ()),
        }
        assert not any(each.begun for each in seen.values())
    assert _shown(work) == {"item-a": [{"choices": ["thanks"]}], "item-b": [{"choices": ["praise"]}]}


def test_a_new_model_takes_over_where_nobody_has_begun(work: Work) -> None:
    people, tasks = work.studio.people, work.tasks
    _set(work, "m1", dict.fromkeys(tasks, "thanks"))
    people.submit(tasks["item-a"], work.amal.id, ticked("thanks"))
    people.save_draft(tasks["item-b"], ticked("thanks"))
    seen = _set(work, "m2", dict.fromkeys(tasks, "praise"))
    assert {item: (each.begun, each.before, each.now) for item, each in seen.items()} == {
        "item-a": (True, ("m1",), ("m1",)),
        "item-b": (True, ("m1",), ("m1",)),
        "item-c": (False, ("m1",), ("m2",)),
    }
    assert _shown(work) == {"item-c": [{"choices": ["praise"]}]}


def test_a_prediction_made_by_hand_is_replaced(work: Work) -> None:
    work.studio.people.import_prediction(work.tasks["item-a"], ticked("praise"))
    seen = _set(work, "m1", {"item-a": "thanks"})
    assert (seen["item-a"].before, seen["item-a"].now) == (("guess",), ("m1",))
    assert _shown(work) == {"item-a": [{"choices": ["thanks"]}]}


def test_predictions_are_taken_back_and_given_again(work: Work) -> None:
    _set(work, "m1", {"item-a": "thanks"})
    seen = _set(work, "", {}, without=("item-a", "item-b"))
    assert {item: (each.before, each.now) for item, each in seen.items()} == {
        "item-a": (("m1",), ()),
        "item-b": ((), ()),
    }
    assert _shown(work) == {}
    assert _set(work, "", {}, without=("item-a",))["item-a"].before == ()
    assert _set(work, "m1", {"item-a": "praise"})["item-a"].now == ("m1",)
    assert _shown(work) == {"item-a": [{"choices": ["praise"]}]}


def test_what_was_begun_from_a_prediction_can_be_submitted_after_it_is_gone(work: Work) -> None:
    """The page names the prediction it began from, whatever has become of it since."""
    _set(work, "m1", {"item-a": "thanks"})
    number = work.studio.people.import_prediction(work.tasks["item-b"], ticked("praise"))
    _set(work, "m2", {"item-b": "thanks"})
    _set(work, "", {}, without=("item-b",))
    work.studio.people.submit(work.tasks["item-b"], work.amal.id, ticked("praise"), prediction_id=number)
    assert work.read()["item-b"].annotations[0].from_prediction


def test_setting_predictions_changes_nothing_that_the_sync_reads(work: Work) -> None:
    newest = work.newest()
    _set(work, "m1", {"item-a": "thanks"})
    _set(work, "m2", {"item-a": "praise"})
    assert work.newest() == newest


def test_tasks_that_are_not_there_are_left_out(work: Work) -> None:
    stray = TaskPrediction(NO_PROJECT, tuple(ticked("thanks")), None)
    server = work.studio.server
    assert server.set_predictions(work.project, version="m1", predictions=[stray], without=[]) == []


def test_a_project_that_is_gone_is_named(studio: LabelStudio) -> None:
    with pytest.raises(ProjectGone):
        studio.server.set_predictions(NO_PROJECT, version="m1", predictions=[], without=[1])
