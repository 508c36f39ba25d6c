"""A sample whose items were given out cannot be deleted."""

from __future__ import annotations

import pytest

from backend.annotate.batches.models import AssignedItem
from backend.design.samples.models import Sample
from backend.design.samples.services import SampleError, delete_sample
from tests.backend.annotate.batches.fixtures import add_sample, asked, opened
from tests.cast import NOW, Cast


def test_a_sample_in_use_stays(ready: Cast) -> None:
    opened(ready, asked("overlap", n=4))
    sample = ready.study.samples.get(name="Main")
    with pytest.raises(SampleError, match="4 items of “Main” are in batches"):
        delete_sample(sample=sample, actor=ready.rosa, now=NOW)
    assert sample.draws.count() == 30
    assert AssignedItem.objects.count() == 12


def test_a_sample_that_nobody_was_given_goes(ready: Cast) -> None:
    opened(ready, asked("overlap", n=4))
    delete_sample(sample=add_sample(ready, "Spare", range(100, 105)), actor=ready.rosa, now=NOW)
    assert [sample.name for sample in Sample.objects.all()] == ["Main"]
