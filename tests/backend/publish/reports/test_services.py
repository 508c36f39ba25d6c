"""A report is whole or not there, comes out the same again, and says what went into it."""

from __future__ import annotations

import hashlib
import tomllib
from datetime import date, timedelta
from pathlib import Path

import msgspec
import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from analysis.preregistration import Plan, PlannedContrast, PlannedRule, PlannedSample
from analysis.report.content import MANIFEST, REPORT, Manifest, decode_report
from analysis.report.registry import section_titles
from analysis.values import Way
from annotation.agreement.trust_rule import Bound, Rule
from annotation.release.rows import SplitPart
from backend import VERSION
from backend.decide.agreement.services import change_rule
from backend.decide.releases.selectors import rows_of
from backend.design.corpora.import_requests import dump_import
from backend.design.corpora.models import Corpus
from backend.learn.models.services import promote, retire
from backend.operate.erasure.services import erase_study
from backend.publish.labelling.models import LabellingRun, LabellingState
from backend.publish.preregistration.selectors import planned_edition
from backend.publish.preregistration.services import freeze_plan
from backend.publish.reports.errors import (
    CannotBeJoined,
    CorpusChanged,
    LabelsChanged,
    RunNotFinished,
    UnknownSections,
    UnknownTopics,
)
from backend.publish.reports.facts import newest_agreement
from backend.publish.reports.files import problems_of, read_content, read_manifest
from backend.publish.reports.models import Report, reports_folder
from backend.publish.reports.passages import marked_passages
from backend.publish.reports.services import check_report
from tests.backend.publish.reports.fixtures import CODES, finished_run, made_report, measured_overlap
from tests.batch_fixtures import Work
from tests.cast import NOW, Cast
from tests.demo_corpus import import_demo

pytestmark = pytest.mark.django_db


def test_a_report_is_a_folder_whose_manifest_names_every_file(run: LabellingRun, cast: Cast) -> None:
    report = made_report(cast)
    manifest = msgspec.json.decode((report.folder / MANIFEST).read_bytes(), type=Manifest)
    assert hashlib.sha256((report.folder / MANIFEST).read_bytes()).hexdigest() == report.manifest_hash
    for name, digest in manifest.files.items():
        assert hashlib.sha256((report.folder / name).read_bytes()).hexdigest() == digest
    endings = {Path(name).suffix for name in manifest.files}
    assert {".csv", ".tex", ".pdf", ".svg", ".json", ".md"} <= endings
    assert manifest.inputs["labels"] == run.output_hash
    assert manifest.inputs["release"] == run.adapter.release.hash
    assert problems_of(report) == []
    assert [path.name for path in reports_folder(cast.study).iterdir() if path.is_dir()] == ["report-1"]


def test_it_has_both_ways_and_facts_from_the_database(run: LabellingRun, cast: Cast) -> None:
    content = read_content(made_report(cast))
    assert content.ways == tuple(Way)
    facts = content.facts
    assert facts.corpus and facts.gold and facts.model and facts.release and facts.annotation
    assert sum(each.n_posts for each in facts.corpus.communities) == run.n_posts
    assert sum(each.n_replies for each in facts.corpus.communities) == run.n_replies
    assert {each.topic for each in facts.corpus.communities} == {"Work", "Manners"}
    test = {row.item.post for row in rows_of(run.adapter.release) if row.split is SplitPart.TEST}
    assert facts.gold.n_posts == len(test), "only what the model has not seen"
    assert facts.gold.is_unseen and "“Main annotation”" in facts.gold.drawn
    assert facts.model.measured_on == "the test part of release 1"
    assert facts.annotation.n_annotators == 1
    assert facts.software == f"Attune {VERSION}"


def test_agreement_is_told_from_the_report_that_was_newest_when_it_was_asked_for(
    run: LabellingRun, cast: Cast
) -> None:
    """A later one changes nothing about a report that was made before."""
    measured = measured_overlap(cast, "Calibration", disagreeing=6)
    report = made_report(cast)
    facts = read_content(report).facts.annotation
    assert facts and report.request["agreement"] == measured.pk and facts.n_items == 12
    found = {score.code: score.value or 0.0 for score in facts.agreement}
    assert found[CODES[0]] < 0.5 and found[CODES[1]] == 1.0
    later = measured_overlap(cast, "Second round", disagreeing=0)
    assert newest_agreement(run.edition) == later
    assert check_report(report=report, actor=cast.rosa, now=NOW).is_same


def test_a_model_in_service_by_override_is_named_as_such(run: LabellingRun, cast: Cast) -> None:
    promote(adapter=run.adapter, report=None, override_reason="For the demo.", actor=cast.rosa, now=NOW)
    report = made_report(cast)
    content = read_content(report)
    assert "by hand, against the study's promotion rule. Reason given: “For the demo”" in content.summary[0]
    assert content.summary[0] in (report.folder / "methods.md").read_text()
    assert content.facts.model and content.facts.model.unproven, "a majority model is shown to find nothing"
    assert not any("; n = " in sentence for sentence in content.summary)
    later = run.created_at + timedelta(days=1)
    retire(adapter=run.adapter, actor=cast.rosa, now=later)
    promote(adapter=run.adapter, report=None, override_reason="Again", actor=cast.rosa, now=later)
    assert check_report(report=report, actor=cast.rosa, now=NOW).is_same, "as it stood when it labelled"


def test_a_frozen_plan_is_held_against_the_report_and_a_later_rule_changes_nothing(
    cast: Cast, demo_corpus: Corpus
) -> None:
    edition = Work.of(cast.study, cast.rosa, []).edition
    plan = Plan(
        edition=planned_edition(edition),
        samples=(PlannedSample(demo_corpus.name, "pps_posts", 1_000),),
        agreement_rule=PlannedRule("fleiss_kappa", "low", 0.61),
        learners=("majority",),
        contrasts=(PlannedContrast("communities"),),
    )
    freeze_plan(study=cast.study, plan=plan, actor=cast.rosa, now=NOW)
    finished_run(cast, demo_corpus)
    report = made_report(cast)
    content = read_content(report)
    (said,) = [each.text for each in content.methods if each.title == "Pre-registration"]
    assert said.startswith("Plan 1 of the study was frozen on 2026-03-01 12:00 UTC")
    assert f"Done as planned: codebook (edition {edition.number}" in said and "model (majority)" in said
    assert "Done otherwise than planned: sample (planned: 1,000 items" in said
    assert "not part of this report: contrast (communities of all codes)" in said
    assert "exploratory: contrast (overall)" in said
    change_rule(study=cast.study, rule=Rule("gwet_ac1", Bound.LOW, 0.8), actor=cast.rosa, now=NOW)
    assert check_report(report=report, actor=cast.rosa, now=NOW).is_same


def test_without_a_release_all_is_naive(run: LabellingRun, cast: Cast) -> None:
    report = made_report(cast, release=None, topics={}, sections=["topics"])
    content = read_content(report)
    assert content.ways == (Way.NAIVE,) and content.facts.gold is None
    assert "release" not in read_manifest(report).inputs
    topics = content.section("topics")
    assert topics and topics.missing and not topics.tables


def test_made_again_the_bytes_are_the_same(run: LabellingRun, cast: Cast) -> None:
    report = made_report(cast)
    assert check_report(report=report, actor=cast.ravi, now=NOW).is_same
    cast.study.name = "Kinder words"
    cast.study.save()
    report.refresh_from_db()
    changed = check_report(report=report, actor=cast.ravi, now=NOW)
    assert "input facts" in changed.differing and REPORT in changed.differing
    assert not changed.is_same and report.checks.count() == 2
    second = made_report(cast, title="Another")
    assert second.number == 2 and report.folder.exists()


def test_only_the_sections_that_were_asked_for(run: LabellingRun, cast: Cast) -> None:
    content = decode_report((made_report(cast).folder / REPORT).read_bytes())
    assert [section.name for section in content.sections] == ["overall"]
    with pytest.raises(UnknownSections, match="nonsense"):
        made_report(cast, sections=["nonsense"])


def test_marked_sentences_are_read_from_the_corpus_and_scored_by_a_lexicon(
    run: LabellingRun, cast: Cast
) -> None:
    lexicon = {"name": "mine.csv", "categories": ["work"], "scores": {"work": [1.0], "boss": [1.0]}}
    report = made_report(cast, sections=["marked-sentences"], lexicon=lexicon)
    content = decode_report((report.folder / REPORT).read_bytes())
    tables = {table.name: table for table in content.tables}
    found = marked_passages(run)
    assert {name for name in tables if name.startswith("lexicon-")} == {
        f"lexicon-{each.code}" for each in found
    }
    for passages in found:
        table = tables[f"lexicon-{passages.code}"]
        n_marked = int(passages.is_marked.sum())
        assert f"{n_marked:,} sentences that are marked" in table.caption and [
            row.label for row in table.rows
        ] == ["work"]
    assert check_report(report=report, actor=cast.rosa, now=NOW).is_same


def test_what_cannot_be_made_leaves_nothing_behind(run: LabellingRun, cast: Cast) -> None:
    with pytest.raises(UnknownTopics, match="elsewhere"):
        made_report(cast, topics={"elsewhere": "What"})
    with pytest.raises(CannotBeJoined, match="No topic is given for manners"):
        made_report(cast, topics={"NineToFive": "Work"})
    shard = run.files.labels_of(0)
    content = shard.read_bytes()
    shard.write_bytes(content + b" ")
    with pytest.raises(LabelsChanged, match="00000"):
        made_report(cast)
    shard.write_bytes(content)
    LabellingRun.objects.filter(pk=run.pk).update(
        state=LabellingState.PAUSED, output_hash="", finished_at=None
    )
    with pytest.raises(RunNotFinished):
        made_report(cast)
    assert not Report.objects.exists()
    assert [path.name for path in reports_folder(cast.study).iterdir()] == [".lock"]


def test_a_corpus_that_was_changed_since_is_refused(run: LabellingRun, cast: Cast) -> None:
    LabellingRun.objects.filter(pk=run.pk).update(corpus_state="another state")
    with pytest.raises(CorpusChanged, match="label it again"):
        made_report(cast)


def test_a_community_that_came_since_does_no_harm(run: LabellingRun, cast: Cast) -> None:
    LabellingRun.objects.filter(pk=run.pk).update(created_at=timezone.now())
    report = made_report(cast)
    later = dump_import(
        "reddit",
        submissions=["SmallTalkClub.submissions.ndjson"],
        comments=["SmallTalkClub.comments.ndjson"],
        cutoff=date(2023, 1, 1),
    )
    import_demo(run.corpus, later, cast.rosa)
    assert check_report(report=report, actor=cast.rosa, now=NOW).is_same


def test_a_report_is_never_rewritten_and_a_changed_file_is_noticed(run: LabellingRun, cast: Cast) -> None:
    report = made_report(cast)
    with pytest.raises(DatabaseError, match="never change"), transaction.atomic():
        Report.objects.update(title="Other")
    (report.folder / REPORT).write_bytes(b"{}")
    (report.folder / "stray.txt").write_text("hello")
    assert problems_of(report) == ["stray.txt does not belong here", "report.json was changed"]


@pytest.mark.slow
def test_every_section_can_be_chosen(run: LabellingRun, cast: Cast) -> None:
    """The names that the form offers are those that a report has, in its order."""
    content = read_content(made_report(cast, sections=[]))
    assert [section.name for section in content.sections] == list(section_titles())
    assert {section.name: section.title for section in content.sections} == section_titles()


def test_a_deleted_study_leaves_no_report_and_no_labels(run: LabellingRun, cast: Cast) -> None:
    report = made_report(cast)
    check_report(report=report, actor=cast.rosa, now=NOW)
    homes = [report.folder.parent, run.folder.parent, run.adapter.folder.parent]
    assert all(home.exists() for home in homes)
    erase_study(study=cast.study)
    assert not any(home.exists() for home in homes) and not Report.objects.exists()


def test_the_version_is_that_of_the_project() -> None:
    project = Path(__file__).parents[4] / "pyproject.toml"
    assert tomllib.loads(project.read_text())["project"]["version"] == VERSION
