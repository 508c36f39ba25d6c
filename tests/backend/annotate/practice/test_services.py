"""Gold is written, changed, imported, carried over and deleted; each change leaves a line, a repetition none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.problems import ProblemKind
from backend.annotate.batches.candidates import golden_items
from backend.annotate.batches.models import BatchState
from backend.annotate.practice.entries import GoldEntry, read_entry
from backend.annotate.practice.errors import (
    ForeignEdition,
    GoldFileRefused,
    GoldInUse,
    GoldRefused,
    NoGold,
)
from backend.annotate.practice.models import GoldAnswer
from backend.annotate.practice.selectors import latest_older_gold
from backend.annotate.practice.services import (
    ImportedGold,
    carry_over,
    carry_over_all,
    delete_gold,
    import_gold,
    write_gold,
)
from backend.core.studies.models import Study
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from backend.design.codebooks.services import add_edition
from backend.design.samples.selectors import item_text
from codebook.shipped import shipped_path
from tests.backend.annotate.practice.fixtures import (
    GOLD,
    PRACTICES,
    Practice,
    add_codebook,
    add_gold,
    add_item,
    with_value,
)
from tests.backend.annotate.practice.reading import gold_of, reasons_of
from tests.cast import NOW, Cast

FILE = """\
item-1:
  codes:
    asking-advice: {ticked: true, quotes: ["What should I do?"], why: A question.}
item-2:
  codes:
    sharing-emotions: {ticked: true, quotes: [cried]}
"""


def lines(study: Study) -> list[str]:
    return list(study.events.order_by("pk").values_list("summary", flat=True))


def import_file(cast: Cast, edition: Edition, source: str) -> ImportedGold:
    return import_gold(
        study=cast.study, edition=edition, source=source, file_name="gold.yaml", actor=cast.rosa, now=NOW
    )


def new_edition(cast: Cast, old: str, new: str) -> Edition:
    source = shipped_path("empathy-practices").read_text()
    assert source.count(old) == 1
    return add_edition(
        study=cast.study,
        source=source.replace(old, new),
        file_name="c.yaml",
        note="Second",
        actor=cast.rosa,
        now=NOW,
    )


def test_gold_is_written_and_changed_and_every_change_leaves_a_line(cast: Cast) -> None:
    edition, item = add_codebook(cast), add_item(cast)
    before = len(lines(cast.study))
    add_gold(cast, item, edition)
    add_gold(cast, item, edition)
    add_gold(cast, item, edition, replace(GOLD, remark="Other"))
    assert lines(cast.study)[before:] == [
        "Wrote the gold answer of item item-1",
        "Changed the gold answer of item item-1",
    ]
    reasons = reasons_of(item, edition)
    assert reasons is not None
    assert reasons.remark == "Other"
    assert list(golden_items(cast.study, edition)) == [item]


def test_unsound_gold_is_refused_and_nothing_is_written(cast: Cast) -> None:
    edition, item = add_codebook(cast), add_item(cast)
    reading = read_entry(PRACTICES, item_text(item), GOLD)
    answers = with_value(reading.answers, "seeking-calibration", 1)
    with pytest.raises(GoldRefused, match="needs evidence") as refused:
        write_gold(
            item=item, edition=edition, answers=answers, reasons=reading.reasons, actor=cast.rosa, now=NOW
        )
    assert [problem.kind for problem in refused.value.problems] == [ProblemKind.MISSING_EVIDENCE]
    assert not GoldAnswer.objects.exists()


def test_an_edition_of_another_study_is_refused(cast: Cast) -> None:
    item = add_item(cast)
    source = shipped_path("empathy-practices").read_text()
    foreign = add_edition(
        study=cast.other_study, source=source, file_name="c.yaml", note="Theirs", actor=cast.otto, now=NOW
    )
    with pytest.raises(ForeignEdition):
        add_gold(cast, item, foreign)
    with pytest.raises(ForeignEdition):
        import_file(cast, foreign, FILE)


def test_gold_is_deleted_unless_somebody_practises_on_it(practice: Practice) -> None:
    item, edition, rosa = practice.items[0], practice.edition, practice.cast.rosa
    with pytest.raises(GoldInUse, match="Practice 1"):
        delete_gold(item=item, edition=edition, actor=rosa, now=NOW)
    practice.batch.state = BatchState.CLOSED
    practice.batch.save()
    delete_gold(item=item, edition=edition, actor=rosa, now=NOW)
    assert gold_of(item, edition) is None
    assert lines(practice.cast.study)[-1] == "Deleted the gold answer of item item-1"
    with pytest.raises(NoGold):
        delete_gold(item=item, edition=edition, actor=rosa, now=NOW)


def test_a_file_is_imported_once_however_often(cast: Cast) -> None:
    edition = add_codebook(cast)
    for number in (1, 2):
        add_item(cast, f"item-{number}")
    assert import_file(cast, edition, FILE).summary == "2 added, 0 changed, 0 as they were"
    events = lines(cast.study)
    assert events[-1] == "Imported gold answers from gold.yaml: 2 added, 0 changed, 0 as they were"
    assert import_file(cast, edition, FILE).unchanged == 2
    assert lines(cast.study) == events
    changed = import_file(cast, edition, FILE.replace("A question.", "It asks."))
    assert (changed.added, changed.changed, changed.unchanged) == (0, 1, 1)


def test_a_file_with_problems_leaves_nothing_and_names_them_all(cast: Cast) -> None:
    edition = add_codebook(cast)
    add_item(cast, "item-1")
    bad = FILE + "item-3:\n  codes: {kindness: {ticked: true}}\nitem-1: {}\n"
    add_item(cast, "item-3")
    with pytest.raises(GoldFileRefused) as refused:
        import_file(cast, edition, bad)
    found = [(problem.line, problem.item) for problem in refused.value.problems]
    assert found == [(4, "item-2"), (7, "item-3"), (9, "item-1")]
    assert "no such item" in str(refused.value)
    assert "kindness" in str(refused.value)
    assert not GoldAnswer.objects.exists()


def test_a_quote_that_occurs_twice_is_told_with_its_line(cast: Cast) -> None:
    edition = add_codebook(cast)
    add_item(cast, "item-1", post="no, no.")
    source = "item-1:\n  codes: {sharing-emotions: {quotes: ['no']}}\n"
    imported = import_file(cast, edition, source)
    assert imported.notes[0].startswith("Line 1, item item-1: “Sharing emotions”: “no” occurs 2 times")


def test_gold_goes_over_to_an_edition_that_still_asks_the_same(cast: Cast) -> None:
    first, item = add_codebook(cast), add_item(cast)
    add_gold(cast, item, first)
    second = new_edition(cast, "name: Sharing emotions", "name: Sharing feelings")
    assert [row.item for row in latest_older_gold(cast.study, second)] == [item]
    carry_over(item=item, edition=second, actor=cast.ravi, now=NOW)
    assert gold_of(item, second) == gold_of(item, first)
    assert reasons_of(item, second) == reasons_of(item, first)
    assert latest_older_gold(cast.study, second) == []


def test_a_code_that_is_gone_stays_behind(cast: Cast) -> None:
    first, item = add_codebook(cast), add_item(cast)
    add_gold(cast, item, first)
    source = shipped_path("empathy-practices").read_text()
    start, end = source.index("      - id: sharing-emotions"), source.index("  - id: emotional-empathy")
    second = new_edition(cast, source[start:end], "")
    carried = carry_over_all(study=cast.study, edition=second, actor=cast.rosa, now=NOW)
    assert (carried.items, carried.left) == (1, ())
    gold = gold_of(item, second)
    assert gold is not None
    assert "sharing-emotions" not in {judgment.code_id for judgment in gold.judgments}
    reasons = reasons_of(item, second)
    assert reasons is not None
    assert "sharing-emotions" not in reasons.by_code


def test_a_new_code_is_nobodys_to_guess(cast: Cast) -> None:
    first, item = add_codebook(cast), add_item(cast)
    add_gold(cast, item, first)
    second = new_edition(cast, "id: showing-interest", "id: showing-curiosity")
    with pytest.raises(GoldRefused, match="has no answer"):
        carry_over(item=item, edition=second, actor=cast.rosa, now=NOW)
    carried = carry_over_all(study=cast.study, edition=second, actor=cast.rosa, now=NOW)
    assert carried.items == 0
    assert [problem.subject for problem in carried.left[0].problems] == ["showing-curiosity"]


def test_there_must_be_something_to_carry_over(cast: Cast) -> None:
    edition, item = add_codebook(cast), add_item(cast)
    with pytest.raises(NoGold):
        carry_over(item=item, edition=edition, actor=cast.rosa, now=NOW)


def test_gold_of_an_item_without_reply_has_the_posts_codes_only(cast: Cast) -> None:
    edition, item = add_codebook(cast), add_item(cast, reply=None)
    add_gold(cast, item, edition, GoldEntry({}))
    gold = gold_of(item, edition)
    assert gold is not None
    assert [judgment.code_id for judgment in gold.judgments] == [
        code.id for question, code in codebook_of(edition).coded_questions() if question.part == "post"
    ]
