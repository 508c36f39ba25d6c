"""The codebooks we ship have the themes their studies need and wording an annotator can work with."""

from itertools import combinations, pairwise

import pytest

from codebook.schema import AnswerKind, Code, Evidence, Part
from codebook.shipped import UnknownCodebookError, load_shipped, shipped_codebooks

EVERY_CODE = [
    (name, code) for name in shipped_codebooks() for _, code in load_shipped(name).coded_questions()
]
DARK_TEXT = "#1f2430"
DISTINCT = 12.0  # in CIELAB; about 2 is the least that a trained eye can tell apart


def test_empathy_practices_has_six_and_seven_themes_in_their_groups() -> None:
    questions = load_shipped("empathy-practices").questions
    assert [(entry.part, entry.category, len(entry.codes)) for entry in questions] == [
        (Part.POST, "Request", 4),
        (Part.POST, "Self-disclosure", 2),
        (Part.REPLY, "Emotional empathy", 2),
        (Part.REPLY, "Cognitive empathy", 2),
        (Part.REPLY, "Empathic concern", 3),
    ]
    assert {(entry.answer, entry.evidence) for entry in questions} == {(AnswerKind.TICK, Evidence.REQUIRED)}


def test_what_a_post_asks_for_can_be_answered() -> None:
    codebook = load_shipped("empathy-practices")
    open_ended = [
        code.id for entry in codebook.questions_on(Part.POST) for code in entry.codes if not code.answered_by
    ]
    # A fact about oneself asks for nothing.
    assert open_ended == ["sharing-personal-information"]


def test_the_other_three_have_the_answers_their_studies_use() -> None:
    epitome, cause, ratings = (
        load_shipped(name) for name in ("epitome", "empathy-cause", "construct-ratings")
    )
    assert [[level.label for level in entry.levels] for entry in epitome.questions] == [
        ["None", "Weak", "Strong"]
    ] * 3
    assert [entry.answer for entry in cause.questions] == [AnswerKind.SENTENCES]
    assert [[level.value for level in entry.levels] for entry in ratings.questions] == [[1, 2, 3, 4, 5]] * 3
    assert ratings.parts == (Part.POST,)


@pytest.mark.parametrize(("name", "code"), EVERY_CODE, ids=lambda value: getattr(value, "id", value))
def test_each_code_is_explained(name: str, code: Code) -> None:
    assert 2 <= len(code.applies) <= 3
    assert 2 <= len(code.not_applies) <= 3
    assert 2 <= len(code.examples_for) <= 4
    assert 1 <= len(code.examples_against) <= 3
    assert all(example.why for example in code.examples_against)
    assert code.definition.endswith(".")


@pytest.mark.parametrize("name", shipped_codebooks())
def test_colours_can_be_told_apart_and_carry_dark_text(name: str) -> None:
    colours = [code.colour for _, code in load_shipped(name).coded_questions()]
    for one, other in combinations(colours, 2):
        distance = sum((a - b) ** 2 for a, b in zip(lab(one), lab(other), strict=True)) ** 0.5
        assert distance > DISTINCT, (one, other)
    for colour in colours:
        light, dark = luminance(colour), luminance(DARK_TEXT)
        assert (light + 0.05) / (dark + 0.05) > 4.5, colour


def test_examples_are_not_used_twice() -> None:
    texts = sorted(
        example.text for _, code in EVERY_CODE for example in (*code.examples_for, *code.examples_against)
    )
    assert [one for one, other in pairwise(texts) if one == other] == []


def test_an_unknown_name_lists_what_there_is() -> None:
    with pytest.raises(UnknownCodebookError, match="choose from construct-ratings"):
        load_shipped("../secrets")


def linear(colour: str) -> list[float]:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def lab(colour: str) -> tuple[float, float, float]:
    """CIE 1976 L*a*b* under D65, as sRGB defines it."""
    red, green, blue = linear(colour)
    white = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
        luminance(colour),
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
    )
    x, y, z = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in white)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)
