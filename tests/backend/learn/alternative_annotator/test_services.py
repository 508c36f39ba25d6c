"""What counts in a test, what is kept of it, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import DatabaseError, transaction

from backend.decide.releases.models import Release
from backend.learn.alternative_annotator.errors import (
    ColumnsRefused,
    EpsilonOutOfReach,
    NameTaken,
    NothingToTestOn,
)
from backend.learn.alternative_annotator.models import AlternativeTest, LabelColumns
from backend.learn.alternative_annotator.selectors import Alternative, newest_tests
from backend.learn.alternative_annotator.services import import_columns, put_to_the_test
from backend.publish.preregistration.selectors import done_in
from tests.backend.learn.alternative_annotator.fixtures import (
    CODES,
    n_tested,
    overlap_release,
    right_labels,
)
from tests.backend.learn.models.fixtures import train
from tests.cast import NOW, Cast

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def run(alternative: Alternative, release: Release, epsilon: float = 0.15) -> AlternativeTest:
    return put_to_the_test(
        alternative=alternative, release=release, epsilon=epsilon, actor=release.created_by, now=NOW
    )


def bring(release: Release, content: bytes, *, has_learned: bool = False, name: str = "GPT") -> LabelColumns:
    return import_columns(
        study=release.study,
        edition=release.edition,
        name=name,
        content=content,
        has_learned=has_learned,
        actor=release.created_by,
        now=NOW,
    )


def test_an_adapter_is_tested_on_what_it_did_not_learn_from(release: Release) -> None:
    """The majority never finds anything, so that only the third annotator is as bad as it is."""
    good, poor = train(release, "tfidf-logistic"), train(release, "majority")
    first, second = run(good, release).read(), run(poor, release).read()
    assert first.overlap.n_used == n_tested(release)
    assert first.overlap.n_learned == 90 - n_tested(release)
    assert [code.code for code in first.codes] == list(CODES)
    assert all(code.tests.passes is True for code in first.codes)
    assert all(code.tests.passes is False for code in second.codes)
    assert [test.adapter_id for test in newest_tests(release.study)] == [good.pk, poor.pk]


def test_each_test_is_kept_with_its_epsilon_and_the_database_refuses_to_rewrite_it(
    release: Release,
) -> None:
    adapter = train(release, "majority")
    run(adapter, release, 0.1)
    newest = run(adapter, release, 0.2)
    assert [test.epsilon for test in adapter.alternative_tests.all()] == [0.2, 0.1]
    assert newest_tests(release.study) == [newest]
    assert done_in(release.study).epsilons == (0.1, 0.2), "a plan is held against all of them"
    assert release.study.events.filter(summary__contains="ε = 0.2").exists()
    with pytest.raises(DatabaseError, match="never change"), transaction.atomic():
        AlternativeTest.objects.update(epsilon=0.05)


def test_imported_labels_are_tested_on_every_part_unless_they_learned_here(release: Release) -> None:
    content = right_labels(release)
    outside, inside = bring(release, content), bring(release, content, has_learned=True, name="Tuned")
    assert run(outside, release).read().overlap.n_used == 90
    found = run(inside, release).read()
    assert found.overlap.n_used == n_tested(release)
    assert all(code.tests.passes for code in found.codes)


def test_what_is_wrong_says_what_to_do(release: Release, cast: Cast, tmp_path: Path) -> None:
    adapter = train(release, "majority")
    with pytest.raises(EpsilonOutOfReach, match="between 0 and 1"):
        run(adapter, release, 1.5)
    with pytest.raises(ColumnsRefused, match="Line 2: “9” is no label"):
        bring(release, f"id,{CODES[0]}\na,9\n".encode())
    columns = bring(release, right_labels(release))
    with pytest.raises(NameTaken, match="GPT"):
        bring(release, right_labels(release))
    single = overlap_release(cast.study, tmp_path / "single", n=40, annotators=1, name="Single")
    with pytest.raises(NothingToTestOn, match="On 40 fewer than two annotators"):
        run(columns, single)
