"""What the measures get of codebooks and answers: values, places, and no text."""

from annotation.agreement.inputs import item_answer, judged_codes, judged_item
from annotation.answers import Flag, ItemText, Span, canonical_answers
from codebook.schema import AnswerKind, Codebook, Part
from codebook.shipped import load_shipped, shipped_codebooks


def test_codes_of_every_shipped_codebook() -> None:
    for name in shipped_codebooks():
        codebook = load_shipped(name)
        codes = judged_codes(codebook)
        assert [code.code_id for code in codes] == [code.id for _, code in codebook.coded_questions()]
        assert all(set(code.present) <= set(code.values) for code in codes)
        assert all(code.takes_evidence <= code.answer.takes_evidence for code in codes)


def test_items_count_tokens_and_sentences_of_their_parts() -> None:
    with_reply = judged_item(ItemText("i", "Title", "One. Two three!", "Yes."), cluster="p")
    assert with_reply.n_tokens == {Part.POST: 5, Part.REPLY: 2}
    assert with_reply.n_sentences == {Part.POST: 2, Part.REPLY: 1}
    assert judged_item(ItemText("i", "", "One.", None), cluster="p").n_sentences == {Part.POST: 1}


def first_code(codebook: Codebook, kind: AnswerKind, part: Part) -> str:
    return next(
        code.id
        for question, code in codebook.coded_questions()
        if question.answer is kind and question.part is part
    )


def test_highlights_become_places_of_tokens() -> None:
    codebook = load_shipped("empathy-practices")
    code_id = first_code(codebook, AnswerKind.TICK, Part.REPLY)
    item = ItemText("i", "", "So tired.", "I feel with you, really")
    spans = [Span(code_id, Part.REPLY, 3, 9), Span(code_id, Part.REPLY, 16, 23)]
    answers = canonical_answers(codebook, item, {code_id: 1}, spans, Flag("hm"))
    found = item_answer(codebook, item, answers, rater="Ada")
    assert found.evidence == {code_id: (1, 2, 5)}
    assert (found.values[code_id], found.is_flagged, found.sentences) == (1, True, {})
    assert sum(found.values.values()) == 1


def test_marked_sentences_become_their_places() -> None:
    codebook = load_shipped("empathy-cause")
    code_id = first_code(codebook, AnswerKind.SENTENCES, Part.POST)
    item = ItemText("i", "", "He left. I cried! It rained.", "Oh no.")
    answers = canonical_answers(codebook, item, {}, [Span(code_id, Part.POST, 9, 17)], None)
    found = item_answer(codebook, item, answers, rater="Ada")
    assert (found.sentences, found.values[code_id], found.is_flagged) == ({code_id: (1,)}, 1, False)
