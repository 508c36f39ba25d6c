"""The controls of one question: boxes, levels or sentence marks, each with its span label beside it."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from annotation.label_studio.config.control_names import ControlKind, ControlName, text_name_in_config
from annotation.label_studio.config.markup import literal, tag
from annotation.label_studio.config.style import CODE_CLASS, REQUIRED_CLASS, SPAN_CLASS
from codebook.guideline import GuidelineQuestion, escape_markdown, question_markdown
from codebook.schema import AnswerKind, Code, Evidence, Level, Question


def question_blocks(entries: Sequence[GuidelineQuestion]) -> list[Element]:
    """The questions on one text. What to do stands above the first one, and above another only where it differs."""
    instructions = ["", *(entry.instruction for entry in entries)]
    return [
        _question_block(entry, says_what_to_do=entry.instruction != before)
        for entry, before in zip(entries, instructions, strict=False)
    ]


def _question_block(entry: GuidelineQuestion, *, says_what_to_do: bool) -> Element:
    question = entry.question
    block = tag(
        "View",
        tag("Header", value=literal(f"{entry.number}. {question.text}"), size="5"),
        class_name="attune-question",
    )
    if says_what_to_do:
        text = tag("Markdown", value=literal(escape_markdown(entry.instruction)))
        block.append(tag("View", text, class_name="attune-instruction"))
    block.extend([_codebook_panel(question), _controls(question)])
    return block


def _codebook_panel(question: Question) -> Element:
    text = tag("Markdown", value=literal(question_markdown(question, heading="######")))
    panel = tag("Panel", tag("View", text, class_name="attune-codebook"), value="Codebook")
    return tag("Collapse", panel)


def _controls(question: Question) -> Element:
    match question.answer:
        case AnswerKind.TICK:
            return _ticks(question)
        case AnswerKind.LEVELS | AnswerKind.SCALE:
            return tag("View", *(_level_row(question, code) for code in question.codes))
        case AnswerKind.SENTENCES:
            return tag("View", *(_sentence_row(question, code) for code in question.codes))


def _ticks(question: Question) -> Element:
    name = ControlName(ControlKind.TICKS, question.id, question.part).in_config()
    rows = []
    for code in question.codes:
        row = tag("View", class_name=f"attune-row {CODE_CLASS}{code.id}")
        row.append(tag("Choice", value=literal(code.name), alias=code.id, hotkey=code.hotkey))
        if question.evidence is not Evidence.NONE:
            row.append(_span_label(question, code, name, code.id))
        rows.append(row)
    target = text_name_in_config(question.part)
    return tag("Choices", *rows, name=name, toName=target, choice="multiple")


def _level_row(question: Question, code: Code) -> Element:
    name = ControlName(ControlKind.LEVEL, code.id, question.part).in_config()
    choices = tag(
        "Choices",
        *(
            tag(
                "Choice",
                value=literal(_level_text(question, level)),
                alias=str(level.value),
                hotkey=key,
                hint=literal(level.definition),
            )
            for level, key in zip(question.levels, code.hotkey, strict=True)
        ),
        name=name,
        toName=text_name_in_config(question.part),
        choice="single-radio",
        showInline="true",
        required="true",
        requiredMessage=literal(f"Please choose an answer for “{code.name}”."),
    )
    heading = tag("Header", value=literal(code.name), size="6")
    row = tag("View", heading, choices, class_name=f"attune-{question.answer} {CODE_CLASS}{code.id}")
    asking = [str(level.value) for level in question.levels if question.asks_evidence_at(level)]
    if asking:
        row.append(_span_label(question, code, name, ",".join(asking)))
    return row


def _level_text(question: Question, level: Level) -> str:
    return f"{level.value} · {level.label}" if question.answer is AnswerKind.SCALE else level.label


def _span_label(question: Question, code: Code, box: str, answers: str) -> Element:
    """Appears once the box is ticked or the level chosen; its key is that of the code with shift."""
    labels = _labels(question, code, ControlKind.SPAN, hotkey=f"shift+{code.hotkey[0]}")
    return tag(
        "View",
        labels,
        class_name=f"{SPAN_CLASS} {REQUIRED_CLASS}" if question.evidence is Evidence.REQUIRED else SPAN_CLASS,
        visibleWhen="choice-selected",
        whenTagName=box,
        whenChoiceValue=answers,
    )


def _sentence_row(question: Question, code: Code) -> Element:
    return tag(
        "View",
        _labels(question, code, ControlKind.SENTENCE, hotkey=code.hotkey),
        class_name="attune-row attune-sentences",
    )


def _labels(question: Question, code: Code, kind: ControlKind, *, hotkey: str) -> Element:
    label = tag("Label", value=literal(code.name), alias=code.id, background=code.colour, hotkey=hotkey)
    name = ControlName(kind, code.id, question.part).in_config()
    return tag("Labels", label, name=name, toName=text_name_in_config(question.part))
