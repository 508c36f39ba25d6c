"""A researcher who writes a codebook by hand must learn everything that is wrong, and where, in one go."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codebook.loader import load_codebook, parse_codebook
from codebook.node_reader import MAX_PROBLEMS
from codebook.problems import CodebookError, Problem
from codebook.schema import AnswerKind, Evidence, Part
from codebook.yaml_tree import MAX_BYTES
from tests.examples import examples

GOOD = """\
name: small-talk
title: Small talk
description: What people say first.
language: en
parts: [post, reply]
questions:
  - id: openings
    part: reply
    category: Opening
    text: How does the reply open?
    answer: tick
    evidence: optional
    codes:
      - id: greeting
        name: Greeting
        definition: A word of welcome.
        applies: [It opens the reply.]
        not_applies: [It closes the reply.]
        examples:
          for: [Hello there]
          against:
            - {text: Bye, why: It closes.}
        hotkey: 1
        colour: "#8FB8DE"
"""


def problems_of(text: str) -> tuple[Problem, ...]:
    with pytest.raises(CodebookError) as caught:
        parse_codebook(text, source="small.yaml")
    return caught.value.problems


def problem_of(old: str, new: str) -> Problem:
    assert old in GOOD
    (problem,) = problems_of(GOOD.replace(old, new, 1))
    return problem


def test_reads_a_good_file() -> None:
    codebook = parse_codebook(GOOD, source="small.yaml")
    (question,) = codebook.questions
    (code,) = question.codes
    assert (question.part, question.answer, question.evidence) == (
        Part.REPLY,
        AnswerKind.TICK,
        Evidence.OPTIONAL,
    )
    assert question.context == (Part.POST,)
    assert (code.hotkey, code.colour) == ("1", "#8fb8de")
    assert code.examples_against[0].why == "It closes."


def test_plain_words_that_yaml_takes_for_something_else_stay_text() -> None:
    codebook = parse_codebook(GOOD.replace("name: Greeting", "name: Yes"), source="small.yaml")
    assert codebook.questions[0].codes[0].name == "Yes"


def test_an_error_prints_file_line_what_is_wrong_and_what_would_be_right() -> None:
    with pytest.raises(CodebookError) as caught:
        parse_codebook(GOOD.replace("evidence: optional", "evidence: optionl"), source="small.yaml")
    expected = (
        "small.yaml:12: `evidence` is 'optionl'; allowed: required, optional, none (did you mean optional?)"
    )
    assert str(caught.value) == expected


@pytest.mark.parametrize(
    ("old", "new", "line", "wrong", "right"),
    [
        ("title: Small talk", "title: [a]", 2, "`title` is a list", "write a text"),
        ("title: Small talk", "title:", 2, "`title` is empty", "write a text"),
        ("title: Small talk", 'title: "a\\0"', 2, "control character U+0000", "remove it"),
        ("name: small-talk", "name: Small Talk", 1, "`name` is 'Small Talk'", "small letters"),
        ("language: en", "language: English", 4, "`language` is 'English'", "language code"),
        ("parts: [post, reply]", "parts: [post, replay]", 5, "`part", "allowed: post, reply"),
        ("[post, reply]", "[post, reply, post]", 5, "listed twice", "once"),
        ("[post, reply]", "[reply]", 5, "never shown without its post", "list both"),
        ("[post, reply]", "[post]", 8, "not among the codebook's `parts`", "add it to `parts`"),
        ("part: reply", "part: reply\n    context: [reply]", 9, "judges the reply itself", "other parts"),
        ("answer: tick", "answer: ticks", 11, "`answer` is 'ticks'", "did you mean tick?"),
        ("answer: tick", "answer: scale\n    levels: 3", 12, "`levels` is a single text", "list"),
        ("    evidence: optional\n", "", 7, "has no `evidence`", "required, optional, none"),
        ("evidence: optional", "evidence: none\n    levels: []", 13, "tick has no levels", "remove them"),
        ("[It opens the reply.]", "[]", 17, "`applies` is an empty list", "at least one"),
        ("[It opens the reply.]", "It opens", 17, "`applies` is a single text", "write a list"),
        ("hotkey: 1", "hotkey: 12", 23, "`hotkey` is '12'", "write one key"),
        ("hotkey: 1", "hotkey: A", 23, "'A' cannot be used", "small letter"),
        ("hotkey: 1", "hotkey: u", 23, "Label Studio unselects", "another key"),
        ("hotkey: 1", "hotkey: n", 23, "I am not sure", "another key"),
        ('"#8FB8DE"', "#8FB8DE", 24, "`colour` is empty", "in quotes"),
        ('"#8FB8DE"', "blue", 24, "`colour` is 'blue'", "six hexadecimal digits"),
        ("definition: A", "definitoin: A", 14, "has no `definition`", "add `definition:`"),
        ("why: It closes.", "whi: It closes.", 22, "has no `why`", "add `why:`"),
    ],
)
def test_names_the_line_and_the_cure(old: str, new: str, line: int, wrong: str, right: str) -> None:
    assert old in GOOD
    found = problems_of(GOOD.replace(old, new, 1))
    assert any(
        problem.line == line and wrong in problem.wrong and right in problem.right for problem in found
    ), found


def test_a_misspelt_key_suggests_the_nearest() -> None:
    found = problems_of(GOOD.replace("colour:", "color:"))
    assert [problem.line for problem in found] == [14, 24]
    assert found[1].wrong == "the key `color` is not known"
    assert found[1].right == "did you mean `colour`?"


def test_a_repeated_key_is_an_error() -> None:
    assert problem_of("title: Small talk", "title: A\ntitle: B").wrong == "the key `title` appears twice"


def test_two_codes_share_nothing_that_must_be_unique() -> None:
    twice = GOOD + GOOD[GOOD.index("      - id: greeting") :]
    kinds = [problem.wrong.split(" '")[0] for problem in problems_of(twice)]
    assert kinds == ["the code id", "the code name", "the hotkey", "the colour"]
    assert "in line 23" in next(problem.wrong for problem in problems_of(twice) if "hotkey" in problem.wrong)


LEVELS = """\
answer: levels
    levels:
      - {value: 0, label: None, definition: Not there., absent: true}
      - {value: 1, label: Weak, definition: A little.}
"""


def test_levels_take_one_key_each() -> None:
    text = GOOD.replace("answer: tick\n", LEVELS).replace("hotkey: 1", "hotkey: ab")
    question = parse_codebook(text, source="small.yaml").questions[0]
    assert [level.value for level in question.levels] == [0, 1]
    assert not question.asks_evidence_at(question.levels[0])
    assert question.asks_evidence_at(question.levels[1])


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("value: 1", "value: 2", "level 2 follows level 0"),
        ("value: 1", "value: one", "`value` is 'one'"),
        ("label: Weak", "label: None", "the label 'None' appears twice"),
        ("A little.}", "A little., absent: true}", "level 1 is `absent`"),
        ("absent: true", "absent: perhaps", "`absent` is 'perhaps'"),
        ("answer: levels", "answer: scale", "`absent` on a rating scale"),
        ("hotkey: ab", "hotkey: aa", "appears twice here"),
        ("hotkey: ab", "hotkey: a", "`hotkey` is 'a'"),
        ("      - {value: 1, label: Weak, definition: A little.}\n", "", "the question has 1 levels"),
    ],
)
def test_levels_make_one_ladder(old: str, new: str, wrong: str) -> None:
    text = GOOD.replace("answer: tick\n", LEVELS).replace("hotkey: 1", "hotkey: ab")
    assert old in text
    assert any(wrong in problem.wrong for problem in problems_of(text.replace(old, new, 1)))


@pytest.mark.parametrize("answer", ["scale", "sentences"])
def test_evidence_is_refused_where_it_has_no_sense(answer: str) -> None:
    found = problems_of(GOOD.replace("answer: tick", f"answer: {answer}"))
    assert f"a question answered by {answer} cannot ask for evidence" in [problem.wrong for problem in found]


def test_everything_is_reported_at_once_in_the_order_of_the_file() -> None:
    text = GOOD.replace("small-talk", "Small").replace("tick", "tock").replace("hotkey: 1", "hotkey: U")
    assert [problem.line for problem in problems_of(text)] == [1, 11, 23]


def test_a_flood_of_problems_is_cut_off() -> None:
    found = problems_of("\n".join(["name: a"] * 500))
    assert len(found) == MAX_PROBLEMS + 1
    assert found[-1].wrong == "404 more problems follow"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "the file is empty"),
        ("- a", "the codebook is a list"),
        ("a: [", "not valid YAML"),
        ("a: b\n---\nc: d", "a second document"),
        ("a: &x b", "the anchor &x"),
        ("a: *x", "the alias *x"),
        ("a: !!python/object/apply:os.system [ls]", "the tag"),
        ("a: !thing b", "the tag"),
        ("[" * 40 + "]" * 40, "levels of nesting"),
        ("a: '" + "x" * MAX_BYTES + "'", "bytes"),
        ("[" + "a," * 30_000 + "]", "entries"),
        ("title: \ud800", "surrogate"),
        ("{[a]: b}", "is not known"),
    ],
)
def test_hostile_yaml_is_refused(text: str, wrong: str) -> None:
    assert any(wrong in problem.wrong for problem in problems_of(text))


@settings(max_examples=examples(150), deadline=None)
@given(st.text())
def test_any_text_is_a_codebook_or_a_codebook_error(text: str) -> None:
    with pytest.raises(CodebookError):
        parse_codebook(text, source="x")


@settings(max_examples=examples(200), deadline=None)
@given(st.data())
def test_a_damaged_file_never_raises_anything_else(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(GOOD)))
    end = data.draw(st.integers(start, min(len(GOOD), start + 40)))
    damaged = GOOD[:start] + data.draw(st.text(max_size=12)) + GOOD[end:]
    try:
        parse_codebook(damaged, source="x")
    except CodebookError as error:
        assert error.problems
        assert all(1 <= problem.line <= damaged.count("\n") + 50 for problem in error.problems)


def test_a_file_that_cannot_be_read_is_a_codebook_error(tmp_path: Path) -> None:
    with pytest.raises(CodebookError, match="cannot be read"):
        load_codebook(tmp_path / "none.yaml")
    (tmp_path / "latin.yaml").write_bytes("name: a\ntitle: caf\u00e9".encode("latin-1"))
    with pytest.raises(CodebookError, match=r"latin\.yaml:2: this is not UTF-8"):
        load_codebook(tmp_path / "latin.yaml")
    (tmp_path / "marked.yaml").write_text(GOOD, encoding="utf-8-sig")
    assert load_codebook(tmp_path / "marked.yaml").name == "small-talk"
