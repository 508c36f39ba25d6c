"""Made-up items with labels that words give away, for every shipped codebook, and releases of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from annotation.answers import Answers, ItemText, Judgment, Span
from annotation.release.files import write_release
from annotation.release.judged_items import GivenAnswer, JudgedItem
from annotation.release.rows import ReleaseItem, Texts
from annotation.release.split import Ratio
from annotation.sentences import sentences
from codebook.editions import edition_hash
from codebook.questions import model_questions
from codebook.schema import AnswerKind, Codebook, Evidence, Part
from ml_backend.examples import Example, Place, Target
from tests.annotation.release.fixtures import REQUEST, release_of

HOPEFUL, TIRED, PLAIN = "sunshine will come again", "heavy clouds stay all day", "the shop opens at nine"
SIGNS = (PLAIN, TIRED, HOPEFUL)


def example(codebook: Codebook, number: int, *, reply: bool = True) -> Example:
    """What sign the judged part has decides every answer: the first sign the lowest, the others higher ones."""
    sign = number % len(SIGNS)
    text = ItemText(
        f"item-{number:03d}",
        "A title" if number % 2 else "",
        f"Well, {number} of us met. I mean {SIGNS[sign]}. Thank you.",
        f"Hello number {number}. I say {SIGNS[sign]}. Good night!" if reply else None,
    )
    return Example(text, targets(codebook, text, sign))


def targets(codebook: Codebook, text: ItemText, sign: int) -> dict[str, Target]:
    found = {}
    for question in model_questions(codebook):
        own = text.text_of(question.part)
        if own is None:
            continue
        place = min(sign, len(question.values) - 1)
        value = question.values[place].value
        start = own.index(SIGNS[sign])
        marks: tuple[Place, ...] = (
            ((start, start + len(SIGNS[sign])),) if question.values[place].wants_evidence else ()
        )
        if question.answer is AnswerKind.SENTENCES:
            marks = tuple(span for span in sentences(own) if sign and span[0] <= start < span[1])
        found[question.code_id] = Target(value, 1.0, marks)
    return found


def examples(codebook: Codebook, n: int, *, start: int = 0) -> list[Example]:
    return [example(codebook, number) for number in range(start, start + n)]


def words_optional(codebook: Codebook) -> Codebook:
    """Counting words marks none: what counts them suggests only where a codebook does not require any."""
    questions = (replace(each, evidence=Evidence.OPTIONAL) for each in codebook.questions)
    return replace(codebook, questions=tuple(questions))


def made_release(
    folder: Path,
    codebook: Codebook,
    n: int = 40,
    *,
    with_texts: bool = True,
    ratio: Ratio = (6, 2, 2),
    parts: Collection[Part] = tuple(Part),
) -> Path:
    """Of `n` such items, each judged by one annotator, each of a post of its own; with labels of these parts."""
    of_parts = {question.code_id for question in model_questions(codebook) if question.part in parts}
    made = [
        Example(each.text, {code: target for code, target in each.targets.items() if code in of_parts})
        for each in examples(codebook, n)
    ]
    items = [_judged(codebook, each, with_texts) for each in made]
    request = msgspec.structs.replace(REQUEST, texts=with_texts, ratio=ratio)
    write_release(folder, release_of(items, codebook, request=request))
    return folder


def _judged(codebook: Codebook, each: Example, with_texts: bool) -> JudgedItem:
    text = each.text
    item = ReleaseItem(
        item_id=text.item_id,
        platform="reddit",
        community="lane",
        post_id=f"p-{text.item_id}",
        reply_id=f"r-{text.item_id}",
        flagged=False,
        draws=(),
        texts=Texts(text.title, text.post, text.reply) if with_texts else None,
    )
    answer = GivenAnswer("annotator-1", edition_hash(codebook), answers_of(codebook, each))
    return JudgedItem(item, text, (answer,), None)


def answers_of(codebook: Codebook, each: Example) -> Answers:
    parts = {question.code_id: question.part for question in model_questions(codebook)}
    judgments = tuple(Judgment(code, target.value) for code, target in each.targets.items())
    return Answers(judgments, spans_of(parts, each), None)


def spans_of(parts: dict[str, Part], each: Example) -> tuple[Span, ...]:
    return tuple(
        Span(code, parts[code], start, end)
        for code, target in each.targets.items()
        for start, end in target.marks
    )


def quiet(line: str) -> None:
    """For learners that nobody listens to."""


def item_ids(of: Sequence[Example]) -> list[str]:
    return [each.item_id for each in of]
