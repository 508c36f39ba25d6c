"""Every kind of task has its function, which takes that request and gives its result."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest

from learning.tasks.contract import Request, TaskRequest, TaskResult
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter
from ml_backend.pools.worker import find_function
from ml_backend.worker.kinds import FUNCTIONS, TRAIN_ON_CLUSTER

KINDS = {str(kind.__struct_config__.tag): kind for kind in get_args(TaskRequest)}
RESULTS = {str(kind.__struct_config__.tag): kind for kind in get_args(TaskResult)}


def test_every_request_has_a_function_and_a_result() -> None:
    assert FUNCTIONS.keys() == KINDS.keys() == RESULTS.keys()


@pytest.mark.parametrize(("tag", "name"), [*FUNCTIONS.items(), ("train", TRAIN_ON_CLUSTER)])
def test_a_function_takes_its_request_and_gives_its_result(tag: str, name: str) -> None:
    hints = get_type_hints(find_function(name))
    result = hints.pop("return")
    assert [*hints.values()][:3] == [TaskFolder, KINDS[tag], ProgressWriter]
    assert result is RESULTS[tag] and get_args(KINDS[tag].__orig_bases__[0]) == (result,)
    assert issubclass(KINDS[tag], Request)
