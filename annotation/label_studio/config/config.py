"""Puts the labelling page together: each text beside the questions on it, then the flag."""

from xml.etree.ElementTree import Element

from annotation.label_studio.config.control_names import (
    FLAG_VALUE,
    POSITION,
    POST_KEY,
    POST_NAME,
    REPLIES_KEY,
    REPLY_TEXT_KEY,
    TITLE_KEY,
    ControlKind,
    ControlName,
    text_name_in_config,
)
from annotation.label_studio.config.markup import tag, write_xml
from annotation.label_studio.config.questions import question_blocks
from annotation.label_studio.config.style import STYLE, reminder_rules
from codebook.guideline import GuidelinePart, guideline
from codebook.hotkeys import FLAG_KEY
from codebook.schema import AnswerKind, Codebook, Evidence, Part, Question


def label_config(codebook: Codebook) -> str:
    """The labelling config of Label Studio for tasks with the data keys title, post, replies and item."""
    style = tag("Style")
    style.text = STYLE + reminder_rules(codebook)
    root = tag("View", style, class_name="attune")
    root.extend(_sections(guideline(codebook).parts))
    root.append(_flag_block())
    return write_xml(root)


def _sections(parts: tuple[GuidelinePart, ...]) -> list[Element]:
    """A section for each text that is judged; one that is only read stands in the section of the other."""
    judged = [part for part in parts if part.questions]
    if len(judged) == len(parts):
        return [_repeat(part, _section([_text_block(part)], [_question_list(part)])) for part in parts]
    texts = [_repeat(part, _text_block(part)) for part in parts]
    return [_section(texts, [_repeat(part, _question_list(part)) for part in judged])]


def _section(texts: list[Element], questions: list[Element]) -> Element:
    return tag(
        "View",
        tag("View", *texts, class_name="attune-texts"),
        tag("View", *questions, class_name="attune-questions"),
        class_name="attune-section",
    )


def _repeat(part: GuidelinePart, block: Element) -> Element:
    """An item without a reply has an empty list: nothing is shown, and no hotkey is bound."""
    if part.part is Part.POST:
        return block
    return tag("Repeater", block, on=f"${REPLIES_KEY}", indexFlag=POSITION)


def _question_list(part: GuidelinePart) -> Element:
    return tag("View", *question_blocks(part.questions))


def _text_block(part: GuidelinePart) -> Element:
    heading = tag("Header", value=f"{part.number}. {part.heading}", size="4")
    role = "attune-judged" if part.questions else "attune-context"
    block = tag("View", heading, class_name=f"attune-text {role}")
    value = f"${POST_KEY}"
    if part.part is Part.POST:
        block.append(tag("Header", value=f"${TITLE_KEY}", size="3"))
    else:
        value = f"${REPLIES_KEY}[{POSITION}].{REPLY_TEXT_KEY}"
    granularity = _granularity(tuple(entry.question for entry in part.questions))
    block.append(tag("Text", name=text_name_in_config(part.part), value=value, granularity=granularity))
    return block


def _granularity(questions: tuple[Question, ...]) -> str:
    """Whole sentences are selected only where nothing finer is asked of the same text."""
    marks_sentences = any(question.answer is AnswerKind.SENTENCES for question in questions)
    marks_snippets = any(question.evidence is not Evidence.NONE for question in questions)
    return "sentence" if marks_sentences and not marks_snippets else "symbol"


def _flag_block() -> Element:
    flag = ControlName(ControlKind.FLAG, "", Part.POST).in_config()
    comment = ControlName(ControlKind.COMMENT, "", Part.POST).in_config()
    return tag(
        "View",
        tag(
            "Choices",
            tag("Choice", value="I am not sure: discuss", alias=FLAG_VALUE, hotkey=FLAG_KEY),
            name=flag,
            toName=POST_NAME,
            choice="multiple",
        ),
        tag(
            "View",
            tag(
                "TextArea",
                name=comment,
                toName=POST_NAME,
                rows="3",
                maxSubmissions="1",
                editable="true",
                placeholder="What are you unsure about?",
            ),
            visibleWhen="choice-selected",
            whenTagName=flag,
            whenChoiceValue=FLAG_VALUE,
        ),
        class_name="attune-flag",
    )
