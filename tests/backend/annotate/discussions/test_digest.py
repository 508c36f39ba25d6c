"""The digest gathers flags by code, and its files carry no text of a post unless asked."""

from __future__ import annotations

import csv
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from backend.annotate.batches.models import Batch
from backend.annotate.discussions.digest import digest
from backend.annotate.discussions.digest_exports import digest_csv, digest_markdown
from backend.annotate.discussions.models import Discussion, DiscussionState
from backend.annotate.discussions.services import follow_flag, reply, settle
from codebook.schema import Part
from tests.backend.annotate.discussions.fixtures import POST, Bench, minutes

ADVICE, SIMILAR, EXPERIENCE = "asking-advice", "seeking-similar-experiences", "similar-experience"


@pytest.fixture
def batch(bench: Bench) -> Batch:
    """Amal doubts one item with two codes, Bea one with none; one flag was taken back."""
    batch, cast = bench.batch(), bench.cast
    first = bench.assign(batch, cast.amal, bench.item("one"))
    bench.hand_in(
        first,
        flag="=Is this *one* request?",
        judgments={ADVICE: 1, SIMILAR: 1},
        spans=[(ADVICE, Part.POST, 27, 54)],
    )
    second = bench.assign(batch, cast.bea, bench.item("two", reply=None))
    bench.hand_in(second, flag="", judgments={ADVICE: 0})
    third = bench.assign(batch, cast.chen, bench.item("three"))
    bench.hand_in(third, flag="Never mind")
    follow_flag(assigned_item=third, is_flagged=False, comment="", now=minutes(1))
    discussion = Discussion.objects.get(assigned_item=first)
    reply(discussion=discussion, author=cast.rosa, body="Whom does it ask?", now=minutes(1))
    settle(
        discussion=discussion,
        actor=cast.rosa,
        reason="It asks readers.",
        proposed_code=ADVICE,
        proposed_change="Name the readers.",
        now=minutes(2),
    )
    return batch


def test_flags_are_told_once_under_the_first_code_found(batch: Batch) -> None:
    found = digest(batch)
    groups = [
        (group.code.id if group.code else None, len(group.entries), len(group.elsewhere))
        for group in found.groups
    ]
    assert groups == [(ADVICE, 1, 0), (SIMILAR, 0, 1), (None, 1, 0)]
    assert (len(found.entries), found.unsettled, found.withdrawn) == (2, 1, 1)


def test_an_entry_tells_comment_discussion_and_end(batch: Batch) -> None:
    (entry,) = digest(batch).groups[0].entries
    assert (entry.annotator, entry.comment, entry.state) == (
        "Amal",
        "=Is this *one* request?",
        DiscussionState.SETTLED,
    )
    assert [(said.author, said.body) for said in entry.sayings] == [("Rosa", "Whom does it ask?")]
    assert (entry.reason, entry.settled_by) == ("It asks readers.", "Rosa")
    assert (entry.proposed_code, entry.proposed_change) == (
        "Asking for advice or opinions",
        "Name the readers.",
    )
    marked = [passage.text for text in entry.texts for passage in text.passages if passage.codes]
    assert marked == [POST[27:54]]


@pytest.mark.parametrize("with_text", [False, True])
def test_files_hold_texts_only_when_asked(batch: Batch, with_text: bool) -> None:
    found = digest(batch)
    for written in (
        digest_csv(found, with_text=with_text),
        digest_markdown(found, with_text=with_text),
    ):
        assert ("baked a cake" in written) is with_text
        assert ("I shouted at my son" in written) is with_text
        assert "It asks readers." in written
        assert "amal" not in written


def test_a_spreadsheet_runs_nothing(batch: Batch) -> None:
    rows = {
        row["annotator"]: row for row in csv.DictReader(StringIO(digest_csv(digest(batch), with_text=True)))
    }
    assert rows["Amal"]["comment"] == "'=Is this *one* request?"
    assert rows["Amal"]["codes"].startswith("Asking for advice or opinions; Seeking similar")
    assert (rows["Bea"]["state"], rows["Bea"]["reply_text"]) == ("open", "")


def test_markdown_is_literal(batch: Batch) -> None:
    written = digest_markdown(digest(batch), with_text=False)
    assert "**Amal is not sure:** =Is this \\*one\\* request?" in written
    assert "**Bea is not sure:** (no comment)" in written
    assert "**Proposed for Asking for advice or opinions:** Name the readers." in written


def test_the_page_abridges_what_was_not_marked(bench: Bench) -> None:
    long = "word " * 300 + "MARKED" + " more" * 300
    assigned = bench.assign(bench.batch(), bench.cast.amal, bench.item("long", post=long))
    bench.hand_in(assigned, flag="?", judgments={ADVICE: 1}, spans=[(ADVICE, Part.POST, 1500, 1506)])
    (entry,) = digest(assigned.assignment.batch).entries
    excerpt = entry.excerpts[0]
    assert [passage.text for passage in excerpt.passages if passage.codes] == ["MARKED"]
    assert excerpt.words.count("[…]") == 2
    assert len(excerpt.words) < 1100 < len(entry.texts[0].words)


def test_the_command_prints_the_same_files(batch: Batch, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("digest", "kind-words", "Batch 1")
    assert capsys.readouterr().out == digest_markdown(digest(batch), with_text=False)
    call_command("digest", "kind-words", "Batch 1", "--format", "csv", "--text")
    assert capsys.readouterr().out == digest_csv(digest(batch), with_text=True)
    with pytest.raises(CommandError, match="It has: 'Batch 1'"):
        call_command("digest", "kind-words", "Batch 9")
