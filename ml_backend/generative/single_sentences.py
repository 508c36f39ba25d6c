"""An item cut into one for each sentence of the judged part, so that each is asked by itself, with the same context."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from annotation.answers import Features, SentenceList
from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind, Part
from ml_backend.examples import Example, Target
from ml_backend.generative.config import PromptConfig
from ml_backend.learners.sentence_labels import marked_sentences


def asks_by_sentence(config: PromptConfig, question: ModelQuestion) -> bool:
    return config.by_sentence and question.answer is AnswerKind.SENTENCES


def single_sentences(example: Example, question: ModelQuestion) -> Iterator[Example]:
    """In their order, each with its label where there is one."""
    part = question.part
    own = example.text.text_of(part) or ""
    labelled = marked_sentences(question, example)
    for at, (start, end) in enumerate(example.text.sentences_of(part)):
        words = own[start:end]
        features = Features({}, {part: SentenceList(((0, len(words)),))})
        text = replace(example.text, item_id=f"{example.item_id}#{at + 1}", features=features)
        text = replace(text, post=words) if part is Part.POST else replace(text, reply=words)
        targets = {}
        if labelled is not None:
            marks = ((0, len(words)),) if labelled.marked[at] else ()
            targets[question.code_id] = Target(int(labelled.marked[at]), labelled.weight, marks)
        yield Example(text, targets)
