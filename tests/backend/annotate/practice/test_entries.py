"""What people write about an item becomes answers; what cannot be understood is named, all of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.answers import ItemText, Span
from annotation.problems import ProblemKind
from backend.annotate.practice.entries import CodeEntry, EntryReading, GoldEntry, read_entry
from codebook.schema import Codebook, Part
from codebook.shipped import load_shipped
from tests.backend.annotate.practice.fixtures import GOLD, POST, PRACTICES, REPLY

ITEM = ItemText("i", "The kettle", POST, REPLY)
CAUSE = load_shipped("empathy-cause")
EPITOME = load_shipped("epitome")


def read(codebook: Codebook = PRACTICES, item: ItemText = ITEM, **codes: CodeEntry) -> EntryReading:
    return read_entry(
        codebook, item, GoldEntry({name.replace("_", "-"): code for name, code in codes.items()})
    )


def quoted(reading: EntryReading, item: ItemText = ITEM) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for span in reading.answers.spans:
        found.setdefault(span.code_id, []).append(item.words_of(span))
    return found


def test_ticks_that_are_not_mentioned_are_not_there() -> None:
    reading = read_entry(PRACTICES, ITEM, GOLD)
    assert reading.problems == ()
    values = {judgment.code_id: judgment.value for judgment in reading.answers.judgments}
    assert len(values) == 13
    assert {code for code, value in values.items() if value} == {
        "asking-advice",
        "sharing-personal-information",
        "sharing-emotions",
        "offering-reassurance",
    }
    assert reading.reasons.by_code["emotional-resonance"] == "No feeling of the replier’s own."
    assert reading.reasons.remark == "Read the last sentence too."


def test_quotes_alone_mean_that_the_code_is_there() -> None:
    reading = read(sharing_emotions=CodeEntry(quotes=("cried",)))
    assert quoted(reading) == {"sharing-emotions": ["cried"]}
    assert reading.problems == ()


def test_words_after_an_emoji_are_counted_in_code_points() -> None:
    reading = read(sharing_personal_information=CodeEntry(quotes=("I am 42",)))
    span = reading.answers.spans[0]
    assert POST[span.start : span.end] == "I am 42"


def test_line_breaks_and_spaces_are_one_space_to_a_quote() -> None:
    item = replace(ITEM, post="I cried\n\n  a lot.")
    reading = read(item=item, sharing_emotions=CodeEntry(quotes=("I  cried a lot",)))
    assert quoted(reading, item) == {"sharing-emotions": ["I cried\n\n  a lot"]}


def test_words_on_their_own_come_before_pieces_of_words() -> None:
    item = replace(ITEM, post="I know. no! no.")
    reading = read(item=item, sharing_emotions=CodeEntry(quotes=("no",)))
    assert reading.answers.spans == (Span("sharing-emotions", Part.POST, 8, 10),)
    assert "occurs 2 times" in reading.notes[0]


def test_an_untouched_quote_stays_where_it_was() -> None:
    item = replace(ITEM, post="no, no.")
    second = Span("sharing-emotions", Part.POST, 4, 6)
    entry = GoldEntry({"sharing-emotions": CodeEntry(quotes=("no",))})
    assert read_entry(PRACTICES, item, entry, prior=(second,)).answers.spans == (second,)
    assert read_entry(PRACTICES, item, entry).answers.spans == (replace(second, start=0, end=2),)


@pytest.mark.parametrize(
    ("quote", "hint"),
    [
        ("I laughed", "is not in the post"),
        ("Cried", "is not in the post"),
        ("You'll be fine", "is in the reply"),
        ("The kettle", "is in the title"),
    ],
)
def test_a_quote_that_is_not_there_is_looked_for_elsewhere(quote: str, hint: str) -> None:
    reading = read(sharing_emotions=CodeEntry(ticked=True, quotes=(quote,)))
    assert [problem.kind for problem in reading.problems] == [ProblemKind.WRONG_TEXT]
    assert hint in reading.problems[0].message


def test_all_problems_come_at_once() -> None:
    reading = read(
        item=replace(ITEM, reply=None),
        kindness=CodeEntry(ticked=True),
        offering_advice=CodeEntry(ticked=True),
        asking_advice=CodeEntry(ticked=True),
        sharing_emotions=CodeEntry(ticked=True, quotes=("laughed",)),
        seeking_calibration=CodeEntry(value=1, ticked=False),
        seeking_emotional_support=CodeEntry(ticked=False, quotes=("cried",)),
    )
    assert {(problem.subject, problem.kind) for problem in reading.problems} == {
        ("kindness", ProblemKind.UNKNOWN_CODE),
        ("offering-advice", ProblemKind.HIDDEN_PART),
        ("asking-advice", ProblemKind.MISSING_EVIDENCE),
        ("sharing-emotions", ProblemKind.WRONG_TEXT),
        ("seeking-calibration", ProblemKind.CONTRADICTION),
        ("seeking-emotional-support", ProblemKind.ORPHAN_SPAN),
    }


def test_levels_have_to_be_given() -> None:
    reading = read(EPITOME, emotional_reactions=CodeEntry(value=1, quotes=("You'll be fine",)))
    assert [(problem.subject, problem.kind) for problem in reading.problems] == [
        ("interpretations", ProblemKind.UNANSWERED),
        ("explorations", ProblemKind.UNANSWERED),
    ]
    ticked = read(EPITOME, emotional_reactions=CodeEntry(ticked=True))
    assert "`value`" in next(p.message for p in ticked.problems if p.subject == "emotional-reactions")


def test_a_quote_marks_the_sentence_that_it_is_in() -> None:
    reading = read(CAUSE, empathy_cause=CodeEntry(quotes=("the hall",)))
    assert quoted(reading) == {"empathy-cause": ["I stood in the hall and cried."]}
    assert reading.problems == ()
    denied = read(CAUSE, empathy_cause=CodeEntry(ticked=False, quotes=("the hall",)))
    assert [problem.kind for problem in denied.problems] == [ProblemKind.CONTRADICTION]
