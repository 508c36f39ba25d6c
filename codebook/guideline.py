"""The guideline as annotators read it: numbered, grouped by part, with instructions in words."""

import re
from dataclasses import dataclass

from codebook.schema import AnswerKind, Code, Codebook, Evidence, Example, Part, Question

LINKS_HEADING = "What in a reply answers what in a post"


@dataclass(frozen=True, slots=True)
class GuidelineQuestion:
    number: str
    question: Question
    instruction: str


@dataclass(frozen=True, slots=True)
class GuidelinePart:
    number: str
    part: Part
    heading: str
    questions: tuple[GuidelineQuestion, ...]


@dataclass(frozen=True, slots=True)
class GuidelineLink:
    """What a code finds in the post, and what in a reply answers it."""

    code: Code
    answers: tuple[Code, ...]


@dataclass(frozen=True, slots=True)
class Guideline:
    """`links` are for who replies or reads; nothing is judged by them."""

    codebook: Codebook
    parts: tuple[GuidelinePart, ...]
    links: tuple[GuidelineLink, ...]


def guideline(codebook: Codebook) -> Guideline:
    parts = enumerate(codebook.parts, start=1)
    links = (
        GuidelineLink(code, codebook.answers_to(code))
        for _, code in codebook.coded_questions()
        if code.answered_by
    )
    return Guideline(codebook, tuple(_part(codebook, number, part) for number, part in parts), tuple(links))


def _part(codebook: Codebook, number: int, part: Part) -> GuidelinePart:
    questions = codebook.questions_on(part)
    heading = f"Please read the {part}" if questions else f"Please read the {part} (context)"
    return GuidelinePart(
        number=str(number),
        part=part,
        heading=heading,
        questions=tuple(
            GuidelineQuestion(f"{number}.{at}", question, answer_instruction(question))
            for at, question in enumerate(questions, start=1)
        ),
    )


def answer_instruction(question: Question) -> str:
    """How to answer a question, in one or two sentences."""
    match question.answer:
        case AnswerKind.TICK:
            return f"Tick everything that applies. {_tick_evidence(question)}".rstrip()
        case AnswerKind.LEVELS:
            return f"Choose one level in each row. {_level_evidence(question)}".rstrip()
        case AnswerKind.SCALE:
            return "Choose one point on each scale."
        case AnswerKind.SENTENCES:
            return f"Mark whole sentences of the {question.part}; mark none if none fits."


def _tick_evidence(question: Question) -> str:
    match question.evidence:
        case Evidence.REQUIRED:
            return f"For each tick, highlight the words of the {question.part} that show it."
        case Evidence.OPTIONAL:
            return f"If you can, highlight the words of the {question.part} that show it."
        case Evidence.NONE:
            return ""


def _level_evidence(question: Question) -> str:
    if question.evidence is Evidence.NONE:
        return ""
    absent = [level.label for level in question.levels if level.absent]
    unless = f", unless you chose {absent[0]}" if absent else ""
    if question.evidence is Evidence.REQUIRED:
        return f"Highlight the words of the {question.part} behind your choice{unless}."
    return f"If you can, highlight the words of the {question.part} behind your choice{unless}."


def guideline_markdown(codebook: Codebook) -> str:
    """The whole guideline as one Markdown document, for print and for appendices."""
    blocks = [f"# {escape_markdown(codebook.title)}", escape_markdown(codebook.description)]
    found = guideline(codebook)
    for part in found.parts:
        blocks.append(f"## {part.number}. {part.heading}")
        for entry in part.questions:
            blocks.append(f"### {entry.number}. {escape_markdown(entry.question.text)}")
            blocks.append(
                f"*{escape_markdown(entry.question.category)}.* {escape_markdown(entry.instruction)}"
            )
            blocks.append(question_markdown(entry.question, heading="####"))
    if found.links:
        blocks += [f"## {LINKS_HEADING}", "\n".join(_link_line(link) for link in found.links)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _link_line(link: GuidelineLink) -> str:
    answers = ", ".join(escape_markdown(code.name) for code in link.answers)
    return f"- **{escape_markdown(link.code.name)}**: {answers}"


def question_markdown(question: Question, *, heading: str) -> str:
    """What the codebook says on one question: its levels, then each code."""
    blocks = []
    if question.levels:
        blocks.append(
            "\n".join(
                f"- **{level.value} · {escape_markdown(level.label)}**: {_inline(level.definition)}"
                for level in question.levels
            )
        )
    blocks.extend(_code_markdown(code, heading) for code in question.codes)
    return "\n\n".join(blocks)


def _code_markdown(code: Code, heading: str) -> str:
    blocks = [
        f"{heading} {escape_markdown(code.name)}",
        escape_markdown(code.definition),
        "**Applies when**",
        "\n".join(f"- {escape_markdown(text)}" for text in code.applies),
        "**Does not apply when**",
        "\n".join(f"- {escape_markdown(text)}" for text in code.not_applies),
        "**Examples**",
        "\n".join(_example_line("✓", example) for example in code.examples_for)
        + "\n"
        + "\n".join(_example_line("✗", example) for example in code.examples_against),
    ]
    return "\n\n".join(blocks)


def _example_line(sign: str, example: Example) -> str:
    why = f" — {escape_markdown(example.why)}" if example.why else ""
    return f"- {sign} “{escape_markdown(example.text)}”{why}"


def _inline(text: str) -> str:
    return escape_markdown(text).replace("\n\n", " ")


_SPECIAL = str.maketrans({character: f"\\{character}" for character in "\\`*_[]<>#|~$&"})
_LIST_START = re.compile(r"^(\d*)([-+.)])", re.MULTILINE)


def escape_markdown(text: str) -> str:
    """Text as literal Markdown.

    >>> escape_markdown("1. *not* a list")
    '1\\\\. \\\\*not\\\\* a list'
    """
    return _LIST_START.sub(r"\1\\\2", text.translate(_SPECIAL))
