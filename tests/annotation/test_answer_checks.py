"""One set of rules for every answer that a researcher writes."""

from annotation.answer_checks import LONGEST_REASON, answer_problems, reason_problems
from annotation.answers import Answers, ItemText, Judgment, Span, canonical_answers
from annotation.problems import ProblemKind
from codebook.schema import Part
from codebook.shipped import load_shipped

PRACTICES = load_shipped("empathy-practices")
ITEM = ItemText("i", "", "I cried in the hall.", None)
CRIED = Span("sharing-emotions", Part.POST, 2, 7)


def kinds(answers: Answers, *named: str) -> list[tuple[ProblemKind, str]]:
    found = answer_problems(PRACTICES, ITEM, answers, also_named=named)
    return [(problem.kind, problem.subject) for problem in found]


def test_a_sound_answer() -> None:
    assert kinds(canonical_answers(PRACTICES, ITEM, {"sharing-emotions": 1}, [CRIED], None)) == []


def test_every_shown_code_needs_an_answer() -> None:
    found = kinds(Answers((Judgment("sharing-emotions", 1),), (CRIED,), None))
    assert {kind for kind, _ in found} == {ProblemKind.UNANSWERED}
    assert len(found) == 5


def test_codes_that_are_not_shown_or_not_known() -> None:
    sound = canonical_answers(PRACTICES, ITEM, {}, [], None)
    assert kinds(sound, "offering-advice", "nonsense") == [
        (ProblemKind.HIDDEN_PART, "offering-advice"),
        (ProblemKind.UNKNOWN_CODE, "nonsense"),
    ]


def test_a_reason_has_to_be_readable() -> None:
    assert list(reason_problems("", "Because.")) == []
    assert [problem.kind for problem in reason_problems("", "\x07" + "x" * LONGEST_REASON)] == [
        ProblemKind.UNREADABLE,
        ProblemKind.UNREADABLE,
    ]
