"""Nothing is suggested that would be refused once it is submitted, and the page says what is left out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from annotation.label_studio.decoding import decode_results
from annotation.problems import ProblemKind
from backend.design.samples.selectors import item_text
from backend.learn.prelabels import job_handlers
from backend.learn.prelabels.comparing import compare_study
from backend.learn.prelabels.models import ConditionAssignment
from backend.learn.prelabels.scope import suggestion_scope
from codebook.schema import Codebook, Evidence
from learning.prelabel_experiment.values import Condition
from learning.suggestions.highlights import HighlightLimits
from tests.backend.learn.models.fixtures import EPITOME
from tests.backend.learn.prelabels.answer_fixtures import judge_all
from tests.backend.learn.prelabels.fixtures import Bench, learn, set_up
from tests.cast import Cast

pytestmark = [pytest.mark.django_db, pytest.mark.database]
FIRST, *OTHERS = EPITOME.questions
# One theme needs words, which counting never marks; the others do not.
MIXED = replace(EPITOME, questions=(FIRST, *(replace(each, evidence=Evidence.OPTIONAL) for each in OTHERS)))
NEEDS_WORDS = FIRST.codes[0]


@pytest.fixture
def strict(
    request: pytest.FixtureRequest,
    cast: Cast,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Bench:
    codebook: Codebook = request.param
    made = learn(tmp_path / "made", codebook, "majority")
    bench = set_up(cast, made, settings, tmp_path)
    monkeypatch.setattr(job_handlers, "connect", lambda: bench.server)
    return bench


def _page(bench: Bench) -> str:
    client = Client()
    client.force_login(bench.cast.rosa)
    return client.get("/studies/kind-words/prelabels").content.decode()


@pytest.mark.parametrize("strict", [MIXED], indirect=True)
def test_a_theme_that_needs_words_is_left_out_and_the_page_says_so(strict: Bench) -> None:
    batch = strict.batch()
    strict.promote(strict.first)
    strict.push(batch)
    tasks = strict.tasks(batch)
    suggested = [item for item in strict.items_in(batch, Condition.SUGGESTED) if item.reply_id]
    for item in suggested:
        rows = strict.server.suggested(tasks[item.item_id].id)
        decoded = decode_results(strict.codebook, item_text(item), rows)
        assert {(each.kind, each.subject) for each in decoded.problems} == {
            (ProblemKind.UNANSWERED, NEEDS_WORDS.id)
        }
        assert len(decoded.answers.judgments) == 2
    page = _page(strict)
    assert "Not suggested" in page and NEEDS_WORDS.name in page
    judge_all(strict, batch, pull=0.0)
    found = compare_study(strict.study, resamples=20)
    assert found is not None
    compared = {code.code_id: code.with_model.suggested.n for code in found.report.codes}
    assert compared == {code.id: len(suggested) * (code != NEEDS_WORDS) for _, code in found.codes}


@pytest.mark.parametrize("strict", [EPITOME], indirect=True)
def test_an_adapter_that_marks_no_words_suggests_nothing_where_all_need_some(strict: Bench) -> None:
    batch = strict.batch()
    strict.promote(strict.first)
    job = strict.push(batch)
    assert job.result and "marks no words" in str(job.result["summary"])
    assert set(strict.versions(batch).values()) == {()}
    assert not ConditionAssignment.objects.exists()
    page = _page(strict)
    assert "Nothing is suggested" in page and "marks no words" in page
    assert "suggests under the name" not in page


def test_highlights_are_limited_to_what_people_marked_in_the_release(bench: Bench) -> None:
    """Every item of it has its words marked once for each theme."""
    limits = suggestion_scope(bench.first).limits
    assert {each.number for each in limits.values()} == {1}
    assert all(0 < each.shortest <= each.longest < 100 for each in limits.values())
    (bench.first.release.folder / "items.jsonl").unlink()
    gone = suggestion_scope(bench.second)
    assert set(gone.limits) == set(limits) and all(
        isinstance(each, HighlightLimits) for each in gone.limits.values()
    )


def test_answers_in_quarantine_count_in_their_condition(bench: Bench) -> None:
    batch = bench.batch()
    bench.promote(bench.first)
    bench.push(batch)
    bench.later(minutes=5)
    refused = [item for item in bench.items_in(batch, Condition.SUGGESTED) if item.reply_id][:3]
    for item in refused:
        whole = bench.nothing_found(item)
        # One theme is left open: Attune keeps the answer apart.
        bench.submit(batch, item, replace(whole, judgments=whole.judgments[1:]))
    bench.poll()
    found = compare_study(bench.study, resamples=20)
    assert found is not None
    assert (found.report.suggested.answers, found.report.suggested.unsound) == (3, 3)
    assert found.report.with_model.suggested.n == 6
    assert "3 with something missing" in _page(bench)
