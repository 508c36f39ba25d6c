"""What annotators and researchers read says what is wrong and what to do."""

import pytest

from annotation.answers import ItemText
from annotation.label_studio.decoding import decode_results
from annotation.problems import Problem, ProblemKind
from codebook.shipped import load_shipped

PRACTICES = load_shipped("empathy-practices")
EPITOME = load_shipped("epitome")
ITEM = ItemText("i1", "Tired", "I need help now.", "I feel with you.")
POST_ONLY = ItemText("i2", "Tired", "I need help now.", None)
REPAIR = (
    "This is for a researcher: repair the batch on the sync page, then ask for the item to be done again."
)
ADVICE = next(code.name for _, code in PRACTICES.coded_questions() if code.id == "asking-advice")
REQUESTS = PRACTICES.questions[0].text
GUESSES = next(code.name for _, code in EPITOME.coded_questions() if code.id == "interpretations")

Row = dict[str, object]


def choices(name: str, *chosen: str, to_name: str = "post") -> Row:
    return {"type": "choices", "from_name": name, "to_name": to_name, "value": {"choices": list(chosen)}}


def mark(name: str, start: object, end: object, *labels: str, to_name: str = "post") -> Row:
    value = {"start": start, "end": end, "labels": list(labels)}
    return {"type": "labels", "from_name": name, "to_name": to_name, "value": value}


TICK = choices("ticks_requests", "asking-advice")
HIGHLIGHT = mark("span_asking-advice", 2, 6, "asking-advice")
OTHER_LEVELS = [
    choices(f"level_{code}_0", "0", to_name="reply_0") for code in ("emotional-reactions", "explorations")
]


def guesses(*chosen: str) -> Row:
    return choices("level_interpretations_0", *chosen, to_name="reply_0")


def comment(*text: str) -> Row:
    return {"type": "textarea", "from_name": "comment", "to_name": "post", "value": {"text": list(text)}}


@pytest.mark.parametrize(
    ("rows", "kind", "subject", "message"),
    [
        (
            [TICK],
            ProblemKind.MISSING_EVIDENCE,
            "asking-advice",
            f"You ticked “{ADVICE}” but highlighted nothing for it: select the words and press the label.",
        ),
        (
            [HIGHLIGHT],
            ProblemKind.ORPHAN_SPAN,
            "asking-advice",
            f"You highlighted words for “{ADVICE}” but did not tick it: tick the box, or delete the highlight.",
        ),
        (
            [TICK, HIGHLIGHT, mark("span_asking-advice", 2, 99, "asking-advice")],
            ProblemKind.BAD_OFFSETS,
            "asking-advice",
            f"A highlight for “{ADVICE}” does not lie on any words of the post: "
            "delete the highlight, select the words again and press the label.",
        ),
        (
            [TICK, mark("span_asking-advice", 2, 6)],
            ProblemKind.UNKNOWN_CODE,
            "asking-advice",
            f"A highlight for “{ADVICE}” does not carry that label alone: "
            f"delete the highlight, select the words again and press the label “{ADVICE}”.",
        ),
        (
            [TICK, choices("ticks_requests"), HIGHLIGHT],
            ProblemKind.CONTRADICTION,
            "requests",
            f"There is more than one answer to “{REQUESTS}”: choose again, so that only what you mean is chosen.",
        ),
        (
            [comment("this"), comment("that")],
            ProblemKind.CONTRADICTION,
            "comment",
            "There is more than one answer to “What are you unsure about?”: "
            "choose again, so that only what you mean is chosen.",
        ),
        (
            [{"type": "relation", "from_id": "a", "to_id": "b"}],
            ProblemKind.UNKNOWN_CONTROL,
            "relation",
            "You linked two highlights with a relation, which this study does not use: delete the relation.",
        ),
    ],
)
def test_an_annotator_reads_what_to_do(
    rows: list[Row], kind: ProblemKind, subject: str, message: str
) -> None:
    found = decode_results(PRACTICES, ITEM, rows).problems
    assert found == (Problem(kind, subject, message, fixable=True),)


@pytest.mark.parametrize(
    ("rows", "kind", "message"),
    [
        (
            [],
            ProblemKind.UNANSWERED,
            f"You did not answer for “{GUESSES}”: choose one of its answers.",
        ),
        (
            [guesses("1")],
            ProblemKind.MISSING_EVIDENCE,
            f"You chose “Weak” for “{GUESSES}” but highlighted nothing for it: select the words and press the label.",
        ),
        (
            [guesses("0"), mark("span_interpretations_0", 2, 6, "interpretations", to_name="reply_0")],
            ProblemKind.ORPHAN_SPAN,
            f"You highlighted words for “{GUESSES}” but chose “None”: choose another answer, or delete the highlight.",
        ),
        (
            [guesses("1", "2")],
            ProblemKind.CONTRADICTION,
            f"There is more than one answer to “{GUESSES}”: choose again, so that only what you mean is chosen.",
        ),
    ],
)
def test_levels_are_called_by_their_labels(rows: list[Row], kind: ProblemKind, message: str) -> None:
    found = decode_results(EPITOME, ITEM, [*rows, *OTHER_LEVELS]).problems
    assert found == (Problem(kind, "interpretations", message, fixable=True),)


@pytest.mark.parametrize(
    ("sent", "kind", "subject", "message"),
    [
        (
            None,
            ProblemKind.UNREADABLE,
            "",
            "The answers of this item are not in the form that Label Studio sends.",
        ),
        (
            [comment("this"), 7],
            ProblemKind.UNREADABLE,
            "row 2",
            "Answer 2 of this item is not in the form that Label Studio sends.",
        ),
        (
            [{"type": "taxonomy\x00"}],
            ProblemKind.UNKNOWN_CONTROL,
            "taxonomy\\x00",
            "There is an answer of the type “taxonomy\\x00”, which our interface does not ask for.",
        ),
        (
            [choices("ticks_gone")],
            ProblemKind.UNKNOWN_CONTROL,
            "ticks_gone",
            "There is an answer to “ticks_gone”, which this edition of the codebook does not ask for.",
        ),
        (
            [choices("ticks_requests", "gone")],
            ProblemKind.UNKNOWN_CODE,
            "requests",
            f"“gone” was chosen for “{REQUESTS}”, but the codebook has no such answer to it.",
        ),
        (
            [choices("flag", "discuss", to_name="reply_0")],
            ProblemKind.WRONG_TEXT,
            "flag",
            "The answer to “I am not sure: discuss” points at “reply_0”, but it belongs to the post.",
        ),
        (
            [choices("ticks_cognitive-empathy_0", to_name="reply_0")],
            ProblemKind.HIDDEN_PART,
            "cognitive-empathy",
            f"“{PRACTICES.questions[3].text}” was answered, but this item has no reply.",
        ),
    ],
)
def test_a_researcher_reads_what_an_annotator_cannot_mend(
    sent: object, kind: ProblemKind, subject: str, message: str
) -> None:
    found = decode_results(PRACTICES, POST_ONLY, sent).problems
    assert found == (Problem(kind, subject, f"{message} {REPAIR}", fixable=False),)
