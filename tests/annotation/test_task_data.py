"""A task has the data keys that the labelling config refers to."""

import re

from annotation.answers import ItemText
from annotation.label_config import label_config
from annotation.task_data import task_data
from codebook.shipped import load_shipped


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
