"""Puts the labelling page together: the post, the reply if there is one, and the flag."""

from xml.etree.ElementTree import Element

from annotation.label_config.control_names import (
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
from annotation.label_config.markup import tag, written
from annotation.label_config.questions import question_block
from annotation.label_config.style import STYLE
from codebook.guideline import GuidelinePart, guideline
from codebook.hotkeys import FLAG_KEY
from codebook.schema import AnswerKind, Codebook, Evidence, Part, Question


def label_config(codebook: Codebook) -> str:
    """The labelling config of Label Studio for tasks with the data keys title, post, replies and item."""
    style = tag("Style")
    style.text = STYLE
    root = tag("View", style, class_name="attune")
    root.extend([_part_block(part) for part in guideline(codebook).parts])
    root.append(_flag_block())
    return written(root)


def _part_block(part: GuidelinePart) -> Element:
    questions = tag("View", class_name="attune-questions")
    questions.extend([question_block(question) for question in part.questions])
    block = tag("View", _text_block(part), class_name="attune-part")
    if part.questions:
        block.append(questions)
    if part.part is Part.POST:
        return block
    # An item without a reply has an empty list: nothing is shown, and no hotkey is bound.
    return tag("Repeater", block, on=f"${REPLIES_KEY}", indexFlag=POSITION)


def _text_block(part: GuidelinePart) -> Element:
    block = tag(
        "View", tag("Header", value=f"{part.number}. {part.heading}", size="4"), class_name="attune-text"
    )
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
