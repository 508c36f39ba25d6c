"""What an instruct model is told and asked: made from the codebook's words alone, one question for each code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind, Example, Part
from ml_backend.generative.answer_form import NO, YES, asks_quotes, head


def instructions(question: ModelQuestion, *, evidence: bool) -> str:
    """Everything the codebook says on a code, and the form of the answer."""
    blocks = [
        f"You code texts for a study, exactly as its codebook says. You judge the {question.part}.",
        question.text,
        f"{question.name}: {question.definition}",
        _list_lines("It applies when:", question.applies),
        _list_lines("It does not apply when:", question.not_applies),
        _list_lines("Examples of it:", _examples(question.examples_for)),
        _list_lines("Examples that are not it:", _examples(question.examples_against)),
        _list_lines("The answers:", _answers(question)),
        _form(question, evidence=evidence),
    ]
    return "\n\n".join(block for block in blocks if block)


def _list_lines(heading: str, lines: Iterable[str]) -> str:
    found = [f"- {line}" for line in lines]
    return "\n".join([heading, *found]) if found else ""


def _examples(examples: Iterable[Example]) -> Iterator[str]:
    for example in examples:
        yield f"“{example.text}”" + (f" ({example.why})" if example.why else "")


def _answers(question: ModelQuestion) -> Iterator[str]:
    """Of levels; what yes and no mean is said by the definition."""
    if question.answer.has_levels:
        for each in question.values:
            told = f"{each.value}, {each.label}" if question.answer is AnswerKind.SCALE else each.label
            yield f"{told}: {each.definition}" if each.definition else told


def _form(question: ModelQuestion, *, evidence: bool) -> str:
    if question.answer is AnswerKind.SENTENCES:
        return (
            f"Answer with JSON alone: for each numbered sentence of the {question.part}, “{YES}” or “{NO}”, such as "
            f'{{"1": "{NO}", "2": "{YES}"}}.'
        )
    shown = " or ".join(f"{head(question, each.value)}}}" for each in question.values)
    if not asks_quotes(question, evidence=evidence):
        return f"Answer with JSON alone: {shown}."
    with_quotes = [each for each in question.values if each.wants_evidence]
    example = f'{head(question, with_quotes[0].value)}, "quotes": ["…"]}}'
    return (
        f"Answer with JSON alone: {shown}. Where the code is there, quote the words of the {question.part} that show "
        f"it, copied exactly: {example}."
    )


def shown_texts(part: Part, text: str, *, title: str, context: Iterable[tuple[Part, str]]) -> str:
    """The texts of an item, the judged one last."""
    blocks = [f"{_name(each)} (context):\n{words}" for each, words in context]
    if title:
        blocks.append(f"Title of the post:\n{title}")
    blocks.append(f"{_name(part)}:\n{text}")
    return "\n\n".join(blocks)


def _name(part: Part) -> str:
    return part.value.capitalize()


def number_sentences(sentences: Iterable[str]) -> str:
    """
    >>> number_sentences(["I fell.", "It hurt."])
    '[1] I fell.\\n[2] It hurt.'
    """
    return "\n".join(f"[{at}] {' '.join(each.split())}" for at, each in enumerate(sentences, start=1))
