"""Label Studio must accept the interface of every codebook, and it must ask for every code."""

from collections import Counter
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given, settings
from label_studio_sdk.label_interface.interface import LabelInterface

from annotation.label_studio.config import label_config
from annotation.label_studio.config.control_names import ControlKind, ControlName
from annotation.label_studio.config.markup import WORD_JOINER
from codebook.loader import parse_codebook
from codebook.schema import AnswerKind, Codebook, Evidence, Part
from codebook.shipped import load_shipped, shipped_codebooks, shipped_path
from tests.codebook.strategies import codebooks
from tests.examples import examples


def tree_of(codebook: Codebook) -> Element:
    return ElementTree.fromstring(label_config(codebook))


def named(tree: Element, kind: ControlKind, subject: str, part: Part) -> Element:
    name = ControlName(kind, subject, part).in_config()
    (found,) = (element for element in tree.iter() if element.get("name") == name)
    return found


def parent_of(tree: Element, child: Element) -> Element:
    return next(element for element in tree.iter() if child in list(element))


def names_in(tree: Element) -> list[str]:
    return [element.attrib["name"] for element in tree.iter() if "name" in element.attrib]


def check_with_label_studio(codebook: Codebook) -> None:
    LabelInterface(label_config(codebook)).validate()  # type: ignore[no-untyped-call]


def check_controls(codebook: Codebook) -> None:
    tree = tree_of(codebook)
    for question, code in codebook.coded_questions():
        if question.answer is AnswerKind.SENTENCES:
            label = named(tree, ControlKind.SENTENCE, code.id, question.part)[0]
            assert label.get("hotkey") == code.hotkey
        elif question.answer is AnswerKind.TICK:
            ticks = named(tree, ControlKind.TICKS, question.id, question.part)
            (box,) = (choice for choice in ticks.iter("Choice") if choice.get("alias") == code.id)
            assert box.get("hotkey") == code.hotkey
        else:
            choices = named(tree, ControlKind.LEVEL, code.id, question.part)
            assert [choice.get("alias") for choice in choices] == [
                str(level.value) for level in question.levels
            ]
            assert "".join(choice.attrib["hotkey"] for choice in choices) == code.hotkey
        if question.evidence is not Evidence.NONE:
            label = named(tree, ControlKind.SPAN, code.id, question.part)[0]
            assert (label.get("background"), label.get("alias")) == (code.colour, code.id)


@pytest.mark.parametrize("name", shipped_codebooks())
def test_label_studio_accepts_the_shipped_codebooks(name: str) -> None:
    codebook = load_shipped(name)
    check_with_label_studio(codebook)
    check_controls(codebook)


@settings(max_examples=examples(40), deadline=None)
@given(codebooks())
def test_label_studio_accepts_any_codebook(codebook: Codebook) -> None:
    check_with_label_studio(codebook)
    check_controls(codebook)


@settings(max_examples=examples(30), deadline=None)
@given(codebooks())
def test_every_key_serves_once_and_none_is_left_to_label_studio(codebook: Codebook) -> None:
    tree = tree_of(codebook)
    keys = Counter(element.get("hotkey") for element in tree.iter() if element.tag in ("Choice", "Label"))
    assert None not in keys
    assert set(keys.values()) == {1}


@settings(max_examples=examples(30), deadline=None)
@given(codebooks())
def test_codebook_text_is_never_taken_for_a_variable(codebook: Codebook) -> None:
    known = {"$title", "$post", "$replies", "$replies[{{idx}}].text"}
    for element in tree_of(codebook).iter():
        for key, value in element.attrib.items():
            if "$" in value.replace(f"${WORD_JOINER}", ""):
                assert value in known
            if key not in ("name", "toName", "whenTagName", "indexFlag") and value not in known:
                assert "{{" not in value


@pytest.mark.parametrize(
    ("name", "controls_and_text"),
    [("empathy-practices", 1 + 3 + 7), ("epitome", 1 + 6), ("empathy-cause", 1)],
)
def test_a_reply_is_repeated_so_that_none_shows_nothing(name: str, controls_and_text: int) -> None:
    tree = tree_of(load_shipped(name))
    repeaters = list(tree.iter("Repeater"))
    assert {repeater.get("on") for repeater in repeaters} == {"$replies"}
    inside = {name for repeater in repeaters for name in names_in(repeater)}
    assert all(name.endswith("_{{idx}}") for name in inside)
    outside = set(names_in(tree)) - inside
    assert not any("{{" in name for name in outside)
    assert len(inside) == controls_and_text


def classes_in(tree: Element, class_name: str) -> list[Element]:
    return [view for view in tree.iter("View") if class_name in view.get("className", "").split()]


def test_what_to_do_is_said_once_for_each_text() -> None:
    tree = tree_of(load_shipped("empathy-practices"))
    said = [block.find("Markdown") for block in classes_in(tree, "attune-instruction")]
    texts = [text.attrib["value"] for text in said if text is not None]
    assert [text.split("words of the ")[1] for text in texts] == ["post that show it.", "reply that show it."]


def test_what_to_do_is_said_again_where_it_differs() -> None:
    source = shipped_path("empathy-practices").read_text()
    codebook = parse_codebook(source.replace("evidence: required", "evidence: none", 1), source="test")
    post, _ = classes_in(tree_of(codebook), "attune-questions")
    assert len(classes_in(post, "attune-instruction")) == 2


def test_each_judged_text_stands_beside_its_own_questions() -> None:
    tree = tree_of(load_shipped("empathy-practices"))
    sections = classes_in(tree, "attune-section")
    assert [[text.get("value") for text in section.iter("Text")] for section in sections] == [
        ["$post"],
        ["$replies[{{idx}}].text"],
    ]
    assert [len(classes_in(section, "attune-question")) for section in sections] == [2, 3]


@pytest.mark.parametrize("name", ["epitome", "empathy-cause"])
def test_a_text_that_is_only_read_stays_beside_the_questions_on_the_other(name: str) -> None:
    (section,) = classes_in(tree_of(load_shipped(name)), "attune-section")
    roles = [text.attrib["className"] for text in classes_in(section, "attune-text")]
    assert roles == ["attune-text attune-context", "attune-text attune-judged"]
    assert classes_in(section, "attune-question")


def test_a_required_highlight_is_asked_for_and_an_orphan_called_out() -> None:
    style = next(tree_of(load_shipped("empathy-practices")).iter("Style")).text or ""
    lacking = [line for line in style.splitlines() if ":not(:has(.htx-highlight" in line]
    orphans = [line for line in style.splitlines() if line.startswith(".attune:has(.htx-highlight")]
    codes = [code.id for _, code in load_shipped("empathy-practices").coded_questions()]
    assert [line.split(".attune-code-")[1].split()[0] for line in orphans] == codes
    assert len(lacking) == 2 * len(codes)


@settings(max_examples=examples(30), deadline=None)
@given(codebooks())
def test_the_style_holds_nothing_that_markup_would_take_for_its_own(codebook: Codebook) -> None:
    style = next(tree_of(codebook).iter("Style")).text or ""
    assert style.isascii()
    assert not set("<>&") & set(style)
    assert style.count("{") == style.count("}")
    assert style.count('"') % 2 == 0


def test_a_span_label_appears_with_its_box() -> None:
    tree = tree_of(load_shipped("empathy-practices"))
    view = parent_of(tree, named(tree, ControlKind.SPAN, "asking-advice", Part.POST))
    assert view.attrib == {
        "className": "attune-span attune-span-required",
        "visibleWhen": "choice-selected",
        "whenTagName": "ticks_requests",
        "whenChoiceValue": "asking-advice",
    }
    assert [element.tag for element in parent_of(tree, view)] == ["Choice", "View"]


def test_a_level_asks_for_evidence_unless_absent_and_must_be_chosen() -> None:
    tree = tree_of(load_shipped("epitome"))
    view = parent_of(tree, named(tree, ControlKind.SPAN, "interpretations", Part.REPLY))
    assert view.get("whenChoiceValue") == "1,2"
    assert named(tree, ControlKind.LEVEL, "interpretations", Part.REPLY).get("required") == "true"


@pytest.mark.parametrize(
    ("name", "granularity"),
    [("empathy-cause", ["symbol", "sentence"]), ("empathy-practices", ["symbol", "symbol"])],
)
def test_sentences_are_selected_whole(name: str, granularity: list[str]) -> None:
    assert [text.get("granularity") for text in tree_of(load_shipped(name)).iter("Text")] == granularity


def test_the_codebook_is_collapsed_beside_each_question() -> None:
    codebook = load_shipped("empathy-practices")
    panels = list(tree_of(codebook).iter("Panel"))
    assert len(panels) == len(codebook.questions)
    text = next(panels[0].iter("Markdown")).attrib["value"]
    assert all(code.definition in text for code in codebook.questions[0].codes)


def test_the_flag_comes_last_with_its_comment() -> None:
    flag = tree_of(load_shipped("epitome"))[-1]
    assert names_in(flag) == ["flag", "comment"]
