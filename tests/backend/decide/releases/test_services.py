"""Freezing: what goes in, what stays out and why, and that it happens once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.utils import DatabaseError

from annotation.agreement.batch import measure_batch
from annotation.agreement.files import encode
from annotation.release.read import read_release
from annotation.release.rows import LabelSource
from annotation.stored_answers import stored_answers
from backend.annotate.batches.models import BatchKind
from backend.annotate.discussions.models import Discussion, DiscussionState
from backend.annotate.practice.models import GoldAnswer
from backend.decide.adjudication.models import AdjudicationPlan
from backend.decide.agreement.inputs import batch_judgments
from backend.decide.agreement.models import AgreementReport, ReportKind
from backend.decide.releases.assembling import assemble
from backend.decide.releases.errors import NameTaken, NotAsFrozen, NothingToRelease, ReleasesBusy
from backend.decide.releases.models import Release, releases_folder
from backend.decide.releases.people import People
from backend.decide.releases.selectors import problems_of, read_frozen
from backend.decide.releases.storage import making_folder
from backend.operate.erasure.services import erase_study
from tests.backend.decide.releases.fixtures import (
    ADVICE,
    EMOTIONS,
    answer,
    asked,
    frozen,
    judged_study,
    next_edition,
    opened,
    settle,
    skip,
    spoil,
)
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW


def _left_out(work: CastAtWork, **options: object) -> dict[str, int]:
    return assemble(work.study, asked("First", **options), number=1, now=NOW).counts.left_out


def test_a_release_holds_every_label_with_its_source(work: CastAtWork) -> None:
    judged_study(work)
    settle(work, work.items[0], EMOTIONS)
    release = frozen(work)
    rows = {row.item.item_id: row for row in read_frozen(release).rows}
    assert len(rows) == 12
    assert problems_of(release) == []
    decided = {label.code: label for label in rows["item-00000"].labels}
    assert {label.source for label in decided.values()} == {LabelSource.ADJUDICATED}
    assert (decided[ADVICE].value, decided[EMOTIONS].value) == (0, 1)
    assert len(decided[ADVICE].votes) == 3
    disputed = {label.code: label for label in rows["item-00001"].labels}
    assert (disputed[EMOTIONS].value, disputed[EMOTIONS].source) == (0, LabelSource.MAJORITY)
    assert disputed[EMOTIONS].confidence == pytest.approx(2 / 3)
    assert disputed[ADVICE].source is LabelSource.AGREED
    agreed = {label.code: label for label in rows["item-00003"].labels}
    assert agreed[ADVICE].value == 1
    assert [(place.start, place.end) for place in agreed[ADVICE].evidence.snippets] == [(0, 13)]
    assert release.counts["by_source"]["adjudicated"] == 13


def test_nobody_is_named_in_the_files(work: CastAtWork) -> None:
    judged_study(work)
    settle(work, work.items[0])
    release = frozen(work)
    content = b"".join(path.read_bytes() for path in release.folder.iterdir() if path.is_file())
    cast = work.cast
    for person in (cast.amal, cast.bea, cast.chen, cast.rosa):
        assert not re.search(rb"\b%b\b" % person.username.encode(), content, re.IGNORECASE)
    assert People(work.study).pseudonym(cast.amal.pk).encode() in content
    assert People(cast.other_study).pseudonym(cast.amal.pk).encode() not in content
    assert b"Read again." not in content
    assert b"I feel lost at work" not in content


def test_what_is_not_settled_stays_out_for_its_reason(work: CastAtWork) -> None:
    cast, items = work.cast, work.items
    batch = work.batch(cast.amal, cast.bea, items=items)
    answer(work, batch, cast.amal, items[0])
    answer(work, batch, cast.amal, items[1], flag="Why?")
    skip(work, batch, cast.amal, items[2])
    skip(work, batch, cast.bea, items[2])
    spoil(work, batch, cast.amal, items[3])
    answer(work, batch, cast.amal, items[4])
    answers = stored_answers(work.answers(items[4]))
    GoldAnswer.objects.create(
        item=items[4], edition=work.edition, answers=answers, reasons={}, written_by=cast.rosa, written_at=NOW
    )
    assert _left_out(work) == {"flag": 1, "gold": 1, "quarantined": 1, "skipped": 1, "unanswered": 7}
    Discussion.objects.update(
        state=DiscussionState.SETTLED, settled_at=NOW, settled_by=cast.rosa, reason="So."
    )
    assert _left_out(work) == {"gold": 1, "quarantined": 1, "skipped": 1, "unanswered": 7}


def test_the_card_tells_of_work_in_progress_and_of_agreement(work: CastAtWork) -> None:
    cast = work.cast
    overlap = judged_study(work)
    judgments = batch_judgments(overlap)
    AgreementReport.objects.create(
        study=work.study,
        batch=overlap,
        edition=work.edition,
        kind=ReportKind.AGREEMENT,
        inputs_hash="0" * 64,
        resamples=100,
        seed=1,
        measures=encode(measure_batch(judgments, resamples=100, seed=1)).decode(),
        is_partial=False,
        measured_at=NOW,
    )
    more = work.batch(cast.amal, items=work.items[:2], kind=BatchKind.MAIN, name="More")
    card = (frozen(work).folder / "README.md").read_text()
    assert "2 items somebody else still had to judge" in card
    assert "Batch “Batch 1”, with 95% bootstrap intervals" in card
    assert "| Asking for advice or opinions | 1.00 \\[" in card
    answer(work, more, cast.amal, work.items[0])
    assert assemble(work.study, asked(), number=1, now=NOW).facts.n_unfinished == 1


def test_a_disagreement_stays_out_where_no_consensus_is_wanted(work: CastAtWork) -> None:
    judged_study(work)
    assert _left_out(work) == {}
    assert _left_out(work, consensus="none") == {"disputed": 1}
    settle(work, work.items[1])
    assert _left_out(work, consensus="none") == {}


def test_one_answer_is_not_enough_where_singles_are_not_wanted(work: CastAtWork) -> None:
    cast = work.cast
    batch = work.batch(cast.amal, items=work.items[:2], kind=BatchKind.MAIN)
    for item in work.items[:2]:
        answer(work, batch, cast.amal, item)
    settle(work, work.items[0])
    assert _left_out(work, singles=False) == {"single": 1}


def test_a_dispute_that_gets_no_label_keeps_no_item_out(work: CastAtWork) -> None:
    """The annotators differ on emotions, which are defined otherwise since."""
    judged_study(work)
    code = next(code for _, code in work.codebook.coded_questions() if code.id == EMOTIONS)
    line = next(line for line in work.edition.source.splitlines() if code.definition[:20] in line).strip()
    next_edition(work, line, line + " now")
    assert _left_out(work, consensus="none") == {"disputed": 1}
    assert _left_out(work, consensus="none", superseded="leave-out") == {}


def test_notes_of_the_method_are_in_the_manifest(work: CastAtWork) -> None:
    judged_study(work)
    manifest = read_frozen(frozen(work, asked(consensus="dawid-skene"))).manifest
    assert manifest.notes.keys() == {EMOTIONS}
    assert "Dawid–Skene" in manifest.notes[EMOTIONS]


def test_what_waits_for_a_second_round_stays_out(work: CastAtWork) -> None:
    judged_study(work)
    AdjudicationPlan.objects.create(study=work.study, second_share=1.0)
    settle(work, work.items[1])
    assert _left_out(work) == {"second-round": 1}


def test_practice_and_rechecks_make_no_labels(work: CastAtWork) -> None:
    cast = work.cast
    for number, kind in enumerate((BatchKind.PRACTICE, BatchKind.RECHECK)):
        batch = work.batch(cast.amal, items=work.items[:1], kind=kind, name=f"Batch {number}")
        answer(work, batch, cast.amal, work.items[0])
    with pytest.raises(NothingToRelease):
        frozen(work)
    assert Release.objects.count() == 0


def test_labels_under_another_definition_are_kept_weighed_or_left_out(work: CastAtWork) -> None:
    judged_study(work)
    old = _reworded(work)
    new = next_edition(work, old, old + " now")
    kept = read_frozen(frozen(work))
    advice = [label for row in kept.rows for label in row.labels if label.code == ADVICE]
    others = [label for row in kept.rows for label in row.labels if label.code == EMOTIONS]
    assert all(label.is_superseded and label.weight == 1 for label in advice)
    assert not any(label.is_superseded for label in others)
    assert kept.manifest.edition.hash == new.hash
    weighed = assemble(work.study, asked(superseded="weight", superseded_weight=0.5), number=1, now=NOW)
    assert {label.weight for row in weighed.rows for label in row.labels} == {0.5, 1.0}
    left = assemble(work.study, asked(superseded="leave-out"), number=1, now=NOW)
    assert left.counts.by_source[LabelSource.SUPERSEDED.value] == 12
    under_old = assemble(work.study, asked(edition=1), number=1, now=NOW)
    assert under_old.counts.superseded == 0
    assert under_old.edition.is_older
    assert "older codebook" in (frozen(work, asked("Old", edition=1)).folder / "README.md").read_text()
    assert "older codebook" not in (Release.objects.get(number=1).folder / "README.md").read_text()


def _reworded(work: CastAtWork) -> str:
    """The first line of a definition."""
    code = next(code for _, code in work.codebook.coded_questions() if code.id == ADVICE)
    line = next(line for line in work.edition.source.splitlines() if code.definition[:20] in line)
    return line.strip()


def test_an_answer_under_the_new_definition_replaces_the_old_one(work: CastAtWork) -> None:
    judged_study(work)
    old = _reworded(work)
    edition = next_edition(work, old, old + " now")
    cast = work.cast
    again = work.batch(cast.amal, items=work.items[:1], kind=BatchKind.MAIN, name="Again")
    again.edition = edition
    again.save()
    answer(work, again, cast.amal, work.items[0])
    row = read_frozen(frozen(work)).rows[0]
    label = next(label for label in row.labels if label.code == ADVICE)
    assert (label.value, label.source, label.n_annotators) == (0, LabelSource.SINGLE, 1)
    assert not label.is_superseded


def test_the_same_request_is_frozen_once(work: CastAtWork) -> None:
    judged_study(work)
    first = frozen(work)
    assert frozen(work) == first
    with pytest.raises(NameTaken):
        frozen(work, asked(seed=4))
    assert frozen(work, asked("Second")).number == 2
    assert Release.objects.count() == 2


def test_a_later_release_can_keep_the_parts_of_an_earlier_one(work: CastAtWork) -> None:
    judged_study(work)
    first = frozen(work)
    for item in work.items[::3]:
        settle(work, item, EMOTIONS)
    later = frozen(work, asked("Second", split_like=1, seed=99))
    parts = [{row.item.item_id: row.split for row in read_frozen(release).rows} for release in (first, later)]
    assert parts[0] == parts[1]
    assert later.request["split_like"] == first.hash
    anew = frozen(work, asked("Third", seed=99))
    assert {row.item.item_id: row.split for row in read_frozen(anew).rows} != parts[0]


def test_a_frozen_release_stays_what_it_was(work: CastAtWork) -> None:
    judged_study(work)
    release = frozen(work)
    before = {path: path.read_bytes() for path in release.folder.rglob("*") if path.is_file()}
    settle(work, work.items[3])
    assert {path: path.read_bytes() for path in release.folder.rglob("*") if path.is_file()} == before
    with pytest.raises((IntegrityError, DatabaseError)), transaction.atomic():
        Release.objects.update(name="Other")
    assert connection.vendor in ("sqlite", "postgresql")


def test_a_forged_manifest_is_found_by_the_row(work: CastAtWork) -> None:
    judged_study(work)
    first, second = frozen(work), frozen(work, asked("Second"))
    aside = first.folder.with_name("aside")
    first.folder.rename(aside)
    second.folder.rename(first.folder)
    assert [problem.partition(":")[0] for problem in problems_of(first)] == ["manifest.json"]


def test_one_release_of_a_study_is_written_at_a_time(work: CastAtWork) -> None:
    judged_study(work)
    with making_folder(work.study), pytest.raises(ReleasesBusy):
        frozen(work)
    assert frozen(work).number == 1


def test_what_a_kill_left_is_cleared_away(work: CastAtWork) -> None:
    judged_study(work)
    home = releases_folder(work.study)
    (home / ".making-x").mkdir(parents=True)
    (home / "1").mkdir()
    (home / "1" / "labels.csv").write_text("half")
    assert problems_of(frozen(work)) == []
    assert sorted(path.name for path in home.iterdir()) == [".lock", "1"]


def test_a_release_of_a_restored_database_is_put_aside(work: CastAtWork) -> None:
    """The backup was made before the release: its row is gone, and its folder is somebody's dataset."""
    judged_study(work)
    lost = frozen(work)
    Release.objects.all().delete()
    settle(work, work.items[0])
    anew = frozen(work)
    assert (anew.number, problems_of(anew)) == (1, [])
    aside = anew.folder.with_name(f"aside-{lost.hash}")
    assert read_release(aside).manifest.hash == lost.hash
    Release.objects.all().delete()
    assert frozen(work).hash == anew.hash
    assert sorted(path.name for path in anew.folder.parent.iterdir()) == [".lock", "1", aside.name]


def test_frozen_files_are_for_reading_only(work: CastAtWork) -> None:
    judged_study(work)
    folder = frozen(work).folder
    for path in (folder, *folder.rglob("*")):
        assert path.stat().st_mode & 0o777 == (0o555 if path.is_dir() else 0o444)


def test_parts_are_never_taken_from_a_changed_release(work: CastAtWork) -> None:
    judged_study(work)
    release = frozen(work)
    items = opened(release) / "items.jsonl"
    items.write_text(items.read_text().replace('"split":"test"', '"split":"train"'))
    with pytest.raises(NotAsFrozen, match="Restore its folder"):
        frozen(work, asked("Second", split_like=1))
    second = frozen(work, asked("Second"))
    opened(release).rename(release.folder.with_name("old"))
    second.folder.rename(release.folder)
    with pytest.raises(NotAsFrozen, match="another release"):
        read_frozen(release)


def test_an_erased_study_leaves_no_release(work: CastAtWork, releases_dir: Path) -> None:
    judged_study(work)
    folder = frozen(work).folder
    assert folder.is_dir()
    erase_study(study=work.study)
    assert list(releases_dir.iterdir()) == []
