"""Makes what the measures need of codebooks, texts and answers; no text goes further than this."""

from annotation.agreement.values import ItemAnswer, JudgedCode, JudgedItem
from annotation.answers import Answers, ItemText, Span
from annotation.sentences import sentences
from annotation.tokens import covered_tokens, tokens
from codebook.schema import AnswerKind, Codebook, Evidence, Part, Question


def judged_codes(codebook: Codebook) -> tuple[JudgedCode, ...]:
    """Every code in codebook order."""
    return tuple(
        JudgedCode(
            code_id=code.id,
            part=question.part,
            answer=question.answer,
            takes_evidence=question.answer.takes_evidence and question.evidence is not Evidence.NONE,
            values=_values(question),
            present=tuple(sorted(question.present_values)),
        )
        for question, code in codebook.coded_questions()
    )


def judged_item(item: ItemText, *, cluster: str) -> JudgedItem:
    """`cluster` is the post that the item belongs to."""
    texts = {part: text for part in Part if (text := item.text_of(part)) is not None}
    return JudgedItem(
        item_id=item.item_id,
        cluster=cluster,
        n_tokens={part: len(tokens(text)) for part, text in texts.items()},
        n_sentences={part: len(sentences(text)) for part, text in texts.items()},
    )


def item_answer(codebook: Codebook, item: ItemText, answers: Answers, *, rater: str) -> ItemAnswer:
    """One annotator's answer, with the places of marked tokens and sentences in place of offsets."""
    kinds = {code.id: question for question, code in codebook.coded_questions()}
    evidence: dict[str, tuple[int, ...]] = {}
    marked: dict[str, tuple[int, ...]] = {}
    for code_id in dict.fromkeys(span.code_id for span in answers.spans):
        own = [span for span in answers.spans if span.code_id == code_id]
        text = item.text_of(kinds[code_id].part) or ""
        if kinds[code_id].answer is AnswerKind.SENTENCES:
            marked[code_id] = _marked_sentences(text, own)
        else:
            evidence[code_id] = covered_tokens(text, [(span.start, span.end) for span in own])
    return ItemAnswer(
        item_id=item.item_id,
        rater=rater,
        values={judgment.code_id: judgment.value for judgment in answers.judgments},
        evidence=evidence,
        sentences=marked,
        is_flagged=answers.flag is not None,
    )


def _marked_sentences(text: str, spans: list[Span]) -> tuple[int, ...]:
    return tuple(
        at
        for at, (start, end) in enumerate(sentences(text))
        if any(span.start < end and start < span.end for span in spans)
    )


def _values(question: Question) -> tuple[int, ...]:
    if question.answer.has_levels:
        return tuple(sorted(level.value for level in question.levels))
    return (0, 1)
