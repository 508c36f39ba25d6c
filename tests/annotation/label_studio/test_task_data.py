"""A task has the data keys that the labelling config refers to."""

import re

import pytest
from hypothesis import given

from annotation.answers import ItemText
from annotation.label_studio.config import label_config
from annotation.label_studio.task_data import NotOurTask, item_of, task_data
from codebook.shipped import load_shipped
from tests.annotation.strategies import items


def test_a_pair_has_one_reply() -> None:
    assert task_data(ItemText("i1", "T", "P", "R")) == {
        "item": "i1",
        "title": "T",
        "post": "P",
        "replies": [{"text": "R"}],
    }


def test_an_empty_reply_is_still_a_reply() -> None:
    assert task_data(ItemText("i1", "T", "P", ""))["replies"] == [{"text": ""}]


def test_every_variable_of_the_config_is_there() -> None:
    variables = set(re.findall(r'"\$([a-z]+)', label_config(load_shipped("empathy-practices"))))
    assert variables == set(task_data(ItemText("i1", "T", "P", None))) - {"item"}


@given(items())
def test_the_item_is_read_back_from_its_task(item: ItemText) -> None:
    assert item_of(task_data(item)) == item


@pytest.mark.parametrize(
    ("wrong", "lacks"),
    [
        ({"item": ""}, "item"),
        ({"item": 7}, "item"),
        ({"post": None}, "title and post"),
        ({"replies": [{"text": "a"}, {"text": "b"}]}, "one reply or none"),
        ({"replies": "a"}, "one reply or none"),
    ],
)
def test_a_task_that_attune_did_not_make_is_named(wrong: dict[str, object], lacks: str) -> None:
    with pytest.raises(NotOurTask, match=lacks):
        item_of({**task_data(ItemText("i1", "T", "P", "R")), **wrong})
